import { AsyncLocalStorage } from 'node:async_hooks'

/** Stands for rows of a kind that is not known, such as a record that does not exist: any write may change the answer. */
export const anything = '*'

const notes = new AsyncLocalStorage<Set<string> | undefined>()

/**
 * Runs `work`, and adds to `tags` what it asks the database for; see `Storage.versions` for the tags. Entered only where
 * an answer is made to be kept, because an asynchronous context takes its share of a small request on Node 20.
 */
export function noting<T>(tags: Set<string>, work: () => T): T {
  return notes.run(tags, work)
}

/** The work in progress, if anybody wants to know, depends on these. */
export function note(...tags: readonly string[]): void {
  const noted = notes.getStore()
  if (noted !== undefined) for (const tag of tags) noted.add(tag.toLowerCase())
}

/** As `note`, for many. */
export function noteAll(tags: Iterable<string>): void {
  const noted = notes.getStore()
  if (noted !== undefined) for (const tag of tags) noted.add(tag)
}
