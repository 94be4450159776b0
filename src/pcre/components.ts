import type { Automaton } from './automaton.js'

/**
 * The sets of positions that lead to each other, in an order in which a match can reach them. Tarjan's algorithm without
 * recursion; components come out last first, and are turned round.
 */
export function stronglyConnected({ follow }: Automaton): ReadonlySet<number>[] {
  const order: number[] = follow.map(() => -1)
  const low: number[] = follow.map(() => 0)
  const open: number[] = []
  const isOpen = new Set<number>()
  const components: ReadonlySet<number>[] = []
  let counter = 0
  const calls: { state: number; next: Iterator<number> }[] = []
  const enter = (state: number): void => {
    order[state] = low[state] = counter++
    open.push(state)
    isOpen.add(state)
    calls.push({ state, next: (follow[state] ?? new Map<number, number>()).keys() })
  }
  enter(0)
  for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
    const { state, next } = call
    const { value, done } = next.next()
    if (!done) {
      if (order[value] === -1) enter(value)
      else if (isOpen.has(value)) low[state] = Math.min(low[state] ?? 0, order[value] ?? 0)
      continue
    }
    calls.pop()
    const caller = calls.at(-1)
    if (caller) low[caller.state] = Math.min(low[caller.state] ?? 0, low[state] ?? 0)
    if (low[state] !== order[state]) continue
    const component = new Set(open.splice(open.lastIndexOf(state)))
    for (const member of component) isOpen.delete(member)
    components.push(component)
  }
  return components.toReversed()
}

/** Whether a match can go round in a component. */
export function isCycle({ follow }: Automaton, component: ReadonlySet<number>): boolean {
  const [only] = component
  return component.size > 1 || (only !== undefined && follow[only]?.has(only) === true)
}
