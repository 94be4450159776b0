import { TemporaryContext } from '../base/temporary-context.js'

/** The tag of rows of an unknown kind, such as a missing record: any write may change the response. */
export const anyDependency = '*'

const tracked = new TemporaryContext<Set<string>>()

/** Runs `work`, and adds the tags of the rows that it reads to `tags`; see `Storage.versions`. */
export async function trackingDependencies<T>(tags: Set<string>, work: () => Promise<T>): Promise<T> {
  return tracked.run(tags, work)
}

/** Whether a computation is in progress whose dependencies are tracked. */
export const isTracking = (): boolean => tracked.get() !== undefined

/** Adds tags to the computation in progress. Does nothing where none is tracked. */
export function trackDependency(...tags: readonly string[]): void {
  const tracking = tracked.get()
  if (tracking !== undefined) for (const tag of tags) tracking.add(tag.toLowerCase())
}

/** As {@link trackDependency}, for tags in lower case. */
export function trackDependencies(tags: Iterable<string>): void {
  const tracking = tracked.get()
  if (tracking !== undefined) for (const tag of tags) tracking.add(tag)
}
