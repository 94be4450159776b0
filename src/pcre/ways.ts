import { bounded, type Automaton, type Ways } from './automaton.js'
import { intersects } from './character-set.js'
import { isCycle } from './components.js'

/** How many pairs of positions are compared at most. */
const maxComparisons = 1_000_000

/**
 * An upper bound for the number of ways in which one text can lead to a place of the pattern, the rounds of cycles apart:
 * `a?a?a?` takes the text `a` in three ways, and a row of such items in exponentially many.
 * @param components as {@link stronglyConnected} gives them.
 * @returns the most ways and the position from which on the text is taken in several; null when there are too many
 * positions to compare.
 */
export function mostWays(
  automaton: Automaton,
  components: readonly ReadonlySet<number>[],
): { readonly ways: number; readonly position: number } | null {
  const pairs = pairsTogether(automaton)
  if (pairs === null) return null
  // As of nearly every pattern.
  if (pairs.size === 0 && leadsInOneWay(automaton)) return { ways: 1, position: 0 }
  const together = (a: number, b: number): boolean => a === b || pairs.has(keyOf(a, b, automaton.sets.length))
  const ways: number[] = automaton.sets.map(() => 1)
  const entries = entriesOf(automaton, components)
  let most = { ways: 1, position: 0 }
  let crowded: number | null = null
  for (const [index, component] of components.entries()) {
    const into = entries[index] ?? []
    const inside = [...component]
    // Who went in early can meet in there who goes in later.
    const isOpen =
      isCycle(automaton, component) && into.some(({ from }) => inside.some((position) => together(from, position)))
    const sumOf = (met: readonly Entry[]): number =>
      met.reduce((total, { from, ways: edge }) => total + (ways[from] ?? 1) * edge, 0)
    const meeting = (a: Entry): Entry[] => into.filter((b) => together(a.from, b.from) && meet(automaton, a.to, b.to))
    const entering = isOpen ? 2 * sumOf(into) : Math.max(1, ...into.map((entry) => sumOf(meeting(entry))))
    const here = bounded(entering)
    for (const position of component) {
      ways[position] = here
      const atEnd = here * Math.max(1, automaton.final.get(position) ?? 1)
      if (atEnd > 1) crowded ??= position
      if (atEnd > most.ways) most = { ways: atEnd, position: crowded ?? position }
    }
  }
  return most
}

interface Entry {
  readonly from: number
  readonly to: number
  readonly ways: Ways
}

/** The edges that lead into each component from another. */
function entriesOf({ follow }: Automaton, components: readonly ReadonlySet<number>[]): Entry[][] {
  const owner: number[] = []
  for (const [index, component] of components.entries()) for (const position of component) owner[position] = index
  const entries: Entry[][] = components.map(() => [])
  for (const [from, edges] of follow.entries())
    for (const [to, ways] of edges) if (owner[from] !== owner[to]) entries[owner[to] ?? 0]?.push({ from, to, ways })
  return entries
}

/** The pairs of positions, as {@link keyOf} names them, to which one text can lead in matches that begin at one place. */
function pairsTogether(automaton: Automaton): ReadonlySet<number> | null {
  const { follow, sets, searching } = automaton
  const seen = new Set<number>()
  const waiting: [number, number][] = []
  for (const [position, next] of follow.entries()) if (next.size > 1) waiting.push([position, position])
  let comparisons = 0
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [a, b] = pair
    for (const nextA of follow[a]?.keys() ?? [])
      for (const nextB of follow[b]?.keys() ?? []) {
        if (nextA === nextB || (a === b && nextA > nextB) || nextA === searching || nextB === searching) continue
        if ((comparisons += 1) > maxComparisons) return null
        const key = keyOf(nextA, nextB, sets.length)
        if (seen.has(key) || !meet(automaton, nextA, nextB)) continue
        seen.add(key)
        waiting.push([nextA, nextB])
      }
  }
  return seen
}

function keyOf(a: number, b: number, positions: number): number {
  return Math.min(a, b) * positions + Math.max(a, b)
}

function leadsInOneWay({ follow, final }: Automaton): boolean {
  return [...follow, final].every((edges) => [...edges.values()].every((ways) => ways === 1))
}

/** Whether two positions can take the same character. */
export function meet({ sets }: Automaton, a: number, b: number): boolean {
  return intersects(sets[a] ?? [], sets[b] ?? [])
}
