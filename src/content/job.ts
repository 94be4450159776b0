import type { RequestLog } from '../http/request-log.js'

/** Facts about a job, given to its function besides the payload. */
export interface JobContext {
  /** The same in each attempt, and of no other job: to do something once, claim it under this id first. */
  readonly id: number
  /** 1 for the first one. */
  readonly attempt: number
  /** The request that has enqueued the job; null for none, and for one that only reads. */
  readonly requestId: string | null
  /** Aborts when the time limit is over, when a stop no longer waits, and when another process has taken the job over. */
  readonly signal: AbortSignal
  /** The log of the service. Each line has the fields `job`, `jobId` and `requestId`. */
  readonly log: RequestLog
}

/** The declaration of a job. */
export interface JobDeclaration<Payload> {
  /**
   * 1 to 100 of `a-z`, `0-9`, `_`, `.` and `-`. It is stored with each job, so a job that waits is found by it after an
   * update.
   */
  readonly name: string
  /** How often it is tried at most, from 1 to 100. Default 10. Then it is kept as failed. */
  readonly attempts?: number
  /**
   * Seconds until the second attempt. Each further one waits twice as long, up to an hour; a part of it is random.
   * Default 10.
   */
  readonly retry_delay?: number
  /**
   * Seconds after which the signal of an attempt aborts, up to a day. The attempt has failed then. The next one begins after the
   * function has ended. Default 300.
   */
  readonly timeout?: number
  /**
   * Does the work. A promise that rejects is a failed attempt. It runs at least once for each job that was enqueued, and again
   * when its process was killed before the end, so it must stand being repeated. The current user is anonymous. `inject` works
   * in it until it awaits something.
   */
  run(payload: Payload, context: JobContext): unknown
}

/** A job as a value. The option `jobs` lists those that a service does. */
export type Job<Payload> = JobDeclaration<Payload>

/** A job of any payload. */
export type AnyJob = Job<unknown>

/** When a job is due. Default: at once. */
export interface EnqueueOptions {
  /** Seconds from now on. */
  readonly delay?: number
  /** A date, or milliseconds since 1970. */
  readonly run_at?: Date | number
}

/** The payload, which may be left out where the job takes none, and when the job is due. */
export type Enqueued<Payload> = undefined extends Payload
  ? readonly [payload?: Payload, options?: EnqueueOptions]
  : readonly [payload: Payload, options?: EnqueueOptions]

/**
 * Declares work that survives the end of the process. `records.enqueue` stores it, and a process that lists it in the option
 * `jobs` does it:
 *
 *     export const sendTicket = job({
 *       name: 'send-ticket',
 *       run: async ({ order }: { order: number }) => inject(Mailer).send(await ticketOf(order)),
 *     })
 */
export function job<Payload = unknown>(declaration: JobDeclaration<Payload>): Job<Payload> {
  return Object.freeze({ ...declaration })
}

/** Default of `attempts`. */
export const defaultAttempts = 10
/** Default of `retry_delay`, in seconds. */
export const defaultRetryDelay = 10
/** Default of `timeout`, in seconds. */
export const defaultTimeout = 300
