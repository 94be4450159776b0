import { once } from 'node:events'

/**
 * Waits for work until the signal aborts, without ending the work.
 * @throws the reason of the signal.
 */
export async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work
  if (signal.aborted) {
    // The caller does not await `work` now. Without a handler, its rejection would be reported as unhandled.
    work.catch(() => undefined)
    throw signal.reason as Error
  }
  const done = new AbortController()
  const aborted = once(signal, 'abort', { signal: done.signal }).then(
    () => Promise.reject<T>(signal.reason as Error),
    () => work,
  )
  try {
    return await Promise.race([work, aborted])
  } finally {
    done.abort()
  }
}
