import { nearest } from '../base/nearest.js'
import { typeOfValue } from '../base/value-type.js'
import type { JobRows } from '../database/job-rows.js'
import { canonicalText } from '../http/canonical-text.js'
import type { AnyJob, EnqueueOptions } from './job.js'

/** Maximum size of a payload as JSON, in bytes. */
const maxPayload = 65_536
/** Maximum delay of a job, in seconds: ten years. */
const maxDelay = 315_360_000
/** Maximum length of a stored request id, in characters. */
const maxRequestId = 200

export interface JobQueueOptions {
  /** The functions of the option `jobs`, by name. */
  readonly jobs: ReadonlyMap<string, AnyJob>
  /** The table of jobs, in the transaction in which `rows` is called, if any. */
  readonly rows: () => JobRows
  /** Milliseconds since 1970. Null: the clock of the database. */
  readonly clock: (() => number) | null
  /** The id of the request in progress; null for none. */
  readonly requestId: () => string | null
  /** Called when a job was stored, inside its transaction. */
  readonly onEnqueued: () => void
}

/** Stores jobs for the processes that do them. */
export class JobQueue {
  readonly #options: JobQueueOptions

  constructor(options: JobQueueOptions) {
    this.#options = options
  }

  /**
   * @returns the id of the job.
   * @throws RangeError for a job that the option `jobs` does not list, and for a payload or a time that cannot be stored.
   */
  async enqueue(
    job: AnyJob | string,
    payload: unknown = null,
    { delay, run_at }: EnqueueOptions = {},
  ): Promise<number> {
    const { rows, clock, requestId, onEnqueued } = this.#options
    const name = this.#nameOf(job)
    const due = run_at === undefined ? { in: delayOf(name, delay) } : { at: timeOf(name, run_at, delay) }
    const id = await rows().add(
      { name, payload: payloadText(name, payload), due, request_id: (requestId() ?? '').slice(0, maxRequestId) },
      clock && clock(),
    )
    onEnqueued()
    return id
  }

  #nameOf(job: AnyJob | string): string {
    const { jobs } = this.#options
    const name = typeof job === 'string' ? job : String((job as Partial<AnyJob> | null)?.name)
    const listed = jobs.get(name)
    if (listed !== undefined && (typeof job === 'string' || listed.run === job.run)) return name
    if (listed !== undefined)
      throw new RangeError(
        `records.enqueue: another job than the one that the option jobs lists has the name '${name}'.`,
      )
    const similar = typeof job === 'string' ? nearest(name, jobs.keys()) : null
    const remedy =
      similar === null ? `List it in the option jobs: defineConfig({ jobs: [yourJob] }).` : `Did you mean '${similar}'?`
    throw new RangeError(`records.enqueue: no process does the job '${name}'. ${remedy}`)
  }
}

/** @throws RangeError */
function payloadText(name: string, payload: unknown): string {
  // A value that JSON would change is refused, so that a process reads the payload as it was passed.
  if (canonicalText(payload) === null)
    throw new RangeError(
      `records.enqueue: the payload of '${name}' has a value that JSON cannot represent, such as a Date, undefined, NaN or an object of a class. Write dates as text.`,
    )
  const text = JSON.stringify(payload)
  const size = Buffer.byteLength(text)
  if (size > maxPayload)
    throw new RangeError(
      `records.enqueue: the payload of '${name}' has ${size} bytes as JSON; ${maxPayload} are allowed. Store the data in a record, and give the job its id.`,
    )
  return text
}

/** @returns milliseconds. @throws RangeError */
function delayOf(name: string, delay: unknown = 0): number {
  if (typeof delay !== 'number' || !(delay >= 0 && delay <= maxDelay))
    throw new RangeError(
      `records.enqueue: delay of '${name}' is ${typeof delay === 'number' ? delay : typeOfValue(delay)}; give seconds from 0 to ${maxDelay}, ten years.`,
    )
  return Math.round(delay * 1000)
}

/** @returns milliseconds since 1970. @throws RangeError */
function timeOf(name: string, runAt: unknown, delay: unknown): number {
  if (delay !== undefined) throw new RangeError(`records.enqueue: '${name}' has both delay and run_at; give one.`)
  const time = runAt instanceof Date ? runAt.getTime() : runAt
  if (typeof time !== 'number' || !(time >= 0 && time <= 8.64e15))
    throw new RangeError(
      `records.enqueue: run_at of '${name}' is ${String(runAt)}; give a Date, or milliseconds since 1970.`,
    )
  return Math.round(time)
}
