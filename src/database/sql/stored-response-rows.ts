import type { StoredResponseBounds, StoredResponseRow, StoredResponseRows } from '../stored-response-rows.js'
import { databaseTime } from './database-time.js'
import { number, text } from './row-values.js'
import { ServiceTable } from './service-table.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableNames } from './table-names.js'

/**
 * Maximum number of rows that one statement deletes. On SQLite, requests wait for a statement, and a response has up to 256 KiB: a
 * thousand of them take 0.2 s.
 */
const maxDeleted = 100

const columns = ['name', 'owner', 'fingerprint', 'expires_at', 'size', 'response']

/** The responses to requests with an `Idempotency-Key`, in a table. */
export class SqlStoredResponseRows implements StoredResponseRows {
  readonly #database: SqlDatabase
  readonly #table: string
  readonly #rows: ServiceTable

  constructor(database: SqlDatabase, { storedResponses }: TableNames) {
    this.#database = database
    this.#table = storedResponses
    this.#rows = new ServiceTable(database, this.#table)
  }

  async read(name: string, now: number | null): Promise<StoredResponseRow | null> {
    const { reader, dialect } = this.#database
    const present = databaseTime(dialect, now)
    const row = await reader.row(
      `SELECT owner, fingerprint, expires_at, response, ${present.text} FROM ${this.#table} WHERE name = ?`,
      [...present.values, name],
    )
    if (row === null) return null
    const [owner, fingerprint, expiresAt, response, readAt] = row
    return {
      owner: text(owner),
      fingerprint: text(fingerprint),
      expiresIn: number(expiresAt) - number(readAt),
      response: response === null ? null : text(response),
    }
  }

  async add(
    name: string,
    { owner, fingerprint, expiresIn, response }: StoredResponseRow,
    now: number | null,
  ): Promise<void> {
    const { dialect } = this.#database
    const end = databaseTime(dialect, now, expiresIn)
    const insert = dialect.insertUnlessExists(this.#table, columns, `?, ?, ?, ${end.text}, ?, ?`)
    await this.#rows.execute(insert, [name, owner, fingerprint, ...end.values, response?.length ?? 0, response])
  }

  async change(
    name: string,
    owner: string,
    { expiresIn, response }: Pick<StoredResponseRow, 'expiresIn' | 'response'>,
    now: number | null,
  ): Promise<void> {
    const end = databaseTime(this.#database.dialect, now, expiresIn)
    const update = `UPDATE ${this.#table} SET expires_at = ${end.text}, size = ?, response = ?
      WHERE name = ? AND owner = ? AND response IS NULL`
    await this.#rows.execute(update, [...end.values, response?.length ?? 0, response, name, owner])
  }

  async remove(name: string, owner: string): Promise<void> {
    await this.#rows.execute(`DELETE FROM ${this.#table} WHERE name = ? AND owner = ?`, [name, owner])
  }

  async sweep(now: number | null, { rows: maxRows, characters }: StoredResponseBounds): Promise<void> {
    const present = databaseTime(this.#database.dialect, now)
    await this.#deleteFirst({ text: `expires_at <= ${present.text}`, values: present.values }, Infinity)
    for (;;) {
      const row = await this.#database.reader.row(`SELECT COUNT(*), SUM(size) FROM ${this.#table}`)
      const count = number(row?.[0])
      const excess = count - maxRows
      const superfluous = excess > 0 ? excess : number(row?.[1]) > characters ? Math.max(1, Math.ceil(count / 20)) : 0
      if (superfluous === 0) return
      if ((await this.#deleteFirst({ text: 'response IS NOT NULL', values: [] }, superfluous)) === 0) return
    }
  }

  /** Deletes the rows of a condition that expire first, a few at a time: requests run in between. @returns how many. */
  async #deleteFirst(condition: SqlFragment, limit: number): Promise<number> {
    for (let deleted = 0; ;) {
      const size = Math.min(limit - deleted, maxDeleted)
      const count = size > 0 ? await this.#rows.deleteFirst(condition, 'expires_at', size) : 0
      deleted += count
      if (count < maxDeleted) return deleted
    }
  }
}
