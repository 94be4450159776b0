import type { MaybePromise } from '../base/maybe-promise.js'

/** Of the request that is being begun, before any code of the application runs for it; see `IncomingRequest`. */
let present: symbol | undefined

/** As it was when this was loaded: tests put clocks of their own in its place, which may never strike. */
const afterThisTurn = setImmediate

/** Runs the beginning of a request: what it asks before it waits for anything needs to be no newer than its arrival. */
export function begin<T>(arrival: symbol | undefined, work: () => T): T {
  const outer = present
  present = arrival
  try {
    return work()
  } finally {
    present = outer
  }
}

/** Runs code of the application: it may write by a connection of its own, and must then read what it has written. */
export function apart<T>(work: () => T): T {
  return present === undefined ? work() : begin(undefined, work)
}

/**
 * For what a request asks before code of the application runs: one stamp for all that arrived together, and a new one for
 * whatever else asks.
 * @param ask see `Storage.stamp`. In the middle of other work it takes as long as most of a small request.
 */
export function sharedStamp(ask: () => MaybePromise<number>): () => MaybePromise<number> {
  let arrival: symbol | undefined
  let stamp: MaybePromise<number> = 0
  return () => {
    if (present === undefined) return ask()
    if (present !== arrival) {
      stamp = ask()
      arrival = present
    }
    return stamp
  }
}

/**
 * For what code of the application asks: one stamp for all who want one before the event loop has read its sockets, asked
 * when the last of them has. So it is newer than all that any of them can have done or heard of.
 * @param ask see `Storage.stamp`.
 */
export function groupedStamp(ask: () => MaybePromise<number>): () => Promise<number> {
  let next: Promise<number> | null = null
  return () =>
    (next ??= new Promise((resolve, reject) => {
      afterThisTurn(() => {
        next = null
        try {
          resolve(ask())
        } catch (error) {
          reject(error)
        }
      })
    }))
}
