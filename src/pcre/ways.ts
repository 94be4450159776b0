import { capWays, type Automaton, type Ways } from './automaton.js'
import { intersects } from './character-set.js'
import { isCycle } from './components.js'

/** The maximum number of comparisons of two positions. */
const maxComparisons = 1_000_000

/**
 * An upper bound for the number of ways in which one text can lead to the same position, apart from the iterations of
 * cycles. `a?a?a?` matches the text `a` in three ways; the number grows exponentially with the number of such items.
 * @param components in topological order, from `stronglyConnectedComponents`.
 * @returns the maximum, and the first position that a text can reach in several ways; null when there are too many positions
 * to compare.
 */
export function maxWays(
  automaton: Automaton,
  components: readonly ReadonlySet<number>[],
): { readonly ways: number; readonly position: number } | null {
  const pairs = coincidingPairs(automaton)
  if (pairs === null) return null
  // The case of nearly every pattern.
  if (pairs.size === 0 && isUnambiguous(automaton)) return { ways: 1, position: 0 }
  const canCoincide = (a: number, b: number): boolean => a === b || pairs.has(keyOf(a, b, automaton.sets.length))
  const ways: number[] = automaton.sets.map(() => 1)
  const entries = entriesOf(automaton, components)
  let max = { ways: 1, position: 0 }
  let firstAmbiguous: number | null = null
  for (const [index, component] of components.entries()) {
    const componentEntries = entries[index] ?? []
    const positions = [...component]
    // A path that entered the cycle earlier can meet one that enters it later.
    const canCoincideInside =
      isCycle(automaton, component) &&
      componentEntries.some(({ from }) => positions.some((position) => canCoincide(from, position)))
    const totalOf = (edges: readonly Entry[]): number =>
      edges.reduce((total, { from, ways: edgeWays }) => total + (ways[from] ?? 1) * edgeWays, 0)
    const coincidingEntries = (a: Entry): Entry[] =>
      componentEntries.filter((b) => canCoincide(a.from, b.from) && shareCharacter(automaton, a.to, b.to))
    const entryWays = canCoincideInside
      ? 2 * totalOf(componentEntries)
      : Math.max(1, ...componentEntries.map((entry) => totalOf(coincidingEntries(entry))))
    const componentWays = capWays(entryWays)
    for (const position of component) {
      ways[position] = componentWays
      const finalWays = componentWays * Math.max(1, automaton.final.get(position) ?? 1)
      if (finalWays > 1) firstAmbiguous ??= position
      if (finalWays > max.ways) max = { ways: finalWays, position: firstAmbiguous ?? position }
    }
  }
  return max
}

/** An edge into a component. */
interface Entry {
  readonly from: number
  readonly to: number
  readonly ways: Ways
}

/** For each component the edges that lead into it from other components. */
function entriesOf({ follow }: Automaton, components: readonly ReadonlySet<number>[]): Entry[][] {
  const componentOf: number[] = []
  for (const [index, component] of components.entries()) for (const position of component) componentOf[position] = index
  const entries: Entry[][] = components.map(() => [])
  for (const [from, edges] of follow.entries())
    for (const [to, ways] of edges)
      if (componentOf[from] !== componentOf[to]) entries[componentOf[to] ?? 0]?.push({ from, to, ways })
  return entries
}

/**
 * The keys ({@link keyOf}) of the pairs of positions to which one text can lead in matches that begin at the same point of
 * it. Null after {@link maxComparisons}.
 */
function coincidingPairs(automaton: Automaton): ReadonlySet<number> | null {
  const { follow, sets, prefixPosition } = automaton
  const seen = new Set<number>()
  const pending: [number, number][] = []
  for (const [position, next] of follow.entries()) if (next.size > 1) pending.push([position, position])
  let comparisons = 0
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair
    for (const nextA of follow[a]?.keys() ?? [])
      for (const nextB of follow[b]?.keys() ?? []) {
        if (nextA === nextB || (a === b && nextA > nextB) || nextA === prefixPosition || nextB === prefixPosition)
          continue
        if ((comparisons += 1) > maxComparisons) return null
        const key = keyOf(nextA, nextB, sets.length)
        if (seen.has(key) || !shareCharacter(automaton, nextA, nextB)) continue
        seen.add(key)
        pending.push([nextA, nextB])
      }
  }
  return seen
}

function keyOf(a: number, b: number, positions: number): number {
  return Math.min(a, b) * positions + Math.max(a, b)
}

function isUnambiguous({ follow, final }: Automaton): boolean {
  return [...follow, final].every((edges) => [...edges.values()].every((ways) => ways === 1))
}

/** Whether two positions can match the same character. */
export function shareCharacter({ sets }: Automaton, a: number, b: number): boolean {
  return intersects(sets[a] ?? [], sets[b] ?? [])
}
