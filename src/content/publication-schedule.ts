import { textOf } from '../base/thrown-text.js'
import { ReadsInFlight } from '../database/reads-in-flight.js'
import type { ScheduledPost } from '../database/scheduled-rows.js'
import type { ChangeToken, Storage } from '../database/storage.js'
import { anonymous } from '../http/caller.js'
import { dateText, millisecondsOf } from './dates.js'
import type { CommitHooks } from './commit-hooks.js'
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
  /** Default: nothing is called after a publication. */
  readonly hooks?: CommitHooks | null
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

/** Milliseconds after which an error that goes on is reported again. */
const reportInterval = 3_600_000

/** Later than every date that a record can be due at. */
const endOfTime = '9999-12-31 23:59:59'

/** An attempt to publish due records that has failed. */
interface FailedPublication {
  /** Every record that is due by this UTC date waits for the next attempt, unless it is published already. */
  readonly until: string
  /** In a row. */
  readonly attempts: number
  /** The error that was reported last, and when, by the clock of `performance.now`. */
  readonly reported: { readonly text: string; readonly at: number }
  /** When the next attempt begins, by the clock of `performance.now`. */
  readonly retryAt: number
}

/** @param delay milliseconds until the next attempt. */
type OnFailure = (error: unknown, delay: number) => void

/**
 * Publishes scheduled records when they are due. Several processes may do so on one database: each record is published by
 * one of them, by an update that requires the status `future`.
 *
 * A record that cannot be published is tried again after longer and longer waits. Meanwhile it does not count as the next
 * one that is due, so that responses are cached as if it were not scheduled, and later records are published in time.
 */
export class PublicationSchedule {
  readonly #dependencies: ScheduleDependencies
  #timer: NodeJS.Timeout | null = null
  #isStopped = false
  #failed: FailedPublication | null = null
  /** The change token from before `#next` was read; null when it has to be read again. */
  #token: ChangeToken | null = null
  /** The UTC date of the next record; null without one. */
  #next: string | null = null
  readonly #reads = new ReadsInFlight<string | null>()

  constructor(dependencies: ScheduleDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Publishes what is due, and does so from now on until `stop`. To be called once.
   * @param onFailure called after a failed attempt. The same error in a row is reported once an hour.
   */
  async start(onFailure: OnFailure): Promise<void> {
    const delay = await this.#publishDue(onFailure)
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
  async secondsUntilNext(): Promise<number> {
    const date = await this.#readNext()
    return date === null ? Infinity : secondsUntil(date, this.#dependencies.clock())
  }

  /** Publishes what is due. @returns the milliseconds until the next call. */
  async #publishDue(onFailure: OnFailure): Promise<number> {
    const now = dateText(this.#dependencies.clock())
    // The clock may have been set back.
    if (this.#failed !== null && this.#failed.until > now) this.#setFailed({ ...this.#failed, until: now })
    let next: string | null
    try {
      next = await this.#readNext()
    } catch (error) {
      return this.#fail(error, now, onFailure)
    }
    const failed = this.#failed
    const isRetry = failed !== null && performance.now() >= failed.retryAt
    if (isRetry || (next !== null && next <= now)) {
      try {
        await this.#publish(now, isRetry ? null : failed)
        if (isRetry) this.#setFailed(null)
      } catch (error) {
        this.#fail(error, now, onFailure)
      }
    }
    return this.#millisecondsUntilNext()
  }

  /** @returns the milliseconds until the next attempt. */
  #fail(error: unknown, until: string, onFailure: OnFailure): number {
    const { attempts = 0, reported = null } = this.#failed ?? {}
    const delay = Math.min(maxDelay, firstDelay * 2 ** attempts)
    const [text, now] = [textOf(error), performance.now()]
    const isReported = reported?.text === text && now - reported.at < reportInterval
    this.#setFailed({
      until,
      attempts: attempts + 1,
      reported: isReported ? reported : { text, at: now },
      retryAt: now + delay,
    })
    if (!isReported && !this.#isStopped) onFailure(error, delay)
    return delay
  }

  #setFailed(failed: FailedPublication | null): void {
    this.#failed = failed
    this.#token = null
  }

  async #millisecondsUntilNext(): Promise<number> {
    const untilRetry = this.#failed === null ? Infinity : this.#failed.retryAt - performance.now()
    const untilDate = await this.secondsUntilNext().then(
      (seconds) => 1000 * seconds,
      // The next call reports it.
      () => maxInterval,
    )
    return Math.max(minInterval, Math.min(maxInterval, Math.ceil(untilRetry), Math.ceil(untilDate)))
  }

  /** @param failed the failed attempt whose records are left to the next one; null: publishes all that are due. */
  async #publish(now: string, failed: FailedPublication | null): Promise<void> {
    const { storage, types, site, clock, hooks = null } = this.#dependencies
    const contextIn = (transaction: Storage): WriteContext => ({
      storage: transaction,
      types,
      site,
      caller: anonymous,
      clock: { now: clock(), zone: site.timeZone },
    })
    await publishDue(storage, contextIn, { until: now, after: lastOf(failed), isStopped: () => this.#isStopped, hooks })
  }

  /** Read again only when the change token differs. */
  async #readNext(): Promise<string | null> {
    const { storage } = this.#dependencies
    const began = this.#reads.now()
    const token = await storage.changeToken()
    if (token === this.#token) return this.#next
    const failed = this.#failed
    return this.#reads.share(failed?.until ?? '', token, began, async () => {
      const [post] = await storage.posts.scheduled.due(endOfTime, lastOf(failed), 1)
      const next = post?.date ?? null
      // A failure meanwhile has changed which record is the next one.
      if (failed !== this.#failed) return next
      this.#token = token
      this.#next = next
      return next
    })
  }
}

/** The position behind all records of a failed attempt, from which the next ones are read; null without a failed attempt. */
function lastOf(failed: FailedPublication | null): ScheduledPost | null {
  return failed && { date: failed.until, id: Number.MAX_SAFE_INTEGER }
}

/** Another program may have stored a text that is not a date. It is compared as text (`ScheduledRows`), and read in each interval. */
function secondsUntil(date: string, now: number): number {
  const milliseconds = millisecondsOf(date) - now
  return Number.isNaN(milliseconds) ? maxInterval / 1000 : Math.max(0, milliseconds / 1000)
}
