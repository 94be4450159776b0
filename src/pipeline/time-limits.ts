/** How exact the service-wide limit is, in milliseconds. One timer serves all requests. */
const interval = 1_000

/** Work with a limit of time. */
interface LimitedWork {
  /** By the clock of `performance.now`. */
  readonly deadline: number
  readonly expire: () => void
}

/**
 * The limits of time of requests. Those with the service-wide limit share one timer, because a timer for each would show in
 * the time of a small request.
 */
export class TimeLimits {
  readonly #usual: number
  /** In the order of their deadlines. */
  readonly #waiting = new Set<LimitedWork>()
  #timer: NodeJS.Timeout | null = null

  /** @param usual milliseconds; 0 for no limit. */
  constructor(usual: number) {
    this.#usual = usual
  }

  /**
   * @param own the limit of a declaration in milliseconds; null for the usual one, 0 for none.
   * @param expired returns the result in place of the work, whose own result is dropped. Given the milliseconds.
   */
  limit<T>(work: Promise<T>, own: number | null, expired: (milliseconds: number) => T): Promise<T> {
    const milliseconds = own ?? this.#usual
    if (milliseconds === 0) return work
    return new Promise<T>((resolve, reject) => {
      const end = this.#watch(milliseconds, own !== null, () => resolve(expired(milliseconds)))
      const settled =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
          end()
          settle(value)
        }
      work.then(settled(resolve), settled(reject))
    })
  }

  /** @returns ends the watching. */
  #watch(milliseconds: number, isOwn: boolean, expire: () => void): () => void {
    if (isOwn) {
      const timer = setTimeout(expire, milliseconds).unref()
      return () => clearTimeout(timer)
    }
    const entry: LimitedWork = { deadline: performance.now() + milliseconds, expire }
    this.#waiting.add(entry)
    this.#timer ??= setInterval(this.#tick, Math.min(interval, milliseconds)).unref()
    return () => void this.#waiting.delete(entry)
  }

  readonly #tick = (): void => {
    const now = performance.now()
    for (const entry of this.#waiting) {
      if (entry.deadline > now) return
      this.#waiting.delete(entry)
      entry.expire()
    }
    if (this.#waiting.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
