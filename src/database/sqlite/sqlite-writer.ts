import { AsyncResource } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../storage-error.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import { lease } from './leased-connection.js'

/** Maximum number of writes that share a commit. A commit waits once for the disk. */
const maxGroup = 64
/** For how long groups may follow each other before other processes can write, in milliseconds. */
const maxTurnMilliseconds = 50
/** Maximum number of waiting writes. More are refused, which bounds the memory when the disk has stopped. */
const maxQueue = 10_000

type Work<T> = (connection: SqlConnection) => T | Promise<T>

interface Job {
  readonly work: Work<unknown>
  /** Whether the job has a transaction of its own. */
  readonly alone: boolean
  readonly settle: (outcome: Outcome) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * All writes go through it. Jobs run one after the other on one connection. Jobs that wait at the same time share a
 * transaction and resolve when it is committed. When one of them fails in the middle of its writes, which is rare, the
 * transaction is rolled back and all run again, each in a savepoint. Other processes can write in between.
 */
export class SqliteWriter {
  readonly #connection: SqlConnection
  #waiting: Job[] = []
  #draining: Promise<void> | null = null
  #running: Promise<void> | null = null
  #closed = false

  constructor(connection: SqlConnection) {
    this.#connection = connection
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
      const onItsBehalf: Work<T> = (connection) => submitter.runInAsyncScope(work, undefined, connection)
      this.#waiting.push({ work: onItsBehalf, alone, settle })
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when no transaction is open. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  /** Finishes the submitted jobs and refuses later ones. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#draining !== null) await this.#draining
  }

  async #drain(): Promise<void> {
    let turn = performance.now()
    do {
      // After the sockets that are ready were read, so that their writes join the group.
      await new Promise((resolve) => setImmediate(resolve))
      if (performance.now() - turn > maxTurnMilliseconds) {
        // SQLite's lock has no queue: a process that takes it again at once keeps all others out.
        await sleep(2)
        turn = performance.now()
      }
      this.#running = this.#runGroup(this.#nextGroup())
      await this.#running
      this.#running = null
    } while (this.#waiting.length > 0)
    this.#draining = null
  }

  #nextGroup(): Job[] {
    if (this.#waiting[0]?.alone === true) return this.#waiting.splice(0, 1)
    const next = this.#waiting.findIndex((job) => job.alone)
    return this.#waiting.splice(0, Math.min(next === -1 ? this.#waiting.length : next, maxGroup))
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    let outcomes: readonly Outcome[]
    try {
      outcomes = await this.#commit(group)
    } catch (error) {
      outcomes = group.map(() => ({ error }))
    }
    for (const [index, job] of group.entries()) job.settle(outcomes[index] ?? { error: undefined })
  }

  /**
   * @param apart each job in a savepoint.
   * @throws when nothing of the group was stored.
   */
  async #commit(group: readonly Job[], apart = false): Promise<readonly Outcome[]> {
    await this.#connection.execute('BEGIN IMMEDIATE')
    let outcomes: readonly Outcome[] | null
    try {
      outcomes = await this.#outcomesOf(group, apart)
      if (outcomes !== null) {
        await this.#connection.execute(outcomes.some((outcome) => 'value' in outcome) ? 'COMMIT' : 'ROLLBACK')
        return outcomes
      }
    } catch (error) {
      await this.#rollBack()
      throw error
    }
    await this.#rollBack()
    return this.#commit(group, true)
  }

  /** @returns null when one of several jobs has failed, so that all must be rolled back. */
  async #outcomesOf(group: readonly Job[], apart: boolean): Promise<readonly Outcome[] | null> {
    const outcomes: Outcome[] = []
    for (const job of group) {
      const { outcome, isHalfDone } = await this.#attempt(job, apart)
      if (isHalfDone && group.length > 1) return null
      outcomes.push(outcome)
    }
    return outcomes
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#connection.execute('ROLLBACK')
    } catch {
      // SQLite may have rolled back by itself, for example when the disk is full.
    }
  }

  /** @throws when the transaction as a whole is lost. */
  async #attempt(job: Job, apart: boolean): Promise<{ readonly outcome: Outcome; readonly isHalfDone: boolean }> {
    const { connection, isHalfDone, end } = lease(this.#connection)
    if (apart) await this.#connection.execute('SAVEPOINT job')
    let outcome: Outcome
    try {
      outcome = { value: await job.work(connection) }
    } catch (error) {
      outcome = { error }
    }
    end()
    const hasFailed = 'error' in outcome
    if (!apart) return { outcome, isHalfDone: isHalfDone(hasFailed) }
    if (hasFailed) await this.#connection.execute('ROLLBACK TO SAVEPOINT job')
    await this.#connection.execute('RELEASE SAVEPOINT job')
    return { outcome, isHalfDone: false }
  }
}
