import { cutPattern } from '../pcre/literal-beginning.js'
import { parsePattern, routePattern } from '../pcre/pattern.js'
import type { CharactersNode, PatternNode } from '../pcre/ast.js'
import { type CharacterSet, contains } from '../pcre/character-set.js'

/**
 * Finds the few patterns that could match a path. It is a radix tree over the literal beginnings of patterns, with a wildcard
 * for the rest of a segment where the pattern provably matches no `/`. The caller tests the returned patterns. The cost of a
 * look-up depends on the path and the nodes along it, not on the number of patterns.
 */
export class RouteIndex {
  readonly #root: IndexNode = createNode('')
  /** The keys of each rest behind a literal beginning; many patterns have the same rest. */
  readonly #keysByRest = new Map<string, readonly IndexKey[]>()

  /**
   * @param pattern the whole key, namespace included.
   * @param ordinal number of the pattern in the order of all; several patterns may have the same.
   * @throws PatternError when the pattern cannot be used; the index is then unchanged.
   */
  add(pattern: string, ordinal: number): this {
    const { literal, rest } = cutPattern(pattern)
    const keys = this.#keysOfRest(literal, rest)
    if (keys) for (const key of keys) insert(this.#root, literal.toLowerCase(), key, ordinal)
    else for (const key of indexKeysOf(parsePattern(pattern, routePattern).root)) insert(this.#root, '', key, ordinal)
    return this
  }

  /** The keys of the rest of a pattern; null when a part of the rest does not follow the literal beginning. */
  #keysOfRest(literal: string, rest: string): readonly IndexKey[] | null {
    const cachedKeys = this.#keysByRest.get(rest)
    if (cachedKeys || literal === '') return cachedKeys ?? null
    const { root } = parsePattern(rest, routePattern)
    if (root.kind === 'alternation') return null
    const keys = indexKeysOf(root)
    this.#keysByRest.set(rest, keys)
    return keys
  }

  /** The ordinals of the patterns, ascending, each once. `path` is in bytes (`php/bytes.ts`). */
  candidates(path: string): number[] {
    const ordinals: number[] = []
    // `$` also matches before a newline at the end of the path.
    collect(this.#root, (path.endsWith('\n') ? path.slice(0, -1) : path).toLowerCase(), 0, ordinals)
    if (ordinals.length < 2) return ordinals
    ordinals.sort((a, b) => a - b)
    return ordinals.filter((ordinal, index) => ordinal !== ordinals[index - 1])
  }
}

/** One node of the tree. Its label is read before anything below it. */
interface IndexNode {
  /** Text in lower case, with {@link wildcard}s in it. */
  label: string
  /** The children whose label does not begin with a {@link wildcard}, by its first character. */
  children: Map<string, IndexNode> | null
  /** The child whose label begins with a wildcard. */
  wildcardChild: IndexNode | null
  /** Patterns that can end here. */
  endingOrdinals: Ordinals
  /** Patterns that can continue in any way. */
  openOrdinals: Ordinals
}

/** One ordinal is stored without a list, which saves 56 bytes in each of thousands of nodes. */
type Ordinals = number | number[] | null

/** Matches everything up to the next `/`. No pattern has it as a literal character, see {@link pieceOf}. */
const wildcard = '\n'

function createNode(label: string): IndexNode {
  return { label, children: null, wildcardChild: null, endingOrdinals: null, openOrdinals: null }
}

/** @param position in the path behind the label of the node. */
function collect(node: IndexNode, path: string, position: number, ordinals: number[]): void {
  addOrdinals(node.openOrdinals, ordinals)
  if (position === path.length) addOrdinals(node.endingOrdinals, ordinals)
  if (node.wildcardChild !== null) follow(node.wildcardChild, path, position, ordinals)
  if (node.children !== null) follow(node.children.get(path.charAt(position)), path, position, ordinals)
}

function addOrdinals(added: Ordinals, ordinals: number[]): void {
  if (added === null) return
  if (typeof added === 'number') ordinals.push(added)
  else for (const ordinal of added) ordinals.push(ordinal)
}

function follow(node: IndexNode | undefined, path: string, position: number, ordinals: number[]): void {
  const end = node ? endOfLabel(node.label, path, position) : -1
  if (node && end >= 0) collect(node, path, end, ordinals)
}

/** The position in the path behind a label; -1 when the path has another text here. */
function endOfLabel(label: string, path: string, position: number): number {
  let [from, at] = [0, position]
  for (let to = label.indexOf(wildcard); to >= 0; to = label.indexOf(wildcard, from)) {
    if (!path.startsWith(label.slice(from, to), at)) return -1
    const slash = path.indexOf('/', at + to - from)
    at = slash < 0 ? path.length : slash
    from = to + 1
  }
  return path.startsWith(label.slice(from), at) ? at + label.length - from : -1
}

/** A place of a pattern in the tree. A pattern with alternatives has several. */
interface IndexKey {
  /** The labels of the nodes from the root on. */
  readonly label: string
  /** Whether a matched path may continue in any way behind the label. Otherwise it ends there. */
  readonly isOpen: boolean
}

function insert(root: IndexNode, prefix: string, { label, isOpen }: IndexKey, ordinal: number): void {
  const node = nodeBelow(root, prefix + label)
  if (isOpen) node.openOrdinals = appended(node.openOrdinals, ordinal)
  else node.endingOrdinals = appended(node.endingOrdinals, ordinal)
}

function appended(ordinals: Ordinals, ordinal: number): Ordinals {
  if (ordinals === null) return ordinal
  if (typeof ordinals === 'number') return [ordinals, ordinal]
  ordinals.push(ordinal)
  return ordinals
}

/** The node that lies `text` below this one. It is created when it is missing. */
function nodeBelow(from: IndexNode, text: string): IndexNode {
  let node = from
  let rest = text
  while (rest !== '') {
    const next: IndexNode | null | undefined = childOf(node, rest.charAt(0))
    if (!next) {
      const child = createNode(rest)
      addChild(node, child)
      return child
    }
    const length = sharedLength(next.label, rest)
    if (length < next.label.length) split(next, length)
    node = next
    rest = rest.slice(length)
  }
  return node
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1
  return length
}

function split(node: IndexNode, at: number): void {
  const child: IndexNode = { ...node, label: node.label.slice(at) }
  node.label = node.label.slice(0, at)
  node.children = node.wildcardChild = node.endingOrdinals = node.openOrdinals = null
  addChild(node, child)
}

function childOf(node: IndexNode, first: string): IndexNode | null | undefined {
  return first === wildcard ? node.wildcardChild : node.children?.get(first)
}

function addChild(node: IndexNode, child: IndexNode): void {
  const first = child.label.charAt(0)
  if (first === wildcard) node.wildcardChild = child
  else (node.children ??= new Map()).set(first, child)
}

/** A piece of a pattern: one literal character in lower case, something that matches no `/`, or anything. */
type Piece = string | 'slashless' | 'open'
const slash = 47
/** Optional parts and alternatives that contain a `/` get labels of their own, up to this many per pattern. */
const maxKeys = 8

function indexKeysOf(root: PatternNode): IndexKey[] {
  const items = root.kind === 'sequence' ? root.items : [root]
  const first = items[0]
  const last = items.at(-1)
  if (first?.kind !== 'anchor' || first.anchor !== 'start') return [{ label: '', isOpen: true }]
  const isEndAnchored = last?.kind === 'anchor' && (last.anchor === 'final' || last.anchor === 'end')
  const keys = piecesOf(items.slice(1, isEndAnchored ? -1 : undefined), maxKeys)
  return keys.map((pieces) => indexKeyOf(isEndAnchored ? pieces : [...pieces, 'open']))
}

function indexKeyOf(pieces: readonly Piece[]): IndexKey {
  let text = ''
  for (const piece of pieces) {
    const inWildcard = text.endsWith(wildcard)
    if (piece === 'open') return { label: inWildcard ? text.slice(0, -1) : text, isOpen: true }
    if (inWildcard && piece !== '/') continue
    text += piece === 'slashless' ? wildcard : piece
  }
  return { label: text, isOpen: false }
}

/** The sequences of pieces that a sequence of nodes can match, at most `limit` of them. */
function piecesOf(nodes: readonly PatternNode[], limit: number): Piece[][] {
  let sequences: Piece[][] = [[]]
  for (const node of nodes) {
    const choices = choicesOf(node, Math.floor(limit / sequences.length))
    const [first, second] = choices
    if (first !== undefined && second === undefined) for (const sequence of sequences) sequence.push(...first)
    else sequences = sequences.flatMap((sequence) => choices.map((choice) => [...sequence, ...choice]))
  }
  return sequences
}

function choicesOf(node: PatternNode, limit: number): Piece[][] {
  switch (node.kind) {
    case 'empty':
    case 'anchor':
    case 'lookaround':
      return [[]]
    case 'characters':
      return [[pieceOf(node)]]
    case 'capture':
    case 'atomic':
      return choicesOf(node.body, limit)
    case 'sequence':
      return piecesOf(node.items, limit)
    default:
      return takesNoSlash(node) ? [['slashless']] : expandedChoicesOf(node, limit)
  }
}

function expandedChoicesOf(node: PatternNode, limit: number): Piece[][] {
  const choices = alternativesOf(node)?.flatMap((choice) => choicesOf(choice, Math.floor(limit / 2)))
  return choices !== undefined && choices.length <= limit ? choices : [['open']]
}

function alternativesOf(node: PatternNode): readonly PatternNode[] | null {
  if (node.kind === 'alternation') return node.branches
  if (node.kind === 'repeat' && node.minimum === 0 && node.maximum === 1) return [node.body, { kind: 'empty' }]
  return null
}

function pieceOf({ set }: CharactersNode): Piece {
  const letter = onlyCharacter(set)
  if (letter !== null && letter !== '\n') return letter
  return contains(set, slash) ? 'open' : 'slashless'
}

/** The only character of a set, or the only letter in both cases; in lower case. */
function onlyCharacter(set: CharacterSet): string | null {
  const [from, to, otherFrom, otherTo, more] = set
  if (from === undefined || from !== to || more !== undefined) return null
  const character = String.fromCharCode(from).toLowerCase()
  if (otherFrom === undefined) return character
  return otherFrom === otherTo && character === String.fromCharCode(otherFrom) ? character : null
}

/** Whether no text that this node matches can contain a `/`. */
function takesNoSlash(node: PatternNode): boolean {
  switch (node.kind) {
    case 'characters':
      return !contains(node.set, slash)
    case 'sequence':
      return node.items.every(takesNoSlash)
    case 'alternation':
      return node.branches.every(takesNoSlash)
    case 'capture':
    case 'atomic':
    case 'repeat':
      return takesNoSlash(node.body)
    case 'condition':
      return takesNoSlash(node.yes) && takesNoSlash(node.no)
    case 'backreference':
      return false
    default:
      return true
  }
}
