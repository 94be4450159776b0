/** A job: work that an application has stored, and that one of its processes does later. */
export interface JobRow {
  readonly id: number
  /** Name of the handler; at most 100 characters of ASCII. */
  readonly name: string
  /** Any text. */
  readonly payload: string
  /** `open`: it waits, or a process has it. `failed`: no process takes it any more. */
  readonly state: JobState
  /**
   * Milliseconds since 1970: the time from which a process may begin it. While a process holds the job, the end of its lease. For a
   * failed job, the time of the failure.
   */
  readonly due_at: number
  /** The `holder` of the claim that has taken the job; '' while it waits. */
  readonly holder: string
  /** Number of times that it was begun. */
  readonly attempts: number
  /** Text of the error of the last attempt that failed; '' without one. */
  readonly error: string
  /** Id of the request that enqueued it; '' outside of a request. */
  readonly request_id: string
  /** Milliseconds since 1970. */
  readonly created_at: number
}

export type JobState = 'open' | 'failed'

export interface NewJob extends Pick<JobRow, 'name' | 'payload' | 'request_id'> {
  /** `in`: milliseconds from now. `at`: milliseconds since 1970. */
  readonly due: { readonly in: number } | { readonly at: number }
}

/** A claim of a process on jobs, with a lease. */
export interface JobClaim {
  /** Jobs of these names only, at least one. */
  readonly names: readonly string[]
  /** Identifies this claim: no other claim has the same text, not even one of the same process. */
  readonly holder: string
  /** Milliseconds. */
  readonly lease: number
  /** Maximum number of jobs. */
  readonly limit: number
}

/**
 * The table of jobs. No cache holds its rows, so that writing them invalidates nothing. `now` is the present time in milliseconds
 * since 1970; null for the clock of the database, which all machines share.
 */
export interface JobRows {
  /** Runs within the current transaction. @returns the id. */
  add(job: NewJob, now: number | null): Promise<number>
  /**
   * Claims jobs whose `due_at` has passed, the earliest first. These include jobs whose holder did not finish or extend them
   * within its lease. No other process gets the claimed jobs before the lease is over. Each claim counts as an attempt.
   */
  claim(claim: JobClaim, now: number | null): Promise<readonly JobRow[]>
  /** Renews the lease of held jobs. @returns the ids that are still held. */
  extend(ids: readonly number[], holder: string, lease: number, now: number | null): Promise<ReadonlySet<number>>
  /** Deletes a job that its holder has done. @returns false when it has lost it. */
  finish(id: number, holder: string): Promise<boolean>
  /**
   * @param retryIn milliseconds until the next attempt; null: it has failed for good.
   * @returns false when the holder has lost it.
   */
  fail(
    job: { readonly id: number; readonly holder: string; readonly error: string },
    retryIn: number | null,
    now: number | null,
  ): Promise<boolean>
  /** Gives a job back as if it had not been begun. @param delay milliseconds until it is due. */
  giveBack(id: number, holder: string, delay: number, now: number | null): Promise<void>
  /** By id. @param after the last id of the page before; 0 for the first one. */
  list(query: {
    readonly state: JobState | null
    readonly after: number
    readonly limit: number
  }): Promise<readonly JobRow[]>
  /** The names of open jobs, and how many have each. */
  openNames(): Promise<ReadonlyMap<string, number>>
  /**
   * Makes jobs that no process holds due now, and counts their attempts from 0 again.
   * @param id null: all that have failed.
   * @returns their number.
   */
  retry(id: number | null, now: number | null): Promise<number>
  /** Removes jobs that no process holds. @param id null: all that have failed. @returns their number. */
  remove(id: number | null, now: number | null): Promise<number>
}
