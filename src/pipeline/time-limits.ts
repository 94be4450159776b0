import { AsyncResource } from 'node:async_hooks'

/** Maximum period of the timer of all requests with the service-wide limit, in milliseconds. */
const maxPeriod = 1_000

/** Minimum number of periods in the service-wide limit: it expires up to one period late, an eighth of its time. */
const minPeriods = 8

/** A running limit of time. */
export interface TimeLimit {
  /** Ends the limit, because the work has ended in time. A second call has no effect. */
  end(): void
}

/** An entry of a circular list of limits, in the order in which they expire. */
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
 * look at the clock for each request would take a measurable part of a small one. Such a limit expires up to one period late, and later
 * while the event loop is held up.
 */
export class TimeLimits {
  readonly #serviceLimit: number
  readonly #period: number
  /** Number of ticks after which a limit expires: one more than its periods, because the first tick may come at once. */
  readonly #ticksOfServiceLimit: number
  /** The entry before the first limit and after the last one. A Set to which each request is added makes garbage whenever it grows. */
  readonly #ring = new RingLimit(Infinity, () => undefined)
  /** The timer serves all requests, so it does not run in the context of the one that starts it. */
  readonly #resource = new AsyncResource('TimeLimits')
  #ticks = 0
  #timer: NodeJS.Timeout | null = null

  /** @param serviceLimit milliseconds; 0 for no limit. */
  constructor(serviceLimit: number) {
    this.#serviceLimit = serviceLimit
    const periods = Math.max(minPeriods, Math.ceil(serviceLimit / maxPeriod))
    // Node cuts off fractions of a millisecond, which would end a limit early.
    this.#period = Math.ceil(serviceLimit / periods)
    this.#ticksOfServiceLimit = periods + 1
  }

  /**
   * @param declared the limit of a declaration in milliseconds; null for the service-wide one, 0 for none.
   * @param expire called when the time is over. Its argument is the limit in milliseconds.
   * @returns null without a limit.
   */
  begin(declared: number | null, expire: (milliseconds: number) => void): TimeLimit | null {
    const milliseconds = declared ?? this.#serviceLimit
    if (milliseconds === 0) return null
    return declared === null ? this.#beginServiceLimit(expire) : beginDeclared(milliseconds, expire)
  }

  #beginServiceLimit(expire: (milliseconds: number) => void): TimeLimit {
    const limit = new RingLimit(this.#ticks + this.#ticksOfServiceLimit, expire)
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
      limit.expire(this.#serviceLimit)
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
