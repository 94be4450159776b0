import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenSqliteClient, SqliteClient } from './sqlite-client.js'
import { isBusy, storageErrorOf } from './sqlite-fault.js'
import { makeFile } from './sqlite-location.js'

/**
 * The turn of one process to make the first start of a database; others wait for its end. It is a lock that ends with its
 * process, however that ends, on a file beside the database, which itself has to stay open for what the first start writes.
 */
export class FirstStartTurn {
  readonly #file: string
  #client: SqliteClient | null

  private constructor(file: string, client: SqliteClient | null) {
    this.#file = file
    this.#client = client
  }

  /** @param database path of the file. @returns when no other process has its turn. */
  static async take(open: OpenSqliteClient, database: string): Promise<FirstStartTurn> {
    const file = `${database}-first-start`
    makeFile(file)
    const client = open(file)
    try {
      while (!locks(client, file)) {
        if (existsSync(file)) await sleep(20 + Math.random() * 10)
        else {
          client.close()
          return new FirstStartTurn(file, null)
        }
      }
      return new FirstStartTurn(file, client)
    } catch (error) {
      client.close()
      throw error
    }
  }

  /** May be called twice. */
  end(): void {
    if (this.#client === null) return
    try {
      // Before others are let in. Whoever waits for it needs no turn any more: what there was to do is done, or has failed.
      rmSync(this.#file, { force: true })
    } catch {
      // Windows keeps a file that is open. It means nothing any more.
    }
    // By itself, since libsql closes later than it says.
    this.#client.prepare('ROLLBACK').run([])
    this.#client.close()
    this.#client = null
  }
}

function locks(client: SqliteClient, file: string): boolean {
  try {
    // Nothing is ever written: a journal would only be one more file to clear away.
    client.prepare('PRAGMA journal_mode = OFF').all([])
    client.prepare('BEGIN EXCLUSIVE').run([])
    return true
  } catch (error) {
    // SQLite finds fault with a file that is gone, and not always the same one.
    if (isBusy(storageErrorOf(error)) || !existsSync(file)) return false
    throw error
  }
}
