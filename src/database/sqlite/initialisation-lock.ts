import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldLock } from '../sql/first-start.js'
import type { Waiting } from '../store-adapter.js'
import type { OpenSqliteClient, SqliteClient } from './sqlite-client.js'
import { isBusy, toStorageError } from './sqlite-fault.js'
import { identityOf, makeFile } from './sqlite-location.js'

/** The migration lock on SQLite, which locks nothing: a migration is one transaction, and transactions follow each other. */
export const noLock: HeldLock = { requireHeld: () => undefined, end: () => undefined }

/**
 * The lock of the process that makes the first start of a database. Other processes wait for it. It ends with its process.
 * It lies on a file beside the database, because the first start itself writes to the database.
 */
export class InitialisationLock implements HeldLock {
  readonly #file: string
  #client: SqliteClient | null

  private constructor(file: string, client: SqliteClient) {
    this.#file = file
    this.#client = client
  }

  /** Whether a process holds the lock. Creates and writes nothing. @param database path of the file. */
  static isTaken(open: OpenSqliteClient, database: string): boolean {
    const file = `${database}-first-start`
    let client: SqliteClient | null = null
    try {
      client = open(file, true)
      // This read fails while another process holds the lock.
      client.prepare('SELECT 1 FROM sqlite_master').all([])
      return false
    } catch (error) {
      if (isBusy(toStorageError(error))) return true
      if (!existsSync(file)) return false
      throw error
    } finally {
      client?.close()
    }
  }

  /** @param database path of the file. @returns when no other process holds the lock. */
  static async take(
    open: OpenSqliteClient,
    database: string,
    { onLong = () => {}, signal }: Waiting = {},
  ): Promise<InitialisationLock> {
    const file = `${database}-first-start`
    const startedAt = performance.now()
    let isReported = false
    for (;;) {
      makeFile(file)
      const identity = identityOf(file)
      const client = open(file)
      let isLocked = false
      try {
        // The lock on a removed file has no effect: other processes create and lock a new one.
        do {
          isLocked = tryLock(client, file, identity)
          if (isLocked && identity !== null && identityOf(file) === identity)
            return new InitialisationLock(file, client)
          if (!isReported && performance.now() - startedAt > 1000) {
            isReported = true
            onLong()
          }
          await sleep(20 + Math.random() * 10)
          signal?.throwIfAborted()
        } while (!isLocked && identityOf(file) === identity)
      } catch (error) {
        release(client, isLocked)
        throw error
      }
      release(client, isLocked)
    }
  }

  /** The lock on a file is not lost before its process ends. */
  requireHeld(): void {}

  /** May be called twice. */
  end(): void {
    if (this.#client === null) return
    try {
      // Before the lock is released: waiting processes check whether the file still exists.
      rmSync(this.#file, { force: true })
    } catch {
      // Windows does not remove an open file. The next process uses it again.
    }
    release(this.#client, true)
    this.#client = null
  }
}

function release(client: SqliteClient, isLocked: boolean): void {
  // The lock is released by a statement, because libsql closes the file later than `close` returns.
  if (isLocked) client.prepare('ROLLBACK').run([])
  client.close()
}

function tryLock(client: SqliteClient, file: string, identity: string | null): boolean {
  try {
    // Nothing is written to the file, so a journal would only be another file to remove.
    client.prepare('PRAGMA journal_mode = OFF').all([])
    client.prepare('BEGIN EXCLUSIVE').run([])
    return true
  } catch (error) {
    // SQLite reports different errors for a removed file.
    if (isBusy(toStorageError(error)) || identityOf(file) !== identity) return false
    throw error
  }
}
