import { cutPattern } from '../pcre/literal-beginning.js'
import { parsePattern, routePattern } from '../pcre/pattern.js'
import type { CharactersNode, PatternNode } from '../pcre/ast.js'
import { type CharacterSet, contains } from '../pcre/character-set.js'

/**
 * Finds the few patterns that could match a path. It is a tree over the literal beginnings of patterns, with a wildcard for
 * the rest of a segment where the pattern provably matches no `/`. The caller tests the returned patterns. The cost of a
 * look-up depends on the path and the nodes along it, not on the number of patterns.
 */
export class RouteIndex {
  readonly #root: Branch = branch('')
  /** By the ends of patterns, which many patterns share. */
  readonly #ways = new Map<string, readonly Way[]>()

  /**
   * @param pattern the whole key, namespace included.
   * @param place of the pattern among all; several patterns may have the same.
   * @throws PatternError when the pattern cannot be used; the index is then unchanged.
   */
  add(pattern: string, place: number): this {
    const { literal, rest } = cutPattern(pattern)
    const shared = this.#waysBehind(literal, rest)
    if (shared) for (const way of shared) insert(this.#root, literal.toLowerCase(), way, place)
    else for (const way of waysOf(parsePattern(pattern, routePattern).root)) insert(this.#root, '', way, place)
    return this
  }

  /** Null when the rest of the pattern does not follow its beginning alone. */
  #waysBehind(literal: string, rest: string): readonly Way[] | null {
    const known = this.#ways.get(rest)
    if (known || literal === '') return known ?? null
    const { root } = parsePattern(rest, routePattern)
    if (root.kind === 'alternation') return null
    const ways = waysOf(root)
    this.#ways.set(rest, ways)
    return ways
  }

  /** The places of the patterns, ascending, each once. `path` is in bytes (`php/bytes.ts`). */
  candidates(path: string): number[] {
    const found: number[] = []
    // `$` also matches before a newline at the end of the path.
    collect(this.#root, (path.endsWith('\n') ? path.slice(0, -1) : path).toLowerCase(), 0, found)
    if (found.length < 2) return found
    found.sort((a, b) => a - b)
    return found.filter((place, index) => place !== found[index - 1])
  }
}

/** One node of the tree. Its label is read before anything below it. */
interface Branch {
  /** Text in lower case, with {@link wildcard}s in it. */
  label: string
  /** By the first character of their label, if that is not a {@link wildcard}. */
  below: Map<string, Branch> | null
  /** Those whose label begins with a wildcard. */
  wild: Branch | null
  /** Patterns that can end here. */
  ends: Places
  /** Patterns that can continue in any way. */
  open: Places
}

/** A single value is stored without a list, which takes 56 bytes: there are thousands. */
type Places = number | number[] | null

/** Matches everything up to the next `/`. No pattern has it as a literal character, see {@link pieceOf}. */
const wildcard = '\n'

function branch(label: string): Branch {
  return { label, below: null, wild: null, ends: null, open: null }
}

/** @param position in the path behind the label of the node. */
function collect(node: Branch, path: string, position: number, found: number[]): void {
  gather(node.open, found)
  if (position === path.length) gather(node.ends, found)
  if (node.wild !== null) follow(node.wild, path, position, found)
  if (node.below !== null) follow(node.below.get(path.charAt(position)), path, position, found)
}

function gather(places: Places, found: number[]): void {
  if (places === null) return
  if (typeof places === 'number') found.push(places)
  else for (const place of places) found.push(place)
}

function follow(node: Branch | undefined, path: string, position: number, found: number[]): void {
  const behind = node ? behindLabel(node.label, path, position) : -1
  if (node && behind >= 0) collect(node, path, behind, found)
}

/** The position in the path behind a label; -1 when the path has another text here. */
function behindLabel(label: string, path: string, position: number): number {
  let [from, at] = [0, position]
  for (let to = label.indexOf(wildcard); to >= 0; to = label.indexOf(wildcard, from)) {
    if (!path.startsWith(label.slice(from, to), at)) return -1
    const slash = path.indexOf('/', at + to - from)
    at = slash < 0 ? path.length : slash
    from = to + 1
  }
  return path.startsWith(label.slice(from), at) ? at + label.length - from : -1
}

/** The labels of a pattern, and whether it ends with the path or may continue. */
interface Way {
  /** In the form of a label. */
  readonly text: string
  readonly open: boolean
}

function insert(root: Branch, beginning: string, { text, open }: Way, place: number): void {
  const node = descend(root, beginning + text)
  if (open) node.open = withOneMore(node.open, place)
  else node.ends = withOneMore(node.ends, place)
}

function withOneMore(places: Places, place: number): Places {
  if (places === null) return place
  if (typeof places === 'number') return [places, place]
  places.push(place)
  return places
}

/** The node that lies `text` below this one. It is created when it is missing. */
function descend(from: Branch, text: string): Branch {
  let node = from
  let rest = text
  while (rest !== '') {
    const next: Branch | null | undefined = below(node, rest.charAt(0))
    if (!next) {
      const added = branch(rest)
      put(node, added)
      return added
    }
    const shared = sharedLength(next.label, rest)
    if (shared < next.label.length) split(next, shared)
    node = next
    rest = rest.slice(shared)
  }
  return node
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1
  return length
}

function split(node: Branch, at: number): void {
  const lower: Branch = { ...node, label: node.label.slice(at) }
  node.label = node.label.slice(0, at)
  node.below = node.wild = node.ends = node.open = null
  put(node, lower)
}

function below(node: Branch, first: string): Branch | null | undefined {
  return first === wildcard ? node.wild : node.below?.get(first)
}

function put(node: Branch, added: Branch): void {
  const first = added.label.charAt(0)
  if (first === wildcard) node.wild = added
  else (node.below ??= new Map()).set(first, added)
}

/** A piece of a pattern: one literal character in lower case, something that matches no `/`, or anything. */
type Piece = string | 'slashless' | 'open'
const slash = 47
/** Optional parts and alternatives that contain a `/` get labels of their own, up to this many per pattern. */
const maxWays = 8

function waysOf(root: PatternNode): Way[] {
  const items = root.kind === 'sequence' ? root.items : [root]
  const first = items[0]
  const last = items.at(-1)
  if (first?.kind !== 'anchor' || first.anchor !== 'start') return [{ text: '', open: true }]
  const ended = last?.kind === 'anchor' && (last.anchor === 'final' || last.anchor === 'end')
  const ways = piecesOf(items.slice(1, ended ? -1 : undefined), maxWays)
  return ways.map((pieces) => wayAlong(ended ? pieces : [...pieces, 'open']))
}

function wayAlong(pieces: readonly Piece[]): Way {
  let text = ''
  for (const piece of pieces) {
    const inWildcard = text.endsWith(wildcard)
    if (piece === 'open') return { text: inWildcard ? text.slice(0, -1) : text, open: true }
    if (inWildcard && piece !== '/') continue
    text += piece === 'slashless' ? wildcard : piece
  }
  return { text, open: false }
}

/** The sequences of pieces that a sequence of nodes can match, at most `most` of them. */
function piecesOf(nodes: readonly PatternNode[], most: number): Piece[][] {
  let rows: Piece[][] = [[]]
  for (const node of nodes) {
    const choices = choicesOf(node, Math.floor(most / rows.length))
    const [only, second] = choices
    if (only !== undefined && second === undefined) for (const row of rows) row.push(...only)
    else rows = rows.flatMap((row) => choices.map((choice) => [...row, ...choice]))
  }
  return rows
}

function choicesOf(node: PatternNode, most: number): Piece[][] {
  switch (node.kind) {
    case 'empty':
    case 'anchor':
    case 'lookaround':
      return [[]]
    case 'characters':
      return [[pieceOf(node)]]
    case 'capture':
    case 'atomic':
      return choicesOf(node.body, most)
    case 'sequence':
      return piecesOf(node.items, most)
    default:
      return takesNoSlash(node) ? [['slashless']] : spreadOut(node, most)
  }
}

function spreadOut(node: PatternNode, most: number): Piece[][] {
  const choices = alternativesIn(node)?.flatMap((choice) => choicesOf(choice, Math.floor(most / 2)))
  return choices !== undefined && choices.length <= most ? choices : [['open']]
}

function alternativesIn(node: PatternNode): readonly PatternNode[] | null {
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
