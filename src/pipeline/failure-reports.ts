import { LRUCache } from 'lru-cache'
import { isReachedLimit } from '../http/seconds-to-wait.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'

/** Minimum time between two lines about failures of one kind, in milliseconds. */
const interval = 60_000

/** Maximum number of kinds of failures that are remembered. A kind is the name and message of an error, and there are few. */
const maxKinds = 100

interface Reported {
  /** When the last line was written, in milliseconds of the clock. */
  readonly loggedAt: number
  /** Number of failures since then. */
  unlogged: number
}

/**
 * Logs failed requests. A limit that is reached (a full queue, too many streams) is logged once a minute for each reason:
 * a client that is refused thousands of times a second would otherwise fill the disk with lines.
 */
export class FailureReports {
  readonly #log: Log
  readonly #clock: () => number
  readonly #reported = new LRUCache<string, Reported>({ max: maxKinds })

  /** @param clock milliseconds of a monotonic clock. */
  constructor(log: Log, clock: () => number = () => performance.now()) {
    this.#log = log
    this.#clock = clock
  }

  /** @param fields of the line: the id, the method, and the path or route of the request. */
  report(code: 'request-failed' | 'inner-request-failed', err: unknown, fields: object): void {
    const unlogged = isReachedLimit(err) ? this.#unlogged(`${err.name}: ${err.message}`) : 0
    if (unlogged !== null) logError(this.#log, code, { err, ...fields, ...(unlogged > 0 && { unlogged }) })
  }

  /** The number of failures of a kind since its last line; null when it is too early for the next one. */
  #unlogged(kind: string): number | null {
    const last = this.#reported.get(kind)
    const now = this.#clock()
    if (last !== undefined && now - last.loggedAt < interval) {
      last.unlogged += 1
      return null
    }
    this.#reported.set(kind, { loggedAt: now, unlogged: 0 })
    return last?.unlogged ?? 0
  }
}
