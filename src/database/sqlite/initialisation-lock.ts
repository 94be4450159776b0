import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Waiting } from '../store-adapter.js'
import type { OpenSqliteClient, SqliteClient } from './sqlite-client.js'
import { isBusy, toStorageError } from './sqlite-fault.js'
import { identityOf, makeFile } from './sqlite-location.js'

/**
 * The turn of one process to make the first start of a database; others wait for its end. It is a lock that ends with its
 * process, however that ends, on a file beside the database, which itself has to stay open for what the first start writes.
 */
export class InitialisationLock {
  readonly #file: string
  #client: SqliteClient | null

  private constructor(file: string, client: SqliteClient) {
    this.#file = file
    this.#client = client
  }

  /** @param database path of the file. @returns when no other process has its turn. */
  static async take(
    open: OpenSqliteClient,
    database: string,
    { onLong = () => {}, signal }: Waiting = {},
  ): Promise<InitialisationLock> {
    const file = `${database}-first-start`
    const begun = performance.now()
    let isTold = false
    for (;;) {
      makeFile(file)
      const identity = identityOf(file)
      const client = open(file)
      let isLocked = false
      try {
        // A file that was removed says nothing: whoever comes now makes and locks another one.
        do {
          isLocked = locks(client, file, identity)
          if (isLocked && identity !== null && identityOf(file) === identity)
            return new InitialisationLock(file, client)
          if (!isTold && performance.now() - begun > 1000) {
            isTold = true
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

  /** May be called twice. */
  end(): void {
    if (this.#client === null) return
    try {
      // Before others are let in, who look whether it is still there.
      rmSync(this.#file, { force: true })
    } catch {
      // Windows keeps a file that is open. Who waits for it takes it over.
    }
    release(this.#client, true)
    this.#client = null
  }
}

function release(client: SqliteClient, isLocked: boolean): void {
  // By itself, since libsql closes later than it says.
  if (isLocked) client.prepare('ROLLBACK').run([])
  client.close()
}

function locks(client: SqliteClient, file: string, identity: string | null): boolean {
  try {
    // Nothing is ever written: a journal would only be one more file to clear away.
    client.prepare('PRAGMA journal_mode = OFF').all([])
    client.prepare('BEGIN EXCLUSIVE').run([])
    return true
  } catch (error) {
    // SQLite finds fault with a file that is gone, and not always the same one.
    if (isBusy(toStorageError(error)) || identityOf(file) !== identity) return false
    throw error
  }
}
