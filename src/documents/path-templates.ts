import {
  PatternError,
  parsePattern,
  routePattern,
  translatePattern,
  type PatternNode,
  type PatternSyntax,
} from '../pcre/pattern.js'

/** A parameter of a path template. */
export interface PathParameter {
  /** The name of the group in the pattern. */
  readonly name: string
  /** An anchored ECMAScript regular expression. Null when the group has no equivalent in ECMAScript. */
  readonly pattern: string | null
}

/** One of the paths that a route pattern matches: `/shop/v1/products/{id}`. */
export interface PathTemplate {
  /** Literal text and parameters, in the order of the path. */
  readonly pieces: readonly (string | PathParameter)[]
}

/** Maximum number of templates of one pattern. Optional groups and alternatives multiply them. */
const maxTemplates = 16

/**
 * The path templates of a route pattern, the shortest first. A named group becomes a parameter. An optional group gives
 * one template with its content and one without.
 * @param pattern with its namespace: `/shop/v1/products/(?P<id>\d+)`.
 * @returns null when the pattern has more than literal text and named groups, which a template cannot express, or more
 *   than {@link maxTemplates} templates.
 */
export function pathTemplates(pattern: string): readonly PathTemplate[] | null {
  try {
    const syntax = parsePattern(pattern, routePattern)
    const sequences = sequencesOf(syntax.root, syntax)
    if (sequences === null || sequences.length > maxTemplates) return null
    const templates = new Map(sequences.map((pieces) => [templateText(pieces), { pieces }]))
    return [...templates.values()].sort((left, right) => left.pieces.length - right.pieces.length)
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

/** `/shop/v1/products/{id}` */
export function templateText(pieces: PathTemplate['pieces']): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : `{${piece.name}}`)).join('')
}

/** The parameters of a template, in the order of the path. */
export function parametersOf({ pieces }: PathTemplate): readonly PathParameter[] {
  return pieces.filter((piece) => typeof piece === 'object')
}

/** The pieces that one way through a node of the pattern gives. */
type Sequence = readonly (string | PathParameter)[]

/** The sequences that a node stands for. Null when a template cannot express the node. */
function sequencesOf(node: PatternNode, syntax: PatternSyntax): readonly Sequence[] | null {
  switch (node.kind) {
    case 'empty':
      return [[]]
    case 'anchor':
      return node.anchor === 'start' || node.anchor === 'final' || node.anchor === 'end' ? [[]] : null
    case 'characters': {
      const character = literalOf(node, syntax)
      return character === null ? null : [[character]]
    }
    case 'sequence':
      return concatenationOf(node.items, syntax)
    case 'alternation':
      return unionOf(node.branches, syntax)
    case 'atomic':
      return sequencesOf(node.body, syntax)
    case 'capture': {
      const name = syntax.names.find(({ number }) => number === node.number)?.name
      return name === undefined ? sequencesOf(node.body, syntax) : [[{ name, pattern: patternOf(node.index, syntax) }]]
    }
    case 'repeat':
      if (node.maximum !== 1) return null
      return node.minimum === 1 ? sequencesOf(node.body, syntax) : unionOf([{ kind: 'empty' }, node.body], syntax)
    default:
      return null
  }
}

function concatenationOf(items: readonly PatternNode[], syntax: PatternSyntax): readonly Sequence[] | null {
  let sequences: Sequence[] = [[]]
  for (const item of items) {
    const next = sequencesOf(item, syntax)
    if (next === null || sequences.length * next.length > maxTemplates) return null
    sequences = sequences.flatMap((before) => next.map((after) => joined(before, after)))
  }
  return sequences
}

function unionOf(nodes: readonly PatternNode[], syntax: PatternSyntax): readonly Sequence[] | null {
  const sequences: Sequence[] = []
  for (const node of nodes) {
    const sequencesOfNode = sequencesOf(node, syntax)
    if (sequencesOfNode === null) return null
    sequences.push(...sequencesOfNode)
  }
  return sequences
}

/** Two sequences as one. Adjacent texts become one text. */
function joined(before: Sequence, after: Sequence): Sequence {
  const last = before.at(-1)
  const [first, ...others] = after
  if (typeof last !== 'string' || typeof first !== 'string') return [...before, ...after]
  return [...before.slice(0, -1), last + first, ...others]
}

/** The only character that a node matches, in the case of the pattern. Null when it matches several. */
function literalOf({ set, source, index }: PatternNode & { readonly kind: 'characters' }, { text }: PatternSyntax) {
  // The set has one range for a character, and a second one for the other case of a letter.
  const [from, to, otherFrom, otherTo, more] = set
  if (source !== null || from === undefined || from !== to || more !== undefined || otherFrom !== otherTo) return null
  const character = String.fromCharCode(from)
  const folded = character.toLowerCase()
  if (otherFrom !== undefined && String.fromCharCode(otherFrom) !== folded) return null
  const written = text.charAt(index)
  const literal = otherFrom === undefined ? character : written.toLowerCase() === folded ? written : folded
  return /[{}?#%]|[^\x21-\x7e]/.test(literal) ? null : literal
}

/** The pattern of the group that begins at this index, as an ECMAScript regular expression. */
function patternOf(index: number, { text }: PatternSyntax): string | null {
  const opening = /^\((?:\?P?<\w+>|\?'\w+')/.exec(text.slice(index))?.[0]
  const end = endOfGroup(text, index)
  if (opening === undefined || end === null) return null
  try {
    const { regexp } = translatePattern(text.slice(index + opening.length, end), routePattern)
    return regexp.source.replace(/\(\?=\\n\?\$\)$/, '$')
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

function endOfGroup(text: string, start: number): number | null {
  let depth = 0
  let inClass = false
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '\\') index += 1
    else if (inClass) inClass = character !== ']'
    else if (character === '[') {
      inClass = true
      // A `]` directly after `[` or `[^` is a member of the class and does not end it.
      if (/^\[\^?\]/.test(text.slice(index, index + 3))) index += text.charAt(index + 1) === '^' ? 2 : 1
    } else if (character === '(') depth += 1
    else if (character === ')' && (depth -= 1) === 0) return index
  }
  return null
}
