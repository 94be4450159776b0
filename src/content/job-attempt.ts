import type { JobRow } from '../database/job-rows.js'
import type { RequestLog } from '../http/request-log.js'
import { defaultAttempts, defaultTimeout, type AnyJob } from './job.js'

/** Milliseconds within which a function is expected to end after its signal has aborted. */
export const abortTime = 1_000

/** The reasons for which the signal of a job aborts and the job is not counted as failed. */
const lostReason = new DOMException('Another process may have taken the job over.', 'AbortError')
const stopReason = new DOMException('The service stops.', 'AbortError')

/** A job in the log. */
export interface JobFields {
  readonly job: string
  readonly jobId: number
  readonly requestId?: string
}

/** The functions that an attempt calls. */
export interface AttemptCalls {
  /** Calls a function so that `inject` works until it awaits something. */
  readonly enter: <T>(work: () => T) => T
  /** The log of a job: each line has the fields. */
  readonly logOf: (fields: JobFields) => RequestLog
  /** A job goes on although its time limit is over. */
  readonly onOverrun: (fields: JobFields) => void
}

/** One attempt of a job, from the claim until its function has ended. */
export class JobAttempt {
  readonly row: JobRow
  readonly fields: JobFields
  /** When the lease of this process ends, by the clock of `performance.now`. */
  heldUntil: number
  /** Null until it was read. */
  payload: unknown = null
  #isOngoing = false
  #isWaiting = false
  #isLost = false
  /** Aborts the signal that the function receives. */
  readonly #abort = new AbortController()
  /** Aborts when the end of the function is no longer waited for. */
  readonly #abandon = new AbortController()

  constructor(row: JobRow, heldUntil: number) {
    const { id, name, request_id } = row
    this.row = row
    this.fields = { job: name, jobId: id, ...(request_id !== '' && { requestId: request_id }) }
    this.heldUntil = heldUntil
  }

  /** Whether the function may be running. */
  get isOngoing(): boolean {
    return this.#isOngoing
  }

  /** Whether another process may have taken the job over. */
  get isLost(): boolean {
    return this.#isLost
  }

  /**
   * Whether it counts as one of the jobs that a process does at the same time: not after its time limit, and not while it waits
   * for an earlier attempt, which may never end.
   */
  get takesPlace(): boolean {
    return !this.#isWaiting && !this.#abort.signal.aborted
  }

  get isStopped(): boolean {
    return this.#abort.signal.reason === stopReason
  }

  stop(): void {
    this.#abort.abort(stopReason)
  }

  lose(): void {
    this.#isLost = true
    this.#abort.abort(lostReason)
    // Nothing has begun: the process claims the job again, and waits for the same earlier attempt.
    if (this.#isWaiting) this.abandon()
  }

  /** Ends the wait for the function. */
  abandon(): void {
    this.#abandon.abort(stopReason)
  }

  /**
   * Calls the function of the job, and waits for its end, also after its signal has aborted.
   * @param earlier an attempt of the same job that this process has lost, and whose function has not ended.
   * @param onTimeOver called at the time limit.
   * @throws what the function throws; the reason of the signal when it has aborted: whether the function has done its work, or
   * has ended early because of the signal, is not known.
   */
  async run(
    job: AnyJob,
    calls: AttemptCalls,
    earlier: Promise<unknown> | undefined,
    onTimeOver: () => void,
  ): Promise<void> {
    const { id, attempts: attempt, request_id } = this.row
    if (attempt > (job.attempts ?? defaultAttempts))
      throw new Error('Its process ended while it ran, in each of its attempts.')
    this.payload = JSON.parse(this.row.payload)
    if (earlier !== undefined) {
      this.#isWaiting = true
      await this.#waitFor(earlier)
      this.#isWaiting = false
    }
    const { signal } = this.#abort
    signal.throwIfAborted()
    const context = {
      id,
      attempt,
      requestId: request_id === '' ? null : request_id,
      signal,
      log: calls.logOf(this.fields),
    }
    const endLimit = this.#limitTime(job, calls, onTimeOver)
    try {
      await this.#waitFor((async () => void (await calls.enter(() => job.run(this.payload, context))))())
    } finally {
      endLimit()
      signal.throwIfAborted()
    }
  }

  /** @throws the reason of the signal when the wait was ended. The work then goes on, and its failure is ignored. */
  async #waitFor(work: Promise<unknown>): Promise<void> {
    const { signal } = this.#abandon
    this.#isOngoing = true
    let abandon = (): void => undefined
    const abandoned = new Promise<never>((_, reject) => {
      abandon = () => reject(signal.reason as Error)
      signal.addEventListener('abort', abandon, { once: true })
    })
    const ended = work.finally(() => (this.#isOngoing = false))
    try {
      await Promise.race([ended, abandoned])
    } finally {
      signal.removeEventListener('abort', abandon)
    }
  }

  /** @returns a function that ends the watch. */
  #limitTime({ timeout = defaultTimeout }: AnyJob, calls: AttemptCalls, onTimeOver: () => void): () => void {
    const over = (): void => {
      this.#abort.abort(new DOMException(`The time limit of ${timeout} s is over.`, 'TimeoutError'))
      onTimeOver()
      timer = setTimeout(() => calls.onOverrun(this.fields), abortTime).unref()
    }
    let timer = setTimeout(over, timeout * 1000).unref()
    return () => clearTimeout(timer)
  }
}
