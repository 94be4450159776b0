import type { PatternSyntax } from '../pcre/ast.js'
import type { Automaton } from '../pcre/automaton.js'
import { type CharacterSet, contains, rangesOf } from '../pcre/character-set.js'
import { languageAutomatonOf } from '../pcre/language-automaton.js'
import { parsePattern, routePattern } from '../pcre/pattern.js'
import { RouteIndex } from './route-index.js'
import { SamplePaths } from '../pcre/sample-path.js'

/** One declared route, for {@link findShadowed}. */
export interface ShadowableRoute {
  /** The whole key, namespace included. It is a valid pattern. */
  readonly pattern: string
  readonly method: string
  /**
   * Only routes of one namespace are compared: those of another namespace need not be candidates for a path
   * (docs/wire.md#candidates-and-order).
   */
  readonly namespace: string
}

export interface Shadowed<R> {
  readonly route: R
  /** The first earlier route that matches every path that `route` matches. */
  readonly by: R
}

/**
 * Whether `earlier` certainly matches every path that `later` matches. Undecidable cases are `false`:
 * lookarounds, references and atomic groups in `earlier`, patterns without both anchors, and very large ones.
 */
export function shadows(earlier: PatternSyntax, later: PatternSyntax): boolean {
  const wide = languageAutomatonOf(earlier, 'exact')
  const narrow = languageAutomatonOf(later, 'superset')
  return wide !== null && narrow !== null && includes(wide, narrow)
}

/**
 * The routes that can never be reached, in order. Compares each route only with the earlier ones that could match a
 * sample path of it, so that thousands of routes are checked at once.
 */
export function findShadowed<R extends ShadowableRoute>(routes: readonly R[]): Shadowed<R>[] {
  const shadowed: Shadowed<R>[] = []
  const indexes = new Map<string, RouteIndex>()
  const exactAutomata = new Map<R, Automaton | null>()
  const samples = new SamplePaths()
  for (const [order, route] of routes.entries()) {
    const key = `${route.method} ${route.namespace}`
    const index = indexes.get(key) ?? new RouteIndex()
    indexes.set(key, index)
    const sample = samples.of(route.pattern)
    const candidates =
      sample === null ? [] : index.candidates(sample).flatMap((earlierOrder) => routes[earlierOrder] ?? [])
    const narrow = candidates.length === 0 ? null : languageAutomatonOf(syntaxOf(route), 'superset')
    const by = narrow && candidates.find((earlier) => includesRoute(earlier, narrow, exactAutomata))
    if (by) shadowed.push({ route, by })
    index.add(route.pattern, order)
  }
  return shadowed
}

/** @param automata the exact automata of earlier routes; a missing one is added. */
function includesRoute<R extends ShadowableRoute>(
  earlier: R,
  narrow: Automaton,
  automata: Map<R, Automaton | null>,
): boolean {
  let wide = automata.get(earlier)
  if (wide === undefined) automata.set(earlier, (wide = languageAutomatonOf(syntaxOf(earlier), 'exact')))
  return wide !== null && includes(wide, narrow)
}

function syntaxOf({ pattern }: ShadowableRoute): PatternSyntax {
  return parsePattern(pattern, routePattern)
}

/** Maximum number of states that one comparison visits. Beyond it the result is false. */
const maxPairs = 5_000

/** Whether `wide` accepts every text that `narrow` accepts. */
function includes(wide: Automaton, narrow: Automaton): boolean {
  const start: Pair = { narrowPosition: 0, widePositions: [0] }
  if (isNarrowOnly(wide, narrow, start)) return false
  const seen = new Set<string>([keyOf(start)])
  const pending = [start]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop())
    for (const next of stepsFrom(wide, narrow, pair)) {
      // Every position can still reach an end, so `wide` does not accept a text that leaves it without a position.
      if (next.widePositions.length === 0 || isNarrowOnly(wide, narrow, next)) return false
      const key = keyOf(next)
      if (seen.has(key)) continue
      if (seen.size >= maxPairs) return false
      seen.add(key)
      pending.push(next)
    }
  return true
}

/** The state after a text: one position of the narrow automaton and all positions of the wide one. */
interface Pair {
  readonly narrowPosition: number
  readonly widePositions: readonly number[]
}

function isNarrowOnly(wide: Automaton, narrow: Automaton, { narrowPosition, widePositions }: Pair): boolean {
  return narrow.final.has(narrowPosition) && !widePositions.some((position) => wide.final.has(position))
}

function keyOf({ narrowPosition, widePositions }: Pair): string {
  return `${narrowPosition}:${widePositions.join()}`
}

function* stepsFrom(wide: Automaton, narrow: Automaton, { narrowPosition, widePositions }: Pair): Generator<Pair> {
  const targets = [...new Set(widePositions.flatMap((position) => [...(wide.follow[position]?.keys() ?? [])]))].sort(
    (a, b) => a - b,
  )
  const targetSets = targets.map((target) => wide.sets[target] ?? [])
  for (const next of narrow.follow[narrowPosition]?.keys() ?? [])
    for (const code of representatives(narrow.sets[next] ?? [], targetSets))
      yield {
        narrowPosition: next,
        widePositions: targets.filter((_, index) => contains(targetSets[index] ?? [], code)),
      }
}

/** One character of `set` for each combination of the other sets that contain it. */
function representatives(set: CharacterSet, others: readonly CharacterSet[]): Iterable<number> {
  const chosen = new Set<number>()
  const bounds = others.flatMap((other) => [...rangesOf(other)].flatMap(([from, to]) => [from, to + 1]))
  for (const [from, to] of rangesOf(set)) {
    chosen.add(from)
    for (const bound of bounds) if (bound > from && bound <= to) chosen.add(bound)
  }
  return chosen
}
