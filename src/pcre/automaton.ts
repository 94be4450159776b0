import { type CharacterSet } from './character-set.js'
import { lastCharacter } from './character-source.js'

/**
 * A pattern as a machine of positions: one for each place where a character is taken, with an edge wherever one place
 * can follow another. State 0 is the beginning and takes nothing.
 */
export interface Automaton {
  readonly sets: readonly CharacterSet[]
  /** Where in the pattern's text each position stands. */
  readonly indexes: readonly number[]
  readonly follow: readonly ReadonlyMap<number, Ways>[]
  /** Positions after which the pattern may be complete, or a side way may end, and in how many ways. */
  readonly final: ReadonlyMap<number, Ways>
  /** The position that takes what stands before a match; null when a match can begin at the very beginning only. */
  readonly searching: number | null
}

/** In how many ways one position follows another: several mean that the same text is tried again. */
export type Ways = number

/** A part of the machine: where it can begin, where it can end, in how many ways it can be passed without a character. */
export interface Part {
  readonly first: ReadonlyMap<number, Ways>
  readonly last: ReadonlyMap<number, Ways>
  readonly empty: Ways
}

export const nowhere: ReadonlyMap<number, Ways> = new Map()
export const passed: Part = { first: nowhere, last: nowhere, empty: 1 }

/** The pattern is too large, or has no automaton of the kind. */
export class UnsuitableError extends Error {}

/** Null for a pattern that is {@link UnsuitableError unsuitable}. */
export function unlessUnsuitable(build: () => Automaton): Automaton | null {
  try {
    return build()
  } catch (error) {
    if (error instanceof UnsuitableError) return null
    throw error
  }
}

const maxPositions = 1500
const maxEdges = 20_000

/** Builds an automaton out of its parts. */
export class AutomatonBuilder {
  readonly #sets: CharacterSet[] = [[]]
  readonly #indexes: number[] = [0]
  readonly #follow: Map<number, Ways>[] = [new Map()]
  readonly #all: CharacterSet
  #final: ReadonlyMap<number, Ways> = nowhere
  #edges = 0

  constructor(unicode: boolean) {
    this.#all = [0, lastCharacter(unicode)]
  }

  /** @param isSearched whether a match can begin behind the beginning. */
  automaton(body: Part, isSearched: boolean): Automaton {
    const searching = isSearched ? this.#sets.length : null
    const whole = isSearched ? this.sequence(this.anything(0), body) : body
    this.#connect(new Map([[0, 1]]), whole.first)
    this.#end(whole.last)
    if (whole.empty > 0) this.#end(new Map([[0, whole.empty]]))
    return { sets: this.#sets, indexes: this.#indexes, follow: this.#follow, final: this.#final, searching }
  }

  position(set: CharacterSet, index: number): Part {
    if (this.#sets.length >= maxPositions) throw new UnsuitableError()
    const position = this.#sets.push(set) - 1
    this.#indexes.push(index)
    this.#follow.push(new Map())
    const here = new Map<number, Ways>([[position, 1]])
    return { first: here, last: here, empty: 0 }
  }

  anything(index: number): Part {
    return optional(this.loop(this.position(this.#all, index)))
  }

  /** What is tried beside the way through the pattern, which goes on from the place where this begins. */
  sideWay(part: Part, index: number): Part {
    this.#end(part.last)
    // Ways without a character need a position to be counted at.
    const first = part.empty > 1 ? added(part.first, this.position(this.#all, index).first, part.empty) : part.first
    return { first, last: nowhere, empty: 1 }
  }

  sequence(before: Part, after: Part): Part {
    this.#connect(before.last, after.first)
    return {
      first: before.empty > 0 ? added(before.first, after.first, before.empty) : before.first,
      last: after.empty > 0 ? added(after.last, before.last, after.empty) : after.last,
      empty: bounded(before.empty * after.empty),
    }
  }

  /** The part once or more often. */
  loop(part: Part): Part {
    this.#connect(part.last, part.first)
    return part
  }

  /** At least `minimum` rounds and at most `maximum`, counted out. */
  rounds(minimum: number, maximum: number, body: () => Part): Part {
    let part = passed
    for (let count = 1; count <= minimum; count += 1) part = this.sequence(part, body())
    // x{0,3} as (x(x(x)?)?)?: each count is reached in one way.
    let tail = passed
    for (let count = minimum; count < maximum; count += 1) tail = optional(this.sequence(body(), tail))
    return this.sequence(part, tail)
  }

  #end(last: ReadonlyMap<number, Ways>): void {
    this.#final = added(this.#final, last, 1)
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

export function choice(a: Part, b: Part): Part {
  return { first: added(a.first, b.first, 1), last: added(a.last, b.last, 1), empty: bounded(a.empty + b.empty) }
}

/** What may also be left out; what can be passed anyhow is not passed in one more way: engines skip empty rounds. */
export function optional(part: Part): Part {
  return part.empty > 0 ? part : { ...part, empty: 1 }
}

export function added(
  a: ReadonlyMap<number, Ways>,
  b: ReadonlyMap<number, Ways>,
  times: number,
): ReadonlyMap<number, Ways> {
  if (b.size === 0) return a
  const sum = new Map(a)
  for (const [position, count] of b) sum.set(position, bounded((sum.get(position) ?? 0) + count * times))
  return sum
}

/** More than this is beyond all bounds; the count must stay one that can be multiplied. */
export function bounded(count: number): Ways {
  return Math.min(count, 1e9)
}
