import type { CountedRequest, RequestCounter, RequestCounters } from './request-counters.js'

/** Maximum number of counters that are remembered as full. */
const maxRefusals = 10_000

/** Until when a full counter refuses, and when it will be empty. */
interface FullCounter {
  readonly until: number
  readonly emptyAt: number
}

/**
 * Remembers which shared counters are full, so that a client that goes on sending after a refusal causes no further calls
 * of the shared store.
 */
export class RefusalCache implements RequestCounters {
  readonly #shared: RequestCounters
  readonly #clock: () => number
  readonly #full = new Map<string, FullCounter>()

  /** @param clock milliseconds of a monotonic clock. */
  constructor(shared: RequestCounters, clock: () => number) {
    this.#shared = shared
    this.#clock = clock
  }

  async count(counter: RequestCounter): Promise<CountedRequest> {
    const full = this.#full.get(counter.name)
    const now = this.#clock()
    if (full !== undefined && full.until > now) return { isAllowed: false, left: full.emptyAt - now }
    if (full !== undefined) this.#full.delete(counter.name)
    const counted = await this.#shared.count(counter)
    if (!counted.isAllowed) this.#remember(counter, counted.left)
    return counted
  }

  /** @param left milliseconds until the counter is empty. */
  #remember({ name, milliseconds, capacity }: RequestCounter, left: number): void {
    const now = this.#clock()
    const emptyAt = now + left
    this.#full.delete(name)
    this.#full.set(name, { until: emptyAt + milliseconds - capacity, emptyAt })
    for (const [oldest, { until }] of this.#full)
      if (this.#full.size > maxRefusals || until <= now) this.#full.delete(oldest)
      else break
  }
}
