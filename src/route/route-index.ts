import { cutPattern } from './literal-beginning.js'
import { parsePattern, routePattern } from './pattern.js'
import type { CharactersNode, PatternNode } from './pattern/ast.js'
import { type CharacterSet, contains } from './pattern/character-set.js'

/** Something filed under a route pattern; `order` is unique and tells who comes first. */
export interface Filed {
  readonly order: number
}

/**
 * Finds, for a path, the few patterns that could match it: a tree over the literal beginnings of patterns, with a
 * wildcard for the rest of a segment where the pattern provably takes no `/`. What it returns is still to be tested.
 * The cost of a look-up depends on the path and on what lies along it, not on how many patterns there are.
 */
export class RouteIndex<T extends Filed> {
  readonly #root: Branch<T> = branch('')
  /** Of the patterns' ends, which many share. */
  readonly #ways = new Map<string, readonly Way[]>()

  /**
   * @param pattern the whole key, namespace included.
   * @throws PatternFault when the pattern cannot be used; then nothing is filed.
   */
  add(pattern: string, value: T): this {
    const { literal, rest } = cutPattern(pattern)
    const shared = this.#waysBehind(literal, rest)
    if (shared) for (const way of shared) insert(this.#root, literal.toLowerCase(), way, value)
    else for (const way of waysOf(parsePattern(pattern, routePattern).root)) insert(this.#root, '', way, value)
    return this
  }

  /** Null when the rest of a pattern does not stand behind its beginning alone. */
  #waysBehind(literal: string, rest: string): readonly Way[] | null {
    const known = this.#ways.get(rest)
    if (known || literal === '') return known ?? null
    const { root } = parsePattern(rest, routePattern)
    if (root.kind === 'alternation') return null
    const ways = waysOf(root)
    this.#ways.set(rest, ways)
    return ways
  }

  /** In order, each once. `path` is in bytes (`pattern/bytes.ts`). */
  candidates(path: string): T[] {
    const found: T[] = []
    // `$` lets one newline stand behind the path.
    collect(this.#root, (path.endsWith('\n') ? path.slice(0, -1) : path).toLowerCase(), 0, found)
    if (found.length < 2) return found
    found.sort((a, b) => a.order - b.order)
    return found.filter((value, index) => value !== found[index - 1])
  }
}

/** One node of the tree. Its label is read before anything below it. */
interface Branch<T> {
  label: string
  /** By the first character of their label. */
  below: Map<string, Branch<T>> | null
  /** Takes everything up to the next `/`. */
  wildcard: Branch<T> | null
  /** Patterns that can end here. */
  ends: T[] | null
  /** Patterns that can go on in any way. */
  open: T[] | null
}

function branch<T>(label: string): Branch<T> {
  return { label, below: null, wildcard: null, ends: null, open: null }
}

function collect<T>(node: Branch<T>, path: string, position: number, found: T[]): void {
  for (const value of node.open ?? []) found.push(value)
  if (position === path.length) for (const value of node.ends ?? []) found.push(value)
  if (node.wildcard) {
    const slash = path.indexOf('/', position)
    collect(node.wildcard, path, slash < 0 ? path.length : slash, found)
  }
  const next = node.below?.get(path.charAt(position))
  if (next && path.startsWith(next.label, position)) collect(next, path, position + next.label.length, found)
}

/** A pattern's way down the tree: literal text, wildcards, and whether it stops at the path's end or goes on openly. */
interface Way {
  readonly steps: readonly (string | typeof wildcard)[]
  readonly open: boolean
}

const wildcard = Symbol('up to the next slash')

function insert<T>(root: Branch<T>, beginning: string, { steps, open }: Way, value: T): void {
  let node = root
  let text = beginning
  for (const step of steps) {
    if (step === wildcard) {
      const above = descend(node, text)
      node = above.wildcard ??= branch('')
      text = ''
    } else text += step
  }
  node = descend(node, text)
  if (open) node.open = withOneMore(node.open, value)
  else node.ends = withOneMore(node.ends, value)
}

/** Most lists hold one value: one that is pushed into an empty list takes room for seventeen. */
function withOneMore<T>(list: T[] | null, value: T): T[] {
  if (list === null) return [value]
  list.push(value)
  return list
}

/** The node that lies `text` below this one, made where it is missing. */
function descend<T>(from: Branch<T>, text: string): Branch<T> {
  let node = from
  let rest = text
  while (rest !== '') {
    const below: Map<string, Branch<T>> = (node.below ??= new Map())
    const next = below.get(rest.charAt(0))
    if (next === undefined) {
      const added = branch<T>(rest)
      below.set(rest.charAt(0), added)
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

function split<T>(node: Branch<T>, at: number): void {
  const lower: Branch<T> = { ...node, label: node.label.slice(at) }
  node.label = node.label.slice(0, at)
  node.below = new Map([[lower.label.charAt(0), lower]])
  node.wildcard = node.ends = node.open = null
}

/** A piece of a pattern: one literal character in lower case, something that takes no `/`, or anything. */
type Piece = string | 'slashless' | 'open'
const slash = 47
/** Optional parts and alternatives that hold a `/` are filed one by one, up to this many per pattern. */
const mostWays = 8

function waysOf(root: PatternNode): Way[] {
  const items = root.kind === 'sequence' ? root.items : [root]
  const first = items[0]
  const last = items.at(-1)
  if (first?.kind !== 'edge' || first.edge !== 'start') return [{ steps: [], open: true }]
  const ended = last?.kind === 'edge' && (last.edge === 'final' || last.edge === 'end')
  const ways = piecesOf(items.slice(1, ended ? -1 : undefined), mostWays)
  return ways.map((pieces) => wayAlong(ended ? pieces : [...pieces, 'open']))
}

function wayAlong(pieces: readonly Piece[]): Way {
  const steps: (string | typeof wildcard)[] = []
  let inWildcard = false
  for (const piece of pieces) {
    if (piece === 'open') return { steps: inWildcard ? steps.slice(0, -1) : steps, open: true }
    if (inWildcard && piece !== '/') continue
    inWildcard = piece === 'slashless'
    if (piece === 'slashless') steps.push(wildcard)
    else if (typeof steps.at(-1) === 'string') steps.push(`${steps.pop() as string}${piece}`)
    else steps.push(piece)
  }
  return { steps, open: false }
}

/** The rows of pieces that a row of nodes can amount to; never more than `most`, however many there are. */
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
    case 'edge':
    case 'look':
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

/** The one character that a set holds, or the one letter in both its cases; in lower case. */
function onlyCharacter(set: CharacterSet): string | null {
  const [from, to, otherFrom, otherTo, more] = set
  if (from === undefined || from !== to || more !== undefined) return null
  const character = String.fromCharCode(from).toLowerCase()
  if (otherFrom === undefined) return character
  return otherFrom === otherTo && character === String.fromCharCode(otherFrom) ? character : null
}

/** Whether nothing this node takes can hold a `/`. */
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
