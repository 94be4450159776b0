import { childrenOf, type PatternNode, type PatternSyntax, type RepeatNode } from './ast.js'
import type { Automaton } from './automaton.js'
import { intersects } from './character-set.js'
import { isCycle, stronglyConnected } from './components.js'
import { textOf } from '../php/bytes.js'
import type { LoweredPattern } from './lower.js'
import { matchesEmpty } from './participation.js'
import { meet, mostWays } from './ways.js'
import { workAutomatonOf } from './work-automaton.js'

/**
 * How the time of a failing match may grow with the length of the text, at worst.
 *
 * `degree` 1 is linear, 2 quadratic, 3 cubic …; `Infinity` is exponential, and also stands for a pattern too large to be
 * judged. An upper bound: the pattern may be better than that. Quadratic is harmless for a path, of
 * which the table matches 1 KB at most then; an argument of up to 1 MB wants a bound on its length from degree 2 on.
 */
export interface Growth {
  readonly degree: number
  /** The part of the pattern that does it, as written; null when the growth is linear. */
  readonly culprit: string | null
}

/** The growth above which a route pattern is doubtful: cubic on a path of 4 KB is a minute. */
export const harmlessDegree = 2

/**
 * In how many ways a text may be taken through a row of choices, each of which can double them: what time a match takes
 * besides is taken as often. More are treated as exponential.
 */
const harmlessWays = { linear: 256, quadratic: 16 }

/**
 * A sentence when matching the pattern may take exponential time, or more than quadratic; null when it is harmless.
 * Conservative: decided on the pattern alone, so a doubtful pattern may never meet the text that slows it.
 */
export function exponentialRisk(pattern: LoweredPattern): string | null {
  const { degree, culprit } = growthOf(pattern)
  if (degree <= harmlessDegree) return null
  if (culprit === null) return 'The pattern is too large to be judged; a match may take very long.'
  return degree === Infinity
    ? `A match can take exponential time: '${culprit}' can take the same text in many ways. Leave one way only: no ` +
        'repetition inside a repetition, no two choices for the same text.'
    : `A match can take time that grows with the length of the text to the power of ${degree}: '${culprit}' and what ` +
        'stands before it can share the same text in many ways. Let them take different characters.'
}

export function growthOf(pattern: LoweredPattern): Growth {
  const { syntax } = pattern
  const repeats = repeatsIn(pattern.root).filter(({ maximum }) => maximum > 1)
  const counted = repeats.find(({ body, minimum }) => minimum > 4 && matchesEmpty(body))
  if (counted) return { degree: Infinity, culprit: textAround(syntax, [counted], counted.index) }
  const automaton = workAutomatonOf(pattern)
  if (automaton === null) return { degree: Infinity, culprit: null }
  const components = stronglyConnected(automaton)
  const cycles = components.filter((component) => isCycle(automaton, component))
  for (const cycle of cycles) {
    const position = ambiguousPosition(automaton, cycle)
    if (position !== null)
      return { degree: Infinity, culprit: textAround(syntax, repeats, automaton.indexes[position] ?? 0) }
  }
  const { degree, position } = polynomialDegree(automaton, cycles)
  if (degree === Infinity) return { degree, culprit: null }
  const crowd = mostWays(automaton, components)
  if (crowd === null) return { degree: Infinity, culprit: null }
  if (crowd.ways > (degree > 1 ? harmlessWays.quadratic : harmlessWays.linear))
    return { degree: Infinity, culprit: textFrom(syntax, automaton.indexes[crowd.position] ?? 0) }
  return {
    degree,
    culprit: position === null ? null : textAround(syntax, repeats, automaton.indexes[position] ?? 0),
  }
}

/**
 * A position of the cycle where the same text leads round in two ways, which doubles the work with every round; null
 * when there is none. Two walkers start together, read the same text, part, and meet again.
 */
function ambiguousPosition(automaton: Automaton, cycle: ReadonlySet<number>): number | null {
  const seen = new Set<number>()
  const waiting: [number, number][] = []
  const step = (a: number, b: number): number | null => {
    for (const [nextA, waysA] of automaton.follow[a] ?? []) {
      if (!cycle.has(nextA)) continue
      if (waysA > 1) return nextA
      for (const nextB of automaton.follow[b]?.keys() ?? []) {
        if (!cycle.has(nextB) || (a === b && nextA >= nextB)) continue
        if (!meet(automaton, nextA, nextB)) continue
        if (nextA === nextB) return nextA
        const pair = nextA * automaton.sets.length + nextB
        if (!seen.has(pair)) waiting.push([nextA, nextB])
        seen.add(pair)
      }
    }
    return null
  }
  for (const state of cycle) {
    const found = step(state, state)
    if (found !== null) return found
  }
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const found = step(pair[0], pair[1])
    if (found !== null) return found
  }
  return null
}

/**
 * One more than the longest chain of cycles in which each can hand over to the next at many points of the same text.
 * Two neighbours `a+` and `[ab]+` hand over anywhere in a row of `a`, which makes the work quadratic.
 */
function polynomialDegree(
  automaton: Automaton,
  cycles: readonly ReadonlySet<number>[],
): { degree: number; position: number | null } {
  const budget = { steps: 200_000 }
  const best: number[] = []
  let degree = 0
  let position: number | null = null
  for (const [index, cycle] of cycles.entries()) {
    let depth = 0
    for (const [earlier, before] of cycles.slice(0, index).entries()) {
      const reached = best[earlier] ?? 0
      // Handing over adds one; merely coming later keeps what was reached.
      if (reached + 1 <= depth || !reaches(automaton, before, cycle)) continue
      depth = Math.max(depth, reached + (handsOver(automaton, before, cycle, budget) ? 1 : 0))
      if (budget.steps <= 0) return { degree: Infinity, position: null }
    }
    best.push(depth)
    if (depth > degree) {
      degree = depth
      position = [...cycle][0] ?? null
    }
  }
  return { degree: degree + 1, position }
}

function reaches(automaton: Automaton, from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
  const seen = new Set(from)
  for (const state of seen)
    for (const next of automaton.follow[state]?.keys() ?? []) {
      if (to.has(next)) return true
      seen.add(next)
    }
  return false
}

/**
 * Whether some text leads from a state p of the first cycle back to p, from p to a state q of the second, and from q back
 * to q. Three walkers read the same text: the first stays in its cycle, the third in its own, the second changes over.
 */
function handsOver(
  automaton: Automaton,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
  budget: { steps: number },
): boolean {
  for (const p of before)
    for (const q of after) if (changesOver(automaton, before, after, [p, p, q], [p, q, q].join(), budget)) return true
  return false
}

function changesOver(
  automaton: Automaton,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
  start: readonly [number, number, number],
  goal: string,
  budget: { steps: number },
): boolean {
  const seen = new Set<string>([start.join()])
  const waiting: (readonly [number, number, number])[] = [start]
  for (let triple = waiting.pop(); triple !== undefined; triple = waiting.pop())
    for (const next of commonSteps(automaton, triple, before, after)) {
      if ((budget.steps -= 1) <= 0) return false
      const key = next.join()
      if (key === goal) return true
      if (!seen.has(key)) waiting.push(next)
      seen.add(key)
    }
  return false
}

function* commonSteps(
  automaton: Automaton,
  [a, b, c]: readonly [number, number, number],
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
): Generator<readonly [number, number, number]> {
  const { follow, sets } = automaton
  for (const nextA of follow[a]?.keys() ?? []) {
    if (!before.has(nextA)) continue
    for (const nextC of follow[c]?.keys() ?? []) {
      if (!after.has(nextC) || !meet(automaton, nextA, nextC)) continue
      for (const nextB of follow[b]?.keys() ?? [])
        if (sharesAll(sets[nextA] ?? [], sets[nextB] ?? [], sets[nextC] ?? [])) yield [nextA, nextB, nextC]
    }
  }
}

/** Whether one character is in all three sets. */
function sharesAll(a: readonly number[], b: readonly number[], c: readonly number[]): boolean {
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) {
      const from = Math.max(a[i] ?? 0, b[j] ?? 0)
      const to = Math.min(a[i + 1] ?? 0, b[j + 1] ?? 0)
      if (from <= to && intersects([from, to], c)) return true
    }
  return false
}

function repeatsIn(node: PatternNode): RepeatNode[] {
  const inside = childrenOf(node).flatMap(repeatsIn)
  return node.kind === 'repeat' ? [node, ...inside] : inside
}

/** The outermost repetition around this place, as written; without one, the rest of the pattern. */
function textAround({ text, unicode }: PatternSyntax, repeats: readonly RepeatNode[], index: number): string {
  const around = repeats.find((repeat) => repeat.index <= index && index < repeat.end)
  return shown(around ? text.slice(around.index, around.end) : text.slice(index), unicode)
}

/** The rest of the pattern, from the optional or repeated part on that holds this place. */
function textFrom({ text, unicode, root }: PatternSyntax, index: number): string {
  const around = repeatsIn(root).find((repeat) => repeat.index <= index && index < repeat.end)
  return shown(text.slice(around?.index ?? index), unicode)
}

function shown(text: string, unicode: boolean): string {
  return unicode ? text : textOf(text)
}
