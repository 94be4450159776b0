import { AsyncLocalStorage } from 'node:async_hooks'

/** The tag of rows of an unknown kind, such as a missing record: any write may change the response. */
export const anyDependency = '*'

const tracked = new AsyncLocalStorage<Set<string> | undefined>()
/** The number of computations whose dependencies are being tracked. */
let running = 0

/**
 * Runs `work`, and adds the tags of the rows that it reads to `tags`; see `Storage.versions`. The asynchronous context exists
 * only while a response is computed for the cache: on Node 20 a context slows every small request of the process, also
 * those outside it.
 */
export async function trackingDependencies<T>(tags: Set<string>, work: () => Promise<T>): Promise<T> {
  running += 1
  try {
    return await tracked.run(tags, work)
  } finally {
    running -= 1
    if (running === 0) tracked.disable()
  }
}

/** Adds tags to the computation in progress. Does nothing where none is tracked. */
export function trackDependency(...tags: readonly string[]): void {
  const tracking = tracked.getStore()
  if (tracking !== undefined) for (const tag of tags) tracking.add(tag.toLowerCase())
}

/** As {@link trackDependency}, for tags in lower case. */
export function trackDependencies(tags: Iterable<string>): void {
  const tracking = tracked.getStore()
  if (tracking !== undefined) for (const tag of tags) tracking.add(tag)
}
