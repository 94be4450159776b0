import {
  PatternError,
  parsePattern,
  routePattern,
  translatePattern,
  type PatternNode,
  type PatternSyntax,
} from '../pcre/pattern.js'

/** A path parameter of one template. */
export interface PathParameter {
  /** As the pattern calls it. */
  readonly name: string
  /** A regular expression of ECMAScript, anchored; null when there is none of the same meaning. */
  readonly pattern: string | null
}

/** One of the paths that a route pattern stands for. */
export interface PathTemplate {
  /** Literal text and parameters, in their order. */
  readonly pieces: readonly (string | PathParameter)[]
}

/** Optional groups and alternatives make several templates of one pattern; beyond this many it is left out. */
const maxTemplates = 16

/**
 * The paths of a route pattern: named groups as parameters, each optional group once with and once without what is in
 * it. The shortest first.
 * @param pattern with its namespace: `/shop/v1/products/(?P<id>\d+)`.
 * @returns null for a pattern that is more than literal text and named groups: paths with braces cannot say it.
 */
export function pathTemplates(pattern: string): readonly PathTemplate[] | null {
  try {
    const syntax = parsePattern(pattern, routePattern)
    const rows = rowsOf(syntax.root, syntax)
    if (rows === null || rows.length > maxTemplates) return null
    const templates = new Map(rows.map((row) => [templateText(row), { pieces: row }]))
    return [...templates.values()].sort((one, other) => one.pieces.length - other.pieces.length)
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

/** `/shop/v1/products/{id}` */
export function templateText(pieces: PathTemplate['pieces']): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : `{${piece.name}}`)).join('')
}

/** In the order of the path. */
export function parametersOf({ pieces }: PathTemplate): readonly PathParameter[] {
  return pieces.filter((piece) => typeof piece === 'object')
}

type Row = readonly (string | PathParameter)[]

function rowsOf(node: PatternNode, syntax: PatternSyntax): readonly Row[] | null {
  switch (node.kind) {
    case 'empty':
      return [[]]
    case 'edge':
      return node.edge === 'start' || node.edge === 'final' || node.edge === 'end' ? [[]] : null
    case 'characters': {
      const character = literalOf(node, syntax)
      return character === null ? null : [[character]]
    }
    case 'sequence':
      return rowsInSequence(node.items, syntax)
    case 'alternation':
      return rowsOfEach(node.branches, syntax)
    case 'atomic':
      return rowsOf(node.body, syntax)
    case 'capture': {
      const name = syntax.names.find(({ number }) => number === node.number)?.name
      return name === undefined ? rowsOf(node.body, syntax) : [[{ name, pattern: patternOf(node.index, syntax) }]]
    }
    case 'repeat':
      if (node.maximum !== 1) return null
      return node.minimum === 1 ? rowsOf(node.body, syntax) : rowsOfEach([{ kind: 'empty' }, node.body], syntax)
    default:
      return null
  }
}

function rowsInSequence(items: readonly PatternNode[], syntax: PatternSyntax): readonly Row[] | null {
  let rows: Row[] = [[]]
  for (const item of items) {
    const next = rowsOf(item, syntax)
    if (next === null || rows.length * next.length > maxTemplates) return null
    rows = rows.flatMap((row) => next.map((more) => joined(row, more)))
  }
  return rows
}

function rowsOfEach(nodes: readonly PatternNode[], syntax: PatternSyntax): readonly Row[] | null {
  const rows: Row[] = []
  for (const node of nodes) {
    const own = rowsOf(node, syntax)
    if (own === null) return null
    rows.push(...own)
  }
  return rows
}

function joined(row: Row, more: Row): Row {
  const last = row.at(-1)
  const [first, ...others] = more
  if (typeof last !== 'string' || typeof first !== 'string') return [...row, ...more]
  return [...row.slice(0, -1), last + first, ...others]
}

/** The one character that a node takes, letters in the case they were written in. */
function literalOf({ set, source, index }: PatternNode & { readonly kind: 'characters' }, { text }: PatternSyntax) {
  const [from, to, otherFrom, otherTo, more] = set
  if (source !== null || from === undefined || from !== to || more !== undefined || otherFrom !== otherTo) return null
  const character = String.fromCharCode(from)
  const folded = character.toLowerCase()
  if (otherFrom !== undefined && String.fromCharCode(otherFrom) !== folded) return null
  const written = text.charAt(index)
  const literal = otherFrom === undefined ? character : written.toLowerCase() === folded ? written : folded
  return /[{}?#%]|[^\x21-\x7e]/.test(literal) ? null : literal
}

/** The inside of the group that begins here. */
function patternOf(index: number, { text }: PatternSyntax): string | null {
  const inside = /^\((?:\?P?<\w+>|\?'\w+')/.exec(text.slice(index))?.[0]
  const end = endOfGroup(text, index)
  if (inside === undefined || end === null) return null
  try {
    const { regexp } = translatePattern(text.slice(index + inside.length, end), routePattern)
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
      // A bracket that comes first is a member of its class.
      if (/^\[\^?\]/.test(text.slice(index, index + 3))) index += text.charAt(index + 1) === '^' ? 2 : 1
    } else if (character === '(') depth += 1
    else if (character === ')' && (depth -= 1) === 0) return index
  }
  return null
}
