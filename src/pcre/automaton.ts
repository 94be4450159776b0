import { type CharacterSet } from './character-set.js'
import { maxCharacter } from './character-source.js'

/**
 * A position automaton (Glushkov's construction) of a pattern. It has one state, called a position, for each node that
 * matches a character, and an edge from each position to those that can match the next character. State 0 is the start
 * and matches nothing.
 */
export interface Automaton {
  /** The characters that each position matches. */
  readonly sets: readonly CharacterSet[]
  /** The index of each position in the text of the pattern. */
  readonly indexes: readonly number[]
  /** For each position the positions that can follow it. */
  readonly follow: readonly ReadonlyMap<number, Ways>[]
  /** The positions after which the pattern, or one of its lookarounds, can be complete. */
  readonly final: ReadonlyMap<number, Ways>
  /** The position that matches the text before a match; null when a match can begin only at the start of the text. */
  readonly prefixPosition: number | null
}

/**
 * The number of ways in which one position follows another without a character between them. With more than one, a
 * backtracking engine tries the rest of the text once for each.
 */
export type Ways = number

/** An automaton under construction, for a part of the pattern. */
export interface Fragment {
  /** The positions that can match the first character. */
  readonly first: ReadonlyMap<number, Ways>
  /** The positions that can match the last character. */
  readonly last: ReadonlyMap<number, Ways>
  /** The number of ways in which the part matches the empty text. */
  readonly empty: Ways
}

export const noPositions: ReadonlyMap<number, Ways> = new Map()
export const emptyFragment: Fragment = { first: noPositions, last: noPositions, empty: 1 }

/** The pattern is too large, or its constructs cannot be expressed in the automaton. */
export class UnsuitableError extends Error {}

/** The result of `build`; null when it throws an {@link UnsuitableError}. */
export function automatonOrNull(build: () => Automaton): Automaton | null {
  try {
    return build()
  } catch (error) {
    if (error instanceof UnsuitableError) return null
    throw error
  }
}

const maxPositions = 1500
const maxEdges = 20_000

/** Builds an automaton from fragments. */
export class AutomatonBuilder {
  readonly #sets: CharacterSet[] = [[]]
  readonly #indexes: number[] = [0]
  readonly #follow: Map<number, Ways>[] = [new Map()]
  readonly #anyCharacter: CharacterSet
  #final: ReadonlyMap<number, Ways> = noPositions
  #edges = 0

  constructor(unicode: boolean) {
    this.#anyCharacter = [0, maxCharacter(unicode)]
  }

  /** @param isUnanchored whether a match can begin behind the start of the text. */
  automaton(body: Fragment, isUnanchored: boolean): Automaton {
    const prefixPosition = isUnanchored ? this.#sets.length : null
    const whole = isUnanchored ? this.sequence(this.anyText(0), body) : body
    this.#connect(new Map([[0, 1]]), whole.first)
    this.#addFinal(whole.last)
    if (whole.empty > 0) this.#addFinal(new Map([[0, whole.empty]]))
    return { sets: this.#sets, indexes: this.#indexes, follow: this.#follow, final: this.#final, prefixPosition }
  }

  position(set: CharacterSet, index: number): Fragment {
    if (this.#sets.length >= maxPositions) throw new UnsuitableError()
    const position = this.#sets.push(set) - 1
    this.#indexes.push(index)
    this.#follow.push(new Map())
    const positions = new Map<number, Ways>([[position, 1]])
    return { first: positions, last: positions, empty: 0 }
  }

  anyText(index: number): Fragment {
    return optional(this.loop(this.position(this.#anyCharacter, index)))
  }

  /** A lookaround. The rest of the pattern continues from the position where the lookaround begins. */
  sideBranch(fragment: Fragment, index: number): Fragment {
    this.#addFinal(fragment.last)
    // Several ways to match the empty text are counted at an additional position.
    const first =
      fragment.empty > 1
        ? addWays(fragment.first, this.position(this.#anyCharacter, index).first, fragment.empty)
        : fragment.first
    return { first, last: noPositions, empty: 1 }
  }

  sequence(before: Fragment, after: Fragment): Fragment {
    this.#connect(before.last, after.first)
    return {
      first: before.empty > 0 ? addWays(before.first, after.first, before.empty) : before.first,
      last: after.empty > 0 ? addWays(after.last, before.last, after.empty) : after.last,
      empty: capWays(before.empty * after.empty),
    }
  }

  /** The fragment, repeated one or more times. */
  loop(fragment: Fragment): Fragment {
    this.#connect(fragment.last, fragment.first)
    return fragment
  }

  /** Unrolls a counted repetition: `maximum` copies, of which `minimum` are required. */
  repetitions(minimum: number, maximum: number, body: () => Fragment): Fragment {
    let fragment = emptyFragment
    for (let count = 1; count <= minimum; count += 1) fragment = this.sequence(fragment, body())
    // x{0,3} becomes (x(x(x)?)?)?, which matches each number of repetitions in one way.
    let tail = emptyFragment
    for (let count = minimum; count < maximum; count += 1) tail = optional(this.sequence(body(), tail))
    return this.sequence(fragment, tail)
  }

  #addFinal(last: ReadonlyMap<number, Ways>): void {
    this.#final = addWays(this.#final, last, 1)
  }

  #connect(from: ReadonlyMap<number, Ways>, to: ReadonlyMap<number, Ways>): void {
    this.#edges += from.size * to.size
    if (this.#edges > maxEdges) throw new UnsuitableError()
    for (const [a, waysOut] of from)
      for (const [b, waysIn] of to) {
        const edges = this.#follow[a]
        edges?.set(b, capWays((edges.get(b) ?? 0) + waysOut * waysIn))
      }
  }
}

export function alternativesOf(a: Fragment, b: Fragment): Fragment {
  return { first: addWays(a.first, b.first, 1), last: addWays(a.last, b.last, 1), empty: capWays(a.empty + b.empty) }
}

/** Makes a fragment optional. One that matches the empty text stays as it is, because engines skip empty repetitions. */
export function optional(fragment: Fragment): Fragment {
  return fragment.empty > 0 ? fragment : { ...fragment, empty: 1 }
}

/** The sum of `a` and `times` times `b`. */
export function addWays(
  a: ReadonlyMap<number, Ways>,
  b: ReadonlyMap<number, Ways>,
  times: number,
): ReadonlyMap<number, Ways> {
  if (b.size === 0) return a
  const sum = new Map(a)
  for (const [position, count] of b) sum.set(position, capWays((sum.get(position) ?? 0) + count * times))
  return sum
}

/** Limits a count, far above any bound that is compared with it, so that products do not overflow to `Infinity`. */
export function capWays(count: number): Ways {
  return Math.min(count, 1e9)
}
