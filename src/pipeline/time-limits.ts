/** Precision of the service-wide limit, in milliseconds: the period of the one timer that serves all requests. */
const interval = 1_000

/** Work with a limit of time: an entry of a ring in the order of the deadlines. */
interface LimitedWork {
  /** By the clock of `performance.now`. */
  readonly deadline: number
  readonly expire: () => void
  previous: LimitedWork
  next: LimitedWork
}

/** A ring without work. Its one entry is both ends of the list. */
function emptyRing(): LimitedWork {
  const ring = { deadline: Infinity, expire: () => undefined } as unknown as LimitedWork
  ring.previous = ring
  ring.next = ring
  return ring
}

/**
 * The limits of time of requests. Those with the service-wide limit share one timer, because a timer for each would show in
 * the time of a small request.
 */
export class TimeLimits {
  readonly #usual: number
  /** A list of its own: a Set to which each request is added makes garbage whenever it grows. */
  readonly #ring = emptyRing()
  #timer: NodeJS.Timeout | null = null

  /** @param usual milliseconds; 0 for no limit. */
  constructor(usual: number) {
    this.#usual = usual
  }

  /**
   * @param own the limit of a declaration in milliseconds; null for the usual one, 0 for none.
   * @param expired returns the result in place of the work, whose own result is dropped. Its argument is the limit in milliseconds.
   */
  limit<T>(work: Promise<T>, own: number | null, expired: (milliseconds: number) => T): Promise<T> {
    const milliseconds = own ?? this.#usual
    if (milliseconds === 0) return work
    return own === null ? this.#limitUsual(work, expired) : limitBy(milliseconds, work, expired)
  }

  #limitUsual<T>(work: Promise<T>, expired: (milliseconds: number) => T): Promise<T> {
    const milliseconds = this.#usual
    return new Promise<T>((resolve, reject) => {
      const { previous } = this.#ring
      const entry: LimitedWork = {
        deadline: performance.now() + milliseconds,
        expire: () => resolve(expired(milliseconds)),
        previous,
        next: this.#ring,
      }
      previous.next = entry
      this.#ring.previous = entry
      this.#timer ??= setInterval(this.#tick, Math.min(interval, milliseconds)).unref()
      work.then(
        (value) => {
          unlink(entry)
          return resolve(value)
        },
        (error: unknown) => {
          unlink(entry)
          return reject(error)
        },
      )
    })
  }

  readonly #tick = (): void => {
    const now = performance.now()
    for (let entry = this.#ring.next; entry !== this.#ring && entry.deadline <= now; entry = this.#ring.next) {
      unlink(entry)
      entry.expire()
    }
    if (this.#ring.next !== this.#ring || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

/** Limits work with a timer of its own. */
function limitBy<T>(milliseconds: number, work: Promise<T>, expired: (milliseconds: number) => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => resolve(expired(milliseconds)), milliseconds).unref()
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A second call has no effect. */
function unlink(entry: LimitedWork): void {
  entry.previous.next = entry.next
  entry.next.previous = entry.previous
  entry.previous = entry
  entry.next = entry
}
