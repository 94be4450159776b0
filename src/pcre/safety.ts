import { childrenOf, type PatternNode, type PatternSyntax, type RepeatNode } from './ast.js'
import type { Automaton } from './automaton.js'
import { intersects } from './character-set.js'
import { isCycle, stronglyConnectedComponents } from './components.js'
import { textOf } from '../php/bytes.js'
import type { LoweredPattern } from './lower.js'
import { matchesEmpty } from './participation.js'
import { shareCharacter, maxWays } from './ways.js'
import { workAutomatonOf } from './work-automaton.js'

/**
 * An upper bound for how the time of a failing match grows with the length of the text.
 *
 * Quadratic time is harmless for a path, because the route table then matches only paths of up to 1 KB. An argument can
 * have 1 MB, so its length must be limited from degree 2 on.
 */
export interface Growth {
  /**
   * 1 for linear time, 2 for quadratic, 3 for cubic time, and so on. `Infinity` for exponential time, and for a pattern
   * that is too large to be analysed.
   */
  readonly degree: number
  /** The part of the pattern that causes the growth, as written; null when the growth is linear, or the pattern too large. */
  readonly culprit: string | null
}

/** The highest degree that a route pattern may have. A cubic match of a path of 4 KB takes a minute. */
export const maxHarmlessDegree = 2

/**
 * The maximum number of ways in which a pattern may match one text, apart from the iterations of its loops. Each choice in
 * a sequence of choices can double the number, and the time of a match is multiplied by it. More ways count as
 * exponential time.
 */
const maxHarmlessWays = { linear: 256, quadratic: 16 }

/**
 * A message when a match of the pattern may take more than quadratic time; null when the pattern is harmless. The text is
 * not known here, so a pattern is also refused when only texts that never occur would take so long.
 */
export function exponentialRisk(pattern: LoweredPattern): string | null {
  const { degree, culprit } = growthOf(pattern)
  if (degree <= maxHarmlessDegree) return null
  if (culprit === null) return 'The pattern is too large to be analysed; a match may take very long.'
  return degree === Infinity
    ? `A match can take exponential time: '${culprit}' can take the same text in many ways. Leave one way only: no ` +
        'repetition inside a repetition, no two choices for the same text.'
    : `A match can take time that grows with the length of the text to the power of ${degree}: '${culprit}' and what ` +
        'stands before it can share the same text in many ways. Let them take different characters.'
}

/** The growth of a pattern as JavaScript runs it, from the ambiguity of its automaton. */
export function growthOf(pattern: LoweredPattern): Growth {
  const { syntax } = pattern
  const repeats = repeatsIn(pattern.root).filter(({ maximum }) => maximum > 1)
  const countedRepeat = repeats.find(({ body, minimum }) => minimum > 4 && matchesEmpty(body))
  if (countedRepeat) return { degree: Infinity, culprit: repeatTextAt(syntax, [countedRepeat], countedRepeat.index) }
  const automaton = workAutomatonOf(pattern)
  if (automaton === null) return { degree: Infinity, culprit: null }
  const components = stronglyConnectedComponents(automaton)
  const cycles = components.filter((component) => isCycle(automaton, component))
  for (const cycle of cycles) {
    const position = ambiguousPosition(automaton, cycle)
    if (position !== null)
      return { degree: Infinity, culprit: repeatTextAt(syntax, repeats, automaton.indexes[position] ?? 0) }
  }
  const { degree, position } = polynomialDegree(automaton, cycles)
  if (degree === Infinity) return { degree, culprit: null }
  const ambiguity = maxWays(automaton, components)
  if (ambiguity === null) return { degree: Infinity, culprit: null }
  if (ambiguity.ways > (degree > 1 ? maxHarmlessWays.quadratic : maxHarmlessWays.linear))
    return { degree: Infinity, culprit: restFrom(syntax, automaton.indexes[ambiguity.position] ?? 0) }
  return {
    degree,
    culprit: position === null ? null : repeatTextAt(syntax, repeats, automaton.indexes[position] ?? 0),
  }
}

/**
 * A position of the cycle from which the same text leads back in two ways, which doubles the work with every iteration;
 * null when there is none. The search follows two paths over the same text: they start at one position, separate, and
 * meet again.
 */
function ambiguousPosition(automaton: Automaton, cycle: ReadonlySet<number>): number | null {
  const seen = new Set<number>()
  const pending: [number, number][] = []
  const step = (a: number, b: number): number | null => {
    for (const [nextA, waysA] of automaton.follow[a] ?? []) {
      if (!cycle.has(nextA)) continue
      if (waysA > 1) return nextA
      for (const nextB of automaton.follow[b]?.keys() ?? []) {
        if (!cycle.has(nextB) || (a === b && nextA >= nextB)) continue
        if (!shareCharacter(automaton, nextA, nextB)) continue
        if (nextA === nextB) return nextA
        const pair = nextA * automaton.sets.length + nextB
        if (!seen.has(pair)) pending.push([nextA, nextB])
        seen.add(pair)
      }
    }
    return null
  }
  for (const state of cycle) {
    const position = step(state, state)
    if (position !== null) return position
  }
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const position = step(pair[0], pair[1])
    if (position !== null) return position
  }
  return null
}

/**
 * One more than the length of the longest chain of cycles in which each can hand over to the next at many points of the
 * same text. `a+` can hand over to a following `[ab]+` behind any `a` of a sequence, which makes the work quadratic.
 */
function polynomialDegree(
  automaton: Automaton,
  cycles: readonly ReadonlySet<number>[],
): { degree: number; position: number | null } {
  const budget = { steps: 200_000 }
  const chainLengths: number[] = []
  let degree = 0
  let position: number | null = null
  for (const [index, cycle] of cycles.entries()) {
    let chainLength = 0
    for (const [earlierIndex, earlierCycle] of cycles.slice(0, index).entries()) {
      const earlierLength = chainLengths[earlierIndex] ?? 0
      // A cycle that only comes later, without a hand-over, does not make the chain longer.
      if (earlierLength + 1 <= chainLength || !reaches(automaton, earlierCycle, cycle)) continue
      chainLength = Math.max(chainLength, earlierLength + (canHandOver(automaton, earlierCycle, cycle, budget) ? 1 : 0))
      if (budget.steps <= 0) return { degree: Infinity, position: null }
    }
    chainLengths.push(chainLength)
    if (chainLength > degree) {
      degree = chainLength
      position = [...cycle][0] ?? null
    }
  }
  return { degree: degree + 1, position }
}

/** Whether the automaton has a path from one cycle to the other. */
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
 * Whether there is a text that leads from a state p of the earlier cycle back to p, from p to a state q of the later cycle,
 * and from q back to q. When this text is repeated n times, the change from p to q can be at n points. The search follows
 * three paths over the same text: the first stays in the earlier cycle, the third in the later one, and the second leads
 * from p to q.
 */
function canHandOver(
  automaton: Automaton,
  earlierCycle: ReadonlySet<number>,
  laterCycle: ReadonlySet<number>,
  budget: { steps: number },
): boolean {
  for (const p of earlierCycle)
    for (const q of laterCycle)
      if (reachesGoal(automaton, earlierCycle, laterCycle, [p, p, q], [p, q, q].join(), budget)) return true
  return false
}

/** Whether one text leads the three paths from the states of `start` to those of `goal`. */
function reachesGoal(
  automaton: Automaton,
  earlierCycle: ReadonlySet<number>,
  laterCycle: ReadonlySet<number>,
  start: readonly [number, number, number],
  goal: string,
  budget: { steps: number },
): boolean {
  const seen = new Set<string>([start.join()])
  const pending: (readonly [number, number, number])[] = [start]
  for (let triple = pending.pop(); triple !== undefined; triple = pending.pop())
    for (const next of commonSteps(automaton, triple, earlierCycle, laterCycle)) {
      if ((budget.steps -= 1) <= 0) return false
      const key = next.join()
      if (key === goal) return true
      if (!seen.has(key)) pending.push(next)
      seen.add(key)
    }
  return false
}

/** The next states of the three paths, for each combination that a common character can reach. */
function* commonSteps(
  automaton: Automaton,
  [a, b, c]: readonly [number, number, number],
  earlierCycle: ReadonlySet<number>,
  laterCycle: ReadonlySet<number>,
): Generator<readonly [number, number, number]> {
  const { follow, sets } = automaton
  for (const nextA of follow[a]?.keys() ?? []) {
    if (!earlierCycle.has(nextA)) continue
    for (const nextC of follow[c]?.keys() ?? []) {
      if (!laterCycle.has(nextC) || !shareCharacter(automaton, nextA, nextC)) continue
      for (const nextB of follow[b]?.keys() ?? [])
        if (haveCommonCharacter(sets[nextA] ?? [], sets[nextB] ?? [], sets[nextC] ?? [])) yield [nextA, nextB, nextC]
    }
  }
}

/** Whether the three sets have a common character. */
function haveCommonCharacter(a: readonly number[], b: readonly number[], c: readonly number[]): boolean {
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) {
      const from = Math.max(a[i] ?? 0, b[j] ?? 0)
      const to = Math.min(a[i + 1] ?? 0, b[j + 1] ?? 0)
      if (from <= to && intersects([from, to], c)) return true
    }
  return false
}

function repeatsIn(node: PatternNode): RepeatNode[] {
  const innerRepeats = childrenOf(node).flatMap(repeatsIn)
  return node.kind === 'repeat' ? [node, ...innerRepeats] : innerRepeats
}

/** The text of the outermost repetition around this index, or the rest of the pattern without one. */
function repeatTextAt({ text, unicode }: PatternSyntax, repeats: readonly RepeatNode[], index: number): string {
  const repeat = repeats.find((candidate) => candidate.index <= index && index < candidate.end)
  return displayText(repeat ? text.slice(repeat.index, repeat.end) : text.slice(index), unicode)
}

/** The text of the pattern from the outermost optional or repeated part around this index on. */
function restFrom({ text, unicode, root }: PatternSyntax, index: number): string {
  const repeat = repeatsIn(root).find((candidate) => candidate.index <= index && index < candidate.end)
  return displayText(text.slice(repeat?.index ?? index), unicode)
}

/** Decodes a part of the text of a byte pattern. */
function displayText(text: string, unicode: boolean): string {
  return unicode ? text : textOf(text)
}
