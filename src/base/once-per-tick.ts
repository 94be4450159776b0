/** Taken when this module is loaded: tests replace the global with clocks that may never run a callback. */
const endOfTick = setImmediate

/**
 * Shares reads between callers. `read` runs once, at the end of the event-loop tick, for all callers of that tick. A caller
 * joins only a read that was not sent yet, so its result is newer than everything the caller has done or heard of.
 */
export function oncePerTick<T>(read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null
  return () =>
    (next ??= new Promise((resolve, reject) => {
      endOfTick(() => {
        next = null
        try {
          resolve(read())
        } catch (error) {
          reject(error)
        }
      })
    }))
}
