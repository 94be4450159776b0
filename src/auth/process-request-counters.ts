import { ExpiryQueue, type Expiring } from './expiry-queue.js'
import type { CountedRequest, RequestCounter, RequestCounters } from './request-counters.js'

/** Maximum number of counters that are not empty. A further one replaces the counter that would be empty first. */
const maxCounters = 50_000

interface Bucket extends Expiring {
  readonly name: string
}

/** Counts requests in the memory of one process. */
export class ProcessRequestCounters implements RequestCounters {
  readonly #clock: () => number
  readonly #max: number
  readonly #buckets = new Map<string, Bucket>()
  readonly #filled = new ExpiryQueue<Bucket>()

  /** @param clock milliseconds of a monotonic clock. */
  constructor(clock: () => number, max = maxCounters) {
    this.#clock = clock
    this.#max = max
  }

  /** The number of counters that are remembered. */
  get size(): number {
    return this.#buckets.size
  }

  async count({ name, milliseconds, capacity }: RequestCounter): Promise<CountedRequest> {
    const now = Math.floor(this.#clock())
    const existing = this.#buckets.get(name)
    const left = Math.max(0, (existing?.expiresAt ?? now) - now)
    if (left + milliseconds > capacity) return { isAllowed: false, left }
    const bucket = existing ?? { name, expiresAt: now, position: -1 }
    bucket.expiresAt = now + left + milliseconds
    this.#buckets.set(name, bucket)
    this.#filled.put(bucket)
    for (let first = this.#filled.first(); first && first.expiresAt <= now; first = this.#filled.first())
      this.#forget(first)
    const first = this.#filled.size > this.#max ? this.#filled.first() : undefined
    if (first !== undefined) this.#forget(first)
    return { isAllowed: true, left: left + milliseconds }
  }

  #forget(bucket: Bucket): void {
    this.#filled.remove(bucket)
    this.#buckets.delete(bucket.name)
  }
}
