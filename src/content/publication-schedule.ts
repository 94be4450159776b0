import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import { ReadsInFlight } from '../database/reads-in-flight.js'
import type { ChangeToken, Storage } from '../database/storage.js'
import { anonymous } from '../http/caller.js'
import { dateText, millisecondsOf } from './dates.js'
import { publishDue } from './publish-scheduled.js'
import type { RecordTypes } from './record-types.js'
import type { Site } from './site.js'
import type { WriteContext } from './write-context.js'

export interface ScheduleDependencies {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Milliseconds between two looks at the clock and at the change token. Timers follow another clock than dates do: after the
 * clock of the machine was set, a longer timer would end at a wrong time.
 */
const maxInterval = 1000
/** A timer may end before its time by the clock, and must not be set for zero milliseconds again and again. */
const minInterval = 5
/** Milliseconds until the first attempt after a failure. Each further one takes twice as long, up to the maximum. */
const firstDelay = 1000
const maxDelay = 30_000

/**
 * Publishes scheduled records when they are due. Several processes may do so on one database: each record is published by
 * one of them, by an update that requires the status `future`.
 */
export class PublicationSchedule {
  readonly #dependencies: ScheduleDependencies
  #timer: NodeJS.Timeout | null = null
  #isStopped = false
  /** Failures in a row. */
  #failures = 0
  /** The change token from before `#earliest` was read; null when it has to be read again. */
  #token: ChangeToken | null = null
  /** The UTC date of the next record; null without one. */
  #earliest: string | null = null
  readonly #reads = new ReadsInFlight<string | null>()

  constructor(dependencies: ScheduleDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Publishes what is due, and does so from now on until `stop`. To be called once.
   * @param onFailure called after each attempt that has failed. `delay`: milliseconds until the next one.
   */
  async start(onFailure: (error: unknown, delay: number) => void): Promise<void> {
    const delay = await this.#next(onFailure)
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.start(onFailure), delay)
    // The schedule does not keep a process running.
    this.#timer.unref()
  }

  /** A publication in progress goes on, until the database is closed. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** Seconds until the next record is due, a fraction included; not below 0. Infinite without one. */
  secondsUntilNext(): MaybePromise<number> {
    const { clock } = this.#dependencies
    return mapMaybePromise(this.#readEarliest(), (date) => (date === null ? Infinity : secondsUntil(date, clock())))
  }

  /** Publishes what is due. @returns the milliseconds until the next call. */
  async #next(onFailure: (error: unknown, delay: number) => void): Promise<number> {
    const { clock } = this.#dependencies
    try {
      const earliest = await this.#readEarliest()
      if (earliest !== null && earliest <= dateText(clock())) await this.#publish()
      const seconds = await this.secondsUntilNext()
      this.#failures = 0
      return Math.max(minInterval, Math.min(maxInterval, Math.ceil(1000 * seconds)))
    } catch (error) {
      const delay = Math.min(maxDelay, firstDelay * 2 ** this.#failures)
      this.#failures += 1
      if (!this.#isStopped) onFailure(error, delay)
      return delay
    }
  }

  async #publish(): Promise<void> {
    const { storage, types, site, clock } = this.#dependencies
    const contextIn = (own: Storage): WriteContext => ({
      storage: own,
      types,
      site,
      caller: anonymous,
      clock: { now: clock(), zone: site.timeZone },
    })
    await publishDue(storage, contextIn, () => this.#isStopped)
  }

  /** Read again only when the change token differs. */
  #readEarliest(): MaybePromise<string | null> {
    const { storage } = this.#dependencies
    const began = this.#reads.now()
    return mapMaybePromise(storage.changeToken(), (token) =>
      token === this.#token
        ? this.#earliest
        : this.#reads.share('', token, began, async () => {
            const earliest = await storage.posts.scheduled.earliest()
            this.#token = token
            this.#earliest = earliest
            return earliest
          }),
    )
  }
}

/** A date of another program may be no date: it is compared as text, see `ScheduledRows`, and looked at in each interval. */
function secondsUntil(date: string, now: number): number {
  const milliseconds = millisecondsOf(date) - now
  return Number.isNaN(milliseconds) ? maxInterval / 1000 : Math.max(0, milliseconds / 1000)
}
