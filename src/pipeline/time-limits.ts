import { AsyncResource } from 'node:async_hooks'

/** Longest period of the timer that serves all requests with the service-wide limit, in milliseconds. */
const maxPeriod = 1_000

/** Shorter limits have shorter periods, of a millisecond at least: they expire up to an eighth of their time late. */
const minPeriods = 8

/** A running limit of time. */
export interface TimeLimit {
  /** The work has ended in time. A second call has no effect. */
  end(): void
}

/** A limit of the ring: an entry between two others, in the order in which they expire. */
class RingLimit implements TimeLimit {
  previous: RingLimit = this
  next: RingLimit = this

  /** @param expiresAt the number of the tick at which it expires. */
  constructor(
    readonly expiresAt: number,
    readonly expire: (milliseconds: number) => void,
  ) {}

  end(): void {
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this
    this.next = this
  }
}

/**
 * The limits of time of requests. Those with the service-wide limit share one timer, and its ticks are counted: a timer or a
 * look at the clock for each request would show in the time of a small one. Such a limit expires up to one period late, and later
 * while the event loop is held up.
 */
export class TimeLimits {
  readonly #usual: number
  readonly #period: number
  /** Ticks from a beginning to its end. The first one may come at once. */
  readonly #ticksOfUsual: number
  /** Both ends of the list of limits. A Set to which each request is added makes garbage whenever it grows. */
  readonly #ring = new RingLimit(Infinity, () => undefined)
  /** The timer serves all requests, so it does not run in the context of the one that starts it. */
  readonly #resource = new AsyncResource('TimeLimits')
  #ticks = 0
  #timer: NodeJS.Timeout | null = null

  /** @param usual milliseconds; 0 for no limit. */
  constructor(usual: number) {
    this.#usual = usual
    const periods = Math.max(minPeriods, Math.ceil(usual / maxPeriod))
    // Node cuts off fractions of a millisecond, which would end a limit early.
    this.#period = Math.ceil(usual / periods)
    this.#ticksOfUsual = periods + 1
  }

  /**
   * @param declared the limit of a declaration in milliseconds; null for the usual one, 0 for none.
   * @param expire called when the time is over. Its argument is the limit in milliseconds.
   * @returns null without a limit.
   */
  begin(declared: number | null, expire: (milliseconds: number) => void): TimeLimit | null {
    const milliseconds = declared ?? this.#usual
    if (milliseconds === 0) return null
    return declared === null ? this.#beginUsual(expire) : beginDeclared(milliseconds, expire)
  }

  #beginUsual(expire: (milliseconds: number) => void): TimeLimit {
    const limit = new RingLimit(this.#ticks + this.#ticksOfUsual, expire)
    const last = this.#ring.previous
    limit.previous = last
    limit.next = this.#ring
    last.next = limit
    this.#ring.previous = limit
    this.#timer ??= this.#resource.runInAsyncScope(() => setInterval(this.#tick, this.#period).unref())
    return limit
  }

  readonly #tick = (): void => {
    this.#ticks += 1
    for (let limit = this.#ring.next; limit.expiresAt <= this.#ticks; limit = this.#ring.next) {
      limit.end()
      limit.expire(this.#usual)
    }
    if (this.#ring.next !== this.#ring || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

/** A limit with a timer of its own. */
function beginDeclared(milliseconds: number, expire: (milliseconds: number) => void): TimeLimit {
  const timer = setTimeout(() => expire(milliseconds), milliseconds).unref()
  return { end: () => clearTimeout(timer) }
}
