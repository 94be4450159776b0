import type { Eventually } from './eventually.js'

/** Of the request that is being begun; see `IncomingRequest`. */
let present: symbol | undefined

/** Runs the beginning of a request: what it asks before it waits for anything needs to be no newer than its arrival. */
export function begin<T>(arrival: symbol | undefined, work: () => T): T {
  if (arrival === undefined) return work()
  const outer = present
  present = arrival
  try {
    return work()
  } finally {
    present = outer
  }
}

/** Milliseconds. Code that stops the whole process until another one has written (`execFileSync`) takes longer. */
const longest = 1

/**
 * One stamp for all requests that arrived together, and a new one for whatever else asks: `ask` takes as long as a third
 * of a small request.
 * @param ask see `Storage.stamp`.
 */
export function sharedStamp(ask: () => Eventually<number>): () => Eventually<number> {
  let arrival: symbol | undefined
  let asked = 0
  let stamp: Eventually<number> = 0
  return () => {
    if (present === undefined) return ask()
    const now = performance.now()
    if (present !== arrival || now - asked >= longest) {
      stamp = ask()
      asked = now
      arrival = present
    }
    return stamp
  }
}
