import type { CountedRequest, RequestCounter } from './request-counters.js'
import type {
  AttemptEnd,
  BegunAttempt,
  CountedAttempt,
  SharedCounter,
  SharedCounters,
  Waits,
} from './shared-counters.js'

/** Milliseconds that a reply may take. A login waits so long at most once, when the counters stop replying. */
const replyTimeout = 1000

/** Milliseconds between two attempts to reach counters that were lost. */
const retryInterval = 1000

/** Called when counters can no longer be reached, and when they can again. */
export interface LossEvents {
  /** Called once when they do not reply. @param error why. */
  readonly onLost: (error: unknown) => void
  readonly onReturned: () => void
}

/** Rejects when the reply takes longer than a second. */
export function inTime<T>(reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Command timed out')), replyTimeout)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Counters with a replacement, which counts while they do not reply. An attempt ends in the counters that began it. The
 * preferred counters may begin it too late, after the replacement has. It then ends in both in the same way, so that a
 * right password does not stay counted as a failure.
 */
export class ReplacedCounters implements SharedCounters {
  readonly #preferred: SharedCounters
  readonly #replacement: SharedCounters
  readonly #ping: () => Promise<unknown>
  readonly #events: LossEvents
  /** The ends of attempts that the preferred counters have begun too late. */
  readonly #lateEnds = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  /** @param ping rejects while the preferred counters do not reply, or cannot count. */
  constructor(
    preferred: SharedCounters,
    replacement: SharedCounters,
    ping: () => Promise<unknown>,
    events: LossEvents,
  ) {
    this.#preferred = preferred
    this.#replacement = replacement
    this.#ping = ping
    this.#events = events
  }

  begin(attempt: CountedAttempt): Promise<BegunAttempt> {
    return this.#use(
      (counters) => counters.begin(attempt),
      (late) => this.#beginInstead(attempt, late),
    )
  }

  fail(attempt: CountedAttempt): Promise<Waits> {
    return this.#use((counters) => counters.fail(attempt))
  }

  empty(counter: SharedCounter): Promise<void> {
    return this.#use((counters) => counters.empty(counter))
  }

  count(counter: RequestCounter): Promise<CountedRequest> {
    return this.#use((counters) => counters.count(counter))
  }

  /** To be called when the preferred counters do not reply. The replacement counts until they reply to a ping again. */
  lose(error: unknown): void {
    if (this.#timer !== null || this.#isClosed) return
    this.#events.onLost(error)
    this.#retryLater()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
  }

  /** @param instead gets the reply of the preferred counters, which may still come; null when they were not called. */
  async #use<T>(
    work: (counters: SharedCounters) => Promise<T>,
    instead: (late: Promise<T> | null) => Promise<T> = () => work(this.#replacement),
  ): Promise<T> {
    if (this.#timer !== null || this.#isClosed) return instead(null)
    const reply = work(this.#preferred)
    try {
      return await inTime(reply)
    } catch (error) {
      this.lose(error)
      return instead(reply)
    }
  }

  async #beginInstead(attempt: CountedAttempt, late: Promise<BegunAttempt> | null): Promise<BegunAttempt> {
    const endLate = (outcome: keyof AttemptEnd): void => {
      if (late === null) return
      const end = late
        .then((begun) => begun.end?.[outcome]())
        .catch(() => undefined)
        .finally(() => this.#lateEnds.delete(end))
      this.#lateEnds.add(end)
    }
    const begun = await this.#replacement.begin(attempt).catch((error: unknown) => {
      endLate('abandoned')
      throw error
    })
    const { end } = begun
    if (end === null) {
      endLate('abandoned')
      return begun
    }
    const both = (outcome: keyof AttemptEnd) => (): Promise<void> => {
      endLate(outcome)
      return end[outcome]()
    }
    return { ...begun, end: { succeeded: both('succeeded'), failed: both('failed'), abandoned: both('abandoned') } }
  }

  #retryLater(): void {
    this.#timer = setTimeout(() => void this.#retry(), retryInterval)
    this.#timer.unref()
  }

  async #retry(): Promise<void> {
    const isBack = await inTime(this.#ping()).then(
      () => true,
      () => false,
    )
    // Until its end has come, a late attempt counts as a failure.
    if (isBack) await inTime(Promise.all(this.#lateEnds)).catch(() => undefined)
    if (this.#isClosed) return
    if (!isBack) return this.#retryLater()
    this.#timer = null
    this.#events.onReturned()
  }
}
