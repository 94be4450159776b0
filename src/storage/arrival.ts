import type { Eventually } from './eventually.js'

/** Of the request that is being begun; see `IncomingRequest`. */
let present: symbol | undefined
/** When it was begun, by `performance.now`. */
let begun = 0

/** Runs the beginning of a request: what it asks before it waits for anything needs to be no newer than its arrival. */
export function begin<T>(arrival: symbol | undefined, work: () => T): T {
  if (arrival === undefined) return work()
  const [outer, outerBegun] = [present, begun]
  present = arrival
  begun = performance.now()
  try {
    return work()
  } finally {
    present = outer
    begun = outerBegun
  }
}

/**
 * Milliseconds. A handler that stops the whole process until another one has written (`execFileSync`) takes longer, and
 * must then read what was written. Other requests that arrived with it need not: they were sent before.
 */
const longestBeginning = 1

/**
 * One stamp for all requests that arrived together, and a new one for whatever else asks: `ask` takes as long as a third
 * of a small request.
 * @param ask see `Storage.stamp`.
 */
export function sharedStamp(ask: () => Eventually<number>): () => Eventually<number> {
  let arrival: symbol | undefined
  let stamp: Eventually<number> = 0
  return () => {
    if (present === undefined || performance.now() - begun >= longestBeginning) return ask()
    if (present !== arrival) {
      stamp = ask()
      arrival = present
    }
    return stamp
  }
}
