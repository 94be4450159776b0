import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { nearest } from '../base/nearest.js'
import { textOf } from '../base/thrown-text.js'
import type { JobRow, JobRows } from '../database/job-rows.js'
import { defaultAttempts, defaultRetryDelay, type AnyJob } from './job.js'
import { abortTime, JobAttempt, type AttemptCalls, type JobFields } from './job-attempt.js'

/** The number of jobs that a process does at the same time. One that goes on after its time limit is not counted. */
const maxRunning = 10
/**
 * The number of jobs of one name that go on after their time limit. With as many of them, the process begins no other job of this
 * name until one of them ends.
 */
const maxOverrun = 20
/** Milliseconds between two searches for jobs that other processes have enqueued or that have become due. */
const interval = 1_000
/** After a search that has failed, the next one waits twice as long each time, up to this maximum. */
const maxInterval = 30_000
/** Milliseconds after which another process may take over a job whose lease was not renewed. */
const defaultLease = 30_000
/** The longest wait between two attempts, in milliseconds. */
const maxRetryDelay = 3_600_000
/** Length to which a stored error is cut, in UTF-16 code units. */
const maxErrorLength = 2_000

/** The functions that a runner calls. */
export interface RunnerCalls extends AttemptCalls {
  /** An attempt has failed. @param retryIn seconds until the next one; null: there is none. */
  readonly onFailure: (error: unknown, fields: JobFields, retryIn: number | null) => void
  /** The database was not reached. @param retryIn seconds until the next attempt. */
  readonly onUnreachable: (error: unknown, retryIn: number) => void
  /** Jobs wait that no entry of the option `jobs` does. */
  readonly onUnknown: (name: string, waiting: number, nearest: string | null) => void
  /** Another process may have taken the job over, because this one did not reach the database in time. */
  readonly onLost: (fields: JobFields) => void
  /** A stop no longer waits for the jobs that run, and gives them back. @param running their number. */
  readonly onCutOff: (running: number) => void
}

export interface JobRunnerOptions {
  readonly jobs: ReadonlyMap<string, AnyJob>
  readonly rows: () => JobRows
  /** Milliseconds since 1970. Null: the clock of the database. */
  readonly clock: (() => number) | null
  /** Milliseconds. Default 30,000. */
  readonly lease?: number
}

/** An attempt of a job that `runDue` has made. */
export interface DoneJob {
  readonly id: number
  readonly name: string
  readonly payload: unknown
  readonly attempt: number
  /** The error that the function threw; null for a job that is done. */
  readonly error: unknown
}

/**
 * Does the jobs that are due, at most ten at once. Searches for jobs when this process has enqueued one, and once a second.
 *
 * A job belongs to one process at a time: the process claims it with a lease, and renews the lease until the function of the job
 * has ended, also after the time limit. So an attempt begins after the end of the one before, unless the process was blocked, or
 * did not reach the database, for a whole lease.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #lease: number
  readonly #running = new Map<JobAttempt, Promise<unknown>>()
  /** Jobs belong to no request. */
  readonly #outsideRequests = new AsyncResource('JobRunner')
  #calls: RunnerCalls | null = null
  #timer: NodeJS.Timeout | null = null
  #leaseTimer: NodeJS.Timeout | null = null
  /** The search for jobs in progress; null without one. */
  #searching: Promise<void> | null = null
  /** Whether to search again after the search in progress. */
  #isAwoken = false
  #isStarted = false
  #isStopped = false
  #isCutOff = false
  #failures = 0

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#lease = options.lease ?? defaultLease
  }

  /** From now on the jobs that are due are done, until `stop`. */
  async start(calls: RunnerCalls): Promise<void> {
    const { rows, jobs } = this.#options
    this.#calls = calls
    this.#isStarted = true
    const waiting = await rows().openNames()
    for (const [name, count] of waiting) if (!jobs.has(name)) calls.onUnknown(name, count, nearest(name, jobs.keys()))
    this.wake()
  }

  /** Searches for jobs at once. Does nothing before the start. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return
    this.#isAwoken = true
    this.#outsideRequests.runInAsyncScope(() => {
      this.#searching ??= this.#search().finally(() => {
        this.#searching = null
        // `wake` was called after the last claim of the search.
        if (this.#isAwoken && this.#places > 0) this.wake()
      })
    })
  }

  /** Takes no further jobs. Those that run go on. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** Whether a job runs, or a search for jobs. */
  get isBusy(): boolean {
    return this.#searching !== null || this.#running.size > 0
  }

  /** Resolves when no job runs. To be called after `stop`. */
  async idle(): Promise<void> {
    while (this.#searching !== null) await this.#searching
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values())
    this.#setLeaseTimer()
  }

  /**
   * Gives back the jobs that still run, so that another process takes them at once. Their signals abort. One whose function has
   * not ended after a second is given back so that it is due after a lease, when this process is expected to have ended.
   */
  async cutOff(): Promise<void> {
    this.stop()
    this.#isCutOff = true
    if (this.#running.size > 0) this.#calls?.onCutOff(this.#running.size)
    for (const attempt of this.#running.keys()) attempt.stop()
    const abandonment = setTimeout(() => {
      for (const attempt of this.#running.keys()) attempt.abandon()
    }, abortTime)
    await this.idle()
    clearTimeout(abandonment)
  }

  /** Does all jobs that are due now, one after the other, those that they enqueue as well. For tests, in place of `start`. */
  async runDue(calls: RunnerCalls): Promise<readonly DoneJob[]> {
    const done: DoneJob[] = []
    this.#calls ??= calls
    for (;;) {
      const [row] = await this.#claim(1)
      if (row === undefined) return done
      done.push(await this.#begin(row))
    }
  }

  async #search(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    let wait = interval
    try {
      while (this.#isAwoken && !this.#isStopped && this.#places > 0) {
        this.#isAwoken = false
        const limit = this.#places
        const rows = await this.#claim(limit)
        for (const row of rows) void this.#begin(row)
        if (rows.length === limit) this.#isAwoken = true
      }
      this.#failures = 0
    } catch (error) {
      this.#isAwoken = false
      wait = Math.min(maxInterval, interval * 2 ** this.#failures)
      if (!this.#isStopped && this.#failures === 0) this.#calls?.onUnreachable(error, wait / 1000)
      this.#failures += 1
    }
    if (this.#isStopped) return
    this.#timer = setTimeout(() => this.wake(), wait)
    // The runner does not keep a process running.
    this.#timer.unref()
  }

  /** The number of jobs that can be begun. */
  get #places(): number {
    let taken = 0
    for (const { takesPlace } of this.#running.keys()) if (takesPlace) taken += 1
    return maxRunning - taken
  }

  /** The names of the jobs that can be begun. */
  get #names(): readonly string[] {
    const overrun = new Map<string, number>()
    for (const { takesPlace, row } of this.#running.keys())
      if (!takesPlace) overrun.set(row.name, (overrun.get(row.name) ?? 0) + 1)
    return [...this.#options.jobs.keys()].filter((name) => (overrun.get(name) ?? 0) < maxOverrun)
  }

  #claim(limit: number): Promise<readonly JobRow[]> {
    const names = this.#names
    if (names.length === 0) return Promise.resolve([])
    // Another holder for each claim: a job that was lost may come back to this process before its first attempt ends.
    const holder = randomUUID()
    return this.#options.rows().claim({ names, holder, lease: this.#lease, limit }, this.#now())
  }

  #now(): number | null {
    const { clock } = this.#options
    return clock && clock()
  }

  /** Does one job. Never rejects. */
  #begin(row: JobRow): Promise<DoneJob> {
    const attempt = new JobAttempt(row, performance.now() + this.#lease)
    if (this.#isCutOff) attempt.stop()
    const earlier = [...this.#running].findLast(([other]) => other.row.id === row.id)?.[1]
    const doing = this.#do(attempt, earlier).finally(() => {
      this.#running.delete(attempt)
      this.#setLeaseTimer()
      if (this.#isAwoken) this.wake()
    })
    this.#running.set(attempt, doing)
    this.#setLeaseTimer()
    return doing
  }

  async #do(attempt: JobAttempt, earlier: Promise<unknown> | undefined): Promise<DoneJob> {
    const { id, name, holder, attempts } = attempt.row
    const done = (error: unknown): DoneJob => ({ id, name, payload: attempt.payload, attempt: attempts, error })
    const calls = this.#calls
    const job = this.#options.jobs.get(name)
    if (calls === null || job === undefined) return done(null)
    // The place of an attempt whose time is over is free.
    const onTimeOver = (): void => void (this.#isAwoken && this.wake())
    try {
      await attempt.run(job, calls, earlier, onTimeOver)
      await this.#settled(() => this.#options.rows().finish(id, holder))
      return done(null)
    } catch (error) {
      if (attempt.isLost) return done(error)
      const delay = attempt.isOngoing ? this.#lease : 0
      if (attempt.isStopped) await this.#settled(() => this.#options.rows().giveBack(id, holder, delay, this.#now()))
      else await this.#fail(attempt, job, error, delay)
      return done(error)
    }
  }

  async #fail({ row, fields }: JobAttempt, job: AnyJob, error: unknown, minDelay: number): Promise<void> {
    const { id, holder, attempts } = row
    const isLast = attempts >= (job.attempts ?? defaultAttempts)
    const retryIn = isLast ? null : Math.max(minDelay, retryDelay(attempts, job.retry_delay ?? defaultRetryDelay))
    this.#calls?.onFailure(error, fields, retryIn === null ? null : retryIn / 1000)
    const failed = { id, holder, error: errorText(error) }
    await this.#settled(() => this.#options.rows().fail(failed, retryIn, this.#now()))
  }

  /** Repeats a write that fails, for half of the lease. When it is given up, another process does the job again. */
  async #settled(work: () => Promise<unknown>): Promise<void> {
    const end = performance.now() + this.#lease / 2
    for (let wait = 100; ; wait *= 2) {
      try {
        await work()
        return
      } catch (error) {
        if (this.#isCutOff || performance.now() + wait > end) {
          this.#calls?.onUnreachable(error, this.#lease / 1000)
          return
        }
        await delay(wait)
      }
    }
  }

  /** Renews the leases while jobs run. */
  #setLeaseTimer(): void {
    if (this.#running.size > 0) {
      this.#leaseTimer ??= setInterval(() => void this.#extend(), this.#lease / 3)
      this.#leaseTimer.unref()
    } else if (this.#leaseTimer !== null) {
      clearInterval(this.#leaseTimer)
      this.#leaseTimer = null
    }
  }

  async #extend(): Promise<void> {
    const held = [...this.#running.keys()].filter(({ isLost }) => !isLost)
    for (const holder of new Set(held.map(({ row }) => row.holder))) {
      const jobs = held.filter(({ row }) => row.holder === holder)
      const begun = performance.now()
      try {
        const ids = jobs.map(({ row }) => row.id)
        const extended = await this.#options.rows().extend(ids, holder, this.#lease, this.#now())
        for (const job of jobs)
          if (extended.has(job.row.id)) job.heldUntil = begun + this.#lease
          else this.#lose(job)
      } catch {
        // The next renewal may be in time. The search for jobs reports that the database is not reached.
        for (const job of jobs) if (performance.now() > job.heldUntil) this.#lose(job)
      }
    }
  }

  #lose(attempt: JobAttempt): void {
    // Two renewals may fail at the same time.
    if (attempt.isLost) return
    attempt.lose()
    // A row is also missing when the job is done.
    if (attempt.isOngoing) this.#calls?.onLost(attempt.fields)
  }
}

/**
 * The milliseconds until the next attempt. A half of them is random, so that jobs that failed together are not repeated
 * together.
 * @param seconds after the first failure.
 */
function retryDelay(failures: number, seconds: number): number {
  const limit = Math.max(maxRetryDelay, seconds * 1000)
  const maxWait = Math.min(limit, seconds * 1000 * 2 ** Math.min(failures - 1, 30))
  return Math.round(maxWait / 2 + (Math.random() * maxWait) / 2)
}

function errorText(error: unknown): string {
  // The column holds well-formed texts, as all columns do.
  return textOf(error).slice(0, maxErrorLength).toWellFormed().replaceAll('\0', '\ufffd')
}
