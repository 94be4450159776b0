import { childrenOf, someNode, type PatternNode, type PatternSyntax, type RepeatNode } from './ast.js'
import { type CharacterSet, single } from './character-set.js'
import { lastCharacter } from './character-source.js'
import { fixedLength } from './participation.js'

/**
 * The pattern as a machine of positions: one for each place where a character is taken, with an edge wherever one place
 * can follow another. State 0 is the beginning and takes nothing.
 */
export interface Automaton {
  readonly sets: readonly CharacterSet[]
  /** Where in the pattern's text each position stands. */
  readonly indexes: readonly number[]
  readonly follow: readonly ReadonlyMap<number, Ways>[]
  /** Positions after which the pattern may be complete, and in how many ways. */
  readonly final: ReadonlyMap<number, Ways>
  /** The position that takes what stands before a match; null when a match can begin at the very beginning only. */
  readonly searching: number | null
}

/** In how many ways one position follows another: several mean that the same text is tried again. */
export type Ways = number

/**
 * - `work`: everything that costs time is in: lookarounds are side ways, references take anything, and longer counts
 *   become open repetitions. For judging the time.
 * - `widest`: accepts everything that the pattern does, and possibly more.
 * - `exact`: accepts just that; there is none for lookarounds, references, atomic groups and the like.
 */
export type AutomatonKind = 'work' | 'widest' | 'exact'

const maxPositions = 1500
const maxEdges = 20_000

/** Null when the pattern is too large, or cannot be told in this kind. */
export function automatonOf(syntax: PatternSyntax, kind: AutomatonKind): Automaton | null {
  const builder = new Builder(syntax, kind)
  try {
    return builder.automaton()
  } catch (error) {
    if (error instanceof UnsuitableError) return null
    throw error
  }
}

class UnsuitableError extends Error {}

/** A part of the machine: where it can begin, where it can end, in how many ways it can be passed without a character. */
interface Part {
  readonly first: ReadonlyMap<number, Ways>
  readonly last: ReadonlyMap<number, Ways>
  readonly empty: Ways
}

const nowhere: ReadonlyMap<number, Ways> = new Map()
const passed: Part = { first: nowhere, last: nowhere, empty: 1 }

class Builder {
  readonly #sets: CharacterSet[] = [[]]
  readonly #indexes: number[] = [0]
  readonly #follow: Map<number, Ways>[] = [new Map()]
  #edges = 0

  constructor(
    readonly syntax: PatternSyntax,
    readonly kind: AutomatonKind,
  ) {}

  automaton(): Automaton {
    const { root } = this.syntax
    if (this.kind !== 'work') this.#refuseInnerEdges(root)
    const body = this.#part(root)
    const searching = this.kind === 'work' && !beginsAtStart(root) ? this.#sets.length : null
    const whole = searching === null ? body : this.#sequence(this.#anything(0), body)
    this.#connect(new Map([[0, 1]]), whole.first)
    const final = whole.empty > 0 ? added(whole.last, new Map([[0, whole.empty]]), 1) : whole.last
    return { sets: this.#sets, indexes: this.#indexes, follow: this.#follow, final, searching }
  }

  /** Only a pattern that is tied to both ends, and nowhere else, says with its characters alone what it matches. */
  #refuseInnerEdges(root: PatternNode): void {
    const items = root.kind === 'sequence' ? root.items : []
    const [first, last] = [items[0], items.at(-1)]
    if (first?.kind !== 'edge' || first.edge !== 'start' || last?.kind !== 'edge' || last.edge !== 'final')
      throw new UnsuitableError()
    const inner = (node: PatternNode): boolean => node.kind === 'edge' && node !== first && node !== last
    if (this.kind === 'exact' && someNode(root, inner)) throw new UnsuitableError()
  }

  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'empty':
        return passed
      case 'characters':
        if (this.kind === 'exact' && node.source !== null) throw new UnsuitableError()
        return this.#position(node.set, node.index)
      case 'sequence':
        return node.items
          .map((item) => this.#part(item))
          .reduce((before, after) => this.#sequence(before, after), passed)
      case 'alternation':
        return node.branches.map((branch) => this.#part(branch)).reduce(choice)
      case 'capture':
        return this.#part(node.body)
      case 'atomic':
        if (this.kind === 'exact') throw new UnsuitableError()
        return this.#part(node.body)
      case 'repeat':
        return this.#repeat(node)
      case 'edge':
        // `$` lets one newline stand behind it.
        return node.edge === 'final' && this.kind !== 'work' ? optional(this.#position(single(10), node.index)) : passed
      case 'look':
        if (this.kind === 'exact') throw new UnsuitableError()
        return this.kind === 'widest' ? passed : { ...this.#part(node.body), last: nowhere, empty: 1 }
      case 'backreference':
        if (this.kind === 'exact') throw new UnsuitableError()
        return this.#anything(node.index)
      case 'condition':
        if (this.kind === 'exact') throw new UnsuitableError()
        return childrenOf(node)
          .map((child) => this.#part(child))
          .reduce(choice)
    }
  }

  #position(set: CharacterSet, index: number): Part {
    if (this.#sets.length >= maxPositions) throw new UnsuitableError()
    const position = this.#sets.push(set) - 1
    this.#indexes.push(index)
    this.#follow.push(new Map())
    const here = new Map<number, Ways>([[position, 1]])
    return { first: here, last: here, empty: 0 }
  }

  #anything(index: number): Part {
    return optional(this.#loop(this.#position([0, lastCharacter(this.syntax.unicode)], index)))
  }

  #sequence(before: Part, after: Part): Part {
    this.#connect(before.last, after.first)
    return {
      first: before.empty > 0 ? added(before.first, after.first, before.empty) : before.first,
      last: after.empty > 0 ? added(after.last, before.last, after.empty) : after.last,
      empty: bounded(before.empty * after.empty),
    }
  }

  #repeat(node: RepeatNode): Part {
    const { body, minimum, maximum, mode } = node
    if (this.kind === 'exact' && mode === 'possessive') throw new UnsuitableError()
    if (maximum === 0) return passed
    const open = maximum === Infinity || (this.kind === 'work' && !countsFew(node))
    if (open && this.kind === 'work') {
      const loop = this.#loop(this.#part(body))
      return minimum === 0 ? optional(loop) : loop
    }
    let part = passed
    for (let count = 1; count <= minimum; count += 1) part = this.#sequence(part, this.#part(body))
    if (open) return this.#sequence(part, optional(this.#loop(this.#part(body))))
    // x{0,3} as (x(x(x)?)?)?: each count is reached in one way.
    let tail = passed
    for (let count = minimum; count < maximum; count += 1) tail = optional(this.#sequence(this.#part(body), tail))
    return this.#sequence(part, tail)
  }

  #loop(part: Part): Part {
    this.#connect(part.last, part.first)
    return part
  }

  #connect(from: ReadonlyMap<number, Ways>, to: ReadonlyMap<number, Ways>): void {
    this.#edges += from.size * to.size
    if (this.#edges > maxEdges) throw new UnsuitableError()
    for (const [a, waysOut] of from)
      for (const [b, waysIn] of to) {
        const edges = this.#follow[a]
        edges?.set(b, bounded((edges.get(b) ?? 0) + waysOut * waysIn))
      }
  }
}

function choice(a: Part, b: Part): Part {
  return { first: added(a.first, b.first, 1), last: added(a.last, b.last, 1), empty: bounded(a.empty + b.empty) }
}

/** What may also be left out; what can be passed anyhow is not passed in one more way: engines skip empty rounds. */
function optional(part: Part): Part {
  return part.empty > 0 ? part : { ...part, empty: 1 }
}

function added(a: ReadonlyMap<number, Ways>, b: ReadonlyMap<number, Ways>, times: number): ReadonlyMap<number, Ways> {
  if (b.size === 0) return a
  const sum = new Map(a)
  for (const [position, count] of b) sum.set(position, bounded((sum.get(position) ?? 0) + count * times))
  return sum
}

/** More than this is beyond all bounds; the count must stay one that can be multiplied. */
export function bounded(count: number): Ways {
  return Math.min(count, 1e9)
}

/** A count that stays a count when time is judged: few copies, or one fixed row of characters with no choice in it. */
function countsFew(node: RepeatNode): boolean {
  const copies = copiesIn(node)
  if (node.maximum <= 4 && copies <= 16) return true
  return (
    node.minimum === node.maximum && copies <= 256 && fixedLength(node.body) !== null && !someNode(node.body, isChoice)
  )
}

function copiesIn(node: PatternNode): number {
  const inside = Math.max(1, ...childrenOf(node).map(copiesIn))
  return node.kind === 'repeat' && node.maximum !== Infinity ? Math.max(1, node.maximum) * inside : inside
}

function isChoice(node: PatternNode): boolean {
  return (
    node.kind === 'alternation' ||
    node.kind === 'condition' ||
    (node.kind === 'repeat' && node.minimum !== node.maximum)
  )
}

/** Whether a search can succeed at the very beginning only. */
function beginsAtStart(node: PatternNode): boolean {
  if (node.kind === 'edge') return node.edge === 'start'
  if (node.kind === 'sequence') return node.items[0] !== undefined && beginsAtStart(node.items[0])
  if (node.kind === 'alternation') return node.branches.every(beginsAtStart)
  return (node.kind === 'capture' || node.kind === 'atomic') && beginsAtStart(node.body)
}
