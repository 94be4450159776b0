import { AsyncResource } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientWork } from '../../base/client-presence.js'
import { StorageError } from '../storage-error.js'
import type { SqlConnection, SqlTransaction } from '../sql/sql-connection.js'
import { lease } from './leased-connection.js'
import { isBusy } from './sqlite-fault.js'

/** Maximum number of writes that share a commit. A commit waits once for the disk. */
const maxGroup = 64
/** Maximum number of ticks of the event loop for which a group waits for further writes. */
const maxTicks = 4
/** Milliseconds for which groups may follow each other before other processes get a chance to write. */
const maxTurnMilliseconds = 50
/** Maximum number of waiting writes. More are refused, which bounds the memory when the disk has stopped. */
const maxQueue = 10_000

type Work<T> = (connection: SqlTransaction) => T | Promise<T>

interface Job {
  readonly work: Work<unknown>
  /** Whether the job has a separate transaction. */
  readonly alone: boolean
  /** Whether the job runs in a savepoint inside the shared transaction, because a job of its group has failed. */
  hasSavepoint: boolean
  /** Until when the job waits for a lock of another process, by the clock of `performance.now`. */
  readonly deadline: number
  /** The request that the job belongs to; null for one of no request, or of one that reads. */
  readonly clientWork: ClientWork | null
  readonly settle: (outcome: Outcome) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** The connection of the writer. */
export interface WriterConnection extends SqlConnection {
  /** As `execute`, but fails immediately when another process has the lock. */
  attempt(text: string): number | Promise<number>
  commit(): number | Promise<number>
  rollBack(): number | Promise<number>
}

/**
 * The queue of all writes of this process. Jobs run one after the other on one connection. Jobs that wait at the same time share a
 * transaction and resolve when it is committed. When one of them fails in the middle of its writes, which is rare, the
 * transaction is rolled back and all run again, each in a savepoint. Other processes can write in between.
 *
 * While another process has the lock, jobs stay in the queue, and each of them waits no longer than its own time.
 */
export class SqliteWriter {
  readonly #connection: WriterConnection
  readonly #busyTimeout: number
  readonly #currentClientWork: () => ClientWork | null
  /** In the order of their submission. */
  #waiting: Job[] = []
  #draining: Promise<void> | null = null
  #running: Promise<void> | null = null
  #closed = false

  /**
   * @param busyTimeout how long a job waits for a lock of another process from its submission on, in milliseconds.
   * @param currentClientWork returns the request that a job is submitted for; null for none.
   */
  constructor(
    connection: WriterConnection,
    busyTimeout: number,
    currentClientWork: () => ClientWork | null = () => null,
  ) {
    this.#connection = connection
    this.#busyTimeout = busyTimeout
    this.#currentClientWork = currentClientWork
  }

  submit<T>(work: Work<T>, { alone }: { readonly alone: boolean }): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('unavailable', 'The database is closed.'))
    if (this.#waiting.length >= maxQueue) {
      return Promise.reject(new StorageError('busy', `${maxQueue} writes wait for the database already.`))
    }
    return new Promise<T>((resolve, reject) => {
      // The first submitter drains the queue. `AsyncResource` restores each job's own async context; otherwise every job
      // would see the first submitter's current user.
      const submitter = new AsyncResource('SqliteWrite', { requireManualDestroy: true })
      const settle = (outcome: Outcome): void => {
        submitter.emitDestroy()
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value as T)
      }
      const workOfSubmitter: Work<T> = (connection) => submitter.runInAsyncScope(work, undefined, connection)
      const deadline = performance.now() + this.#busyTimeout
      const current = this.#currentClientWork()
      // A handler that goes on after its client has left may have done what cannot be undone, such as a payment.
      const clientWork = current?.client.destroyed ? null : current
      this.#waiting.push({ work: workOfSubmitter, alone, hasSavepoint: false, deadline, clientWork, settle })
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when no transaction is open. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  /** Finishes the submitted jobs, but refuses those that would have to wait for another process. Refuses later jobs. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#draining !== null) await this.#draining
  }

  async #drain(): Promise<void> {
    let turnStart = performance.now()
    do {
      await this.#gather()
      if (performance.now() - turnStart > maxTurnMilliseconds) {
        // SQLite's lock has no queue: a process that takes it again immediately keeps all others out.
        await sleep(2)
        turnStart = performance.now()
      }
      this.#running = this.#runGroup()
      await this.#running
      this.#running = null
    } while (this.#waiting.length > 0)
    this.#draining = null
  }

  /** Waits for the writes of the sockets that are ready, so that they join the group: one tick, and further ones while each brings some. */
  async #gather(): Promise<void> {
    let size = 0
    for (let tick = 0; tick < maxTicks && size < maxGroup; tick += 1) {
      const grown = this.#groupSize()
      if (grown <= size) return
      size = grown
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Runs the next jobs, unless all are refused while they wait for the lock. */
  async #runGroup(): Promise<void> {
    if (!(await this.#lock())) return
    const group = this.#nextGroup()
    for (const { clientWork } of group) if (clientWork !== null) clientWork.isKept = true
    let outcomes: readonly Outcome[] | null
    try {
      outcomes = await this.#commit(group)
    } catch (error) {
      outcomes = group.map(() => ({ error }))
    }
    if (outcomes !== null) settleAll(group, outcomes)
    else this.#waiting.unshift(...group.map((job) => ({ ...job, hasSavepoint: true })))
  }

  /**
   * Begins a transaction. Refuses waiting jobs whose time is over or whose client has left.
   * @returns false when no job is left.
   */
  async #lock(): Promise<boolean> {
    for (;;) {
      this.#refuse(hasDisconnected, abandoned)
      if (this.#waiting.length === 0) return false
      try {
        await this.#connection.attempt('BEGIN IMMEDIATE')
        return true
      } catch (error) {
        // Any other error is the outcome of the next group only: the database may work again for the group after it.
        if (isBusy(error)) this.#refuseAfter(error)
        else settleAll(this.#nextGroup(), [], error)
      }
      if (this.#waiting.length === 0) return false
      // Random, so that waiting processes do not try at the same time again and again.
      await sleep(1 + Math.random() * 4)
    }
  }

  /** Refuses jobs after another process was found to have the lock. */
  #refuseAfter(error: unknown): void {
    const now = performance.now()
    this.#refuse(
      (job) => this.#closed || job.deadline <= now,
      () => error,
    )
    this.#refuse((job) => hasDisconnected(job) || hasFinishedSending(job), abandoned)
  }

  #refuse(condition: (job: Job) => boolean, reason: () => unknown): void {
    if (!this.#waiting.some(condition)) return
    const refused = this.#waiting.filter(condition)
    this.#waiting = this.#waiting.filter((job) => !condition(job))
    settleAll(refused, [], reason())
  }

  /** Takes the jobs that share the next transaction from the queue. */
  #nextGroup(): Job[] {
    return this.#waiting.splice(0, this.#groupSize())
  }

  #groupSize(): number {
    const [first] = this.#waiting
    if (first?.alone === true) return 1
    const next = this.#waiting.findIndex((job) => job.alone || job.hasSavepoint !== first?.hasSavepoint)
    return Math.min(next === -1 ? this.#waiting.length : next, maxGroup)
  }

  /**
   * Runs a group in the transaction that was begun, and ends it.
   * @returns null when all must run again, each in a savepoint, and nothing was stored.
   * @throws when nothing of the group was stored.
   */
  async #commit(group: readonly Job[]): Promise<readonly Outcome[] | null> {
    let outcomes: readonly Outcome[] | null
    try {
      outcomes = await this.#outcomesOf(group)
      if (outcomes !== null) {
        if (outcomes.some((outcome) => 'value' in outcome)) await this.#connection.commit()
        else await this.#connection.rollBack()
        return outcomes
      }
    } catch (error) {
      await this.#rollBack()
      throw error
    }
    await this.#rollBack()
    return null
  }

  /** @returns null when one of several jobs has failed, so that all must be rolled back. */
  async #outcomesOf(group: readonly Job[]): Promise<readonly Outcome[] | null> {
    const outcomes: Outcome[] = []
    for (const job of group) {
      const { outcome, mayBeIncomplete } = await this.#attempt(job)
      if (mayBeIncomplete && group.length > 1) return null
      outcomes.push(outcome)
    }
    return outcomes
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#connection.rollBack()
    } catch {
      // SQLite may have rolled back by itself, for example when the disk is full.
    }
  }

  /** @throws when the transaction as a whole is lost. */
  async #attempt(job: Job): Promise<{ readonly outcome: Outcome; readonly mayBeIncomplete: boolean }> {
    const { connection, mayBeIncomplete, end } = lease(this.#connection)
    if (job.hasSavepoint) await this.#connection.execute('SAVEPOINT job')
    let outcome: Outcome
    try {
      outcome = { value: await job.work(connection) }
    } catch (error) {
      outcome = { error }
    }
    end()
    const hasFailed = 'error' in outcome
    if (!job.hasSavepoint) return { outcome, mayBeIncomplete: mayBeIncomplete(hasFailed) }
    if (hasFailed) await this.#connection.execute('ROLLBACK TO SAVEPOINT job')
    await this.#connection.execute('RELEASE SAVEPOINT job')
    return { outcome, mayBeIncomplete: false }
  }
}

/** @param error the outcome of jobs without one. */
function settleAll(group: readonly Job[], outcomes: readonly Outcome[], error?: unknown): void {
  for (const [index, job] of group.entries()) job.settle(outcomes[index] ?? { error })
}

const abandoned = (): StorageError =>
  new StorageError('busy', 'The client has left before its write began: nothing was stored.')

/** Whether the client of the job has left, and its request has neither begun a write nor been answered. */
const hasDisconnected = ({ clientWork }: Job): boolean =>
  clientWork !== null && !clientWork.isKept && clientWork.client.destroyed

/** Whether the client has closed its sending side: it has left, or, rarely, still waits, and then learns that nothing was stored. */
const hasFinishedSending = ({ clientWork }: Job): boolean =>
  clientWork !== null && !clientWork.isKept && clientWork.client.readableEnded
