import { AsyncLocalStorage } from 'node:async_hooks'

/** Stands for rows of a kind that is not known, such as a record that does not exist: any write may change the answer. */
export const anyDependency = '*'

const tracked = new AsyncLocalStorage<Set<string> | undefined>()
/** How much work is being noted. */
let running = 0

/**
 * Runs `work`, and adds to `tags` what it asks the database for; see `Storage.versions` for the tags. Entered only where
 * an answer is made to be kept, and left altogether when none is being made: on Node 20 an asynchronous context takes its
 * share of every small request, of those as well that know nothing of it, for as long as any context is in use.
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

/** The work in progress, if anybody wants to know, depends on these. */
export function trackDependency(...tags: readonly string[]): void {
  const noted = tracked.getStore()
  if (noted !== undefined) for (const tag of tags) noted.add(tag.toLowerCase())
}

/** As `note`, for many. */
export function trackDependencies(tags: Iterable<string>): void {
  const noted = tracked.getStore()
  if (noted !== undefined) for (const tag of tags) noted.add(tag)
}
