import type { StorageError } from '../../src/database/storage-error.js'
import { type WriterConnection } from '../../src/database/sqlite/sqlite-writer.js'

/** A connection that writes down what it is told, and fails where it should. */
export class RecordingConnection implements WriterConnection {
  readonly texts: string[] = []
  readonly #failing: ReadonlyMap<string, StorageError>

  constructor(failing: Readonly<Record<string, StorageError>> = {}) {
    this.#failing = new Map(Object.entries(failing))
  }

  async query(text: string): Promise<[]> {
    await this.execute(text)
    return []
  }

  async row(text: string): Promise<null> {
    await this.execute(text)
    return null
  }

  async execute(text: string): Promise<number> {
    this.texts.push(text)
    const fault = this.#failing.get(text)
    if (fault !== undefined) throw fault
    return 1
  }

  insert(text: string): Promise<number> {
    return this.execute(text)
  }

  attempt(text: string): Promise<number> {
    return this.execute(text)
  }

  commit(): Promise<number> {
    return this.execute('COMMIT')
  }

  rollBack(): Promise<number> {
    return this.execute('ROLLBACK')
  }
}

export const alone = { alone: true }

export const shared = { alone: false }
