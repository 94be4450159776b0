import type { Automaton } from './automaton.js'

/**
 * The strongly connected components of an automaton in topological order. Tarjan's algorithm with an explicit stack in
 * place of recursion; it finds the components in reverse order.
 */
export function stronglyConnectedComponents({ follow }: Automaton): ReadonlySet<number>[] {
  /** When each position was visited; -1 before that. */
  const order: number[] = follow.map(() => -1)
  /** The lowest `order` on the stack that each position reaches. */
  const low: number[] = follow.map(() => 0)
  const stack: number[] = []
  const onStack = new Set<number>()
  const components: ReadonlySet<number>[] = []
  let counter = 0
  const calls: { state: number; successors: Iterator<number> }[] = []
  const enter = (state: number): void => {
    order[state] = low[state] = counter++
    stack.push(state)
    onStack.add(state)
    calls.push({ state, successors: (follow[state] ?? new Map<number, number>()).keys() })
  }
  enter(0)
  for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
    const { state, successors } = call
    const { value, done } = successors.next()
    if (!done) {
      if (order[value] === -1) enter(value)
      else if (onStack.has(value)) low[state] = Math.min(low[state] ?? 0, order[value] ?? 0)
      continue
    }
    calls.pop()
    const caller = calls.at(-1)
    if (caller) low[caller.state] = Math.min(low[caller.state] ?? 0, low[state] ?? 0)
    if (low[state] !== order[state]) continue
    const component = new Set(stack.splice(stack.lastIndexOf(state)))
    for (const member of component) onStack.delete(member)
    components.push(component)
  }
  return components.toReversed()
}

/** Whether a match can visit a position of the component more than once. */
export function isCycle({ follow }: Automaton, component: ReadonlySet<number>): boolean {
  const [single] = component
  return component.size > 1 || (single !== undefined && follow[single]?.has(single) === true)
}
