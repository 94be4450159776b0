import type { AnswerBounds, AnswerRow, AnswerRows } from '../answer-rows.js'
import { databaseTime } from './database-time.js'
import { number, text } from './row-values.js'
import { maxDeleted, ServiceTable } from './service-table.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableNames } from './table-names.js'

const columns = ['name', 'owner', 'fingerprint', 'expires_at', 'size', 'answer']

/** The answers to requests with an `Idempotency-Key`, in a table. */
export class SqlAnswerRows implements AnswerRows {
  readonly #database: SqlDatabase
  readonly #table: string
  readonly #rows: ServiceTable

  constructor(database: SqlDatabase, { answers }: TableNames) {
    this.#database = database
    this.#table = answers
    this.#rows = new ServiceTable(database, this.#table)
  }

  async read(name: string, now: number | null): Promise<AnswerRow | null> {
    const { reader, dialect } = this.#database
    const present = databaseTime(dialect, now)
    const row = await reader.row(
      `SELECT owner, fingerprint, expires_at, answer, ${present.text} FROM ${this.#table} WHERE name = ?`,
      [...present.values, name],
    )
    if (row === null) return null
    const [owner, fingerprint, expiresAt, answer, readAt] = row
    return {
      owner: text(owner),
      fingerprint: text(fingerprint),
      expiresIn: number(expiresAt) - number(readAt),
      answer: answer === null ? null : text(answer),
    }
  }

  async add(name: string, { owner, fingerprint, expiresIn, answer }: AnswerRow, now: number | null): Promise<void> {
    const { dialect } = this.#database
    const end = databaseTime(dialect, now, expiresIn)
    const insert = dialect.insertUnlessExists(this.#table, columns, `?, ?, ?, ${end.text}, ?, ?`)
    await this.#rows.execute(insert, [name, owner, fingerprint, ...end.values, answer?.length ?? 0, answer])
  }

  async change(
    name: string,
    owner: string,
    { expiresIn, answer }: Pick<AnswerRow, 'expiresIn' | 'answer'>,
    now: number | null,
  ): Promise<void> {
    const end = databaseTime(this.#database.dialect, now, expiresIn)
    const update = `UPDATE ${this.#table} SET expires_at = ${end.text}, size = ?, answer = ?
      WHERE name = ? AND owner = ? AND answer IS NULL`
    await this.#rows.execute(update, [...end.values, answer?.length ?? 0, answer, name, owner])
  }

  async remove(name: string, owner: string): Promise<void> {
    await this.#rows.execute(`DELETE FROM ${this.#table} WHERE name = ? AND owner = ?`, [name, owner])
  }

  async sweep(now: number | null, { rows: maxRows, characters }: AnswerBounds): Promise<void> {
    const present = databaseTime(this.#database.dialect, now)
    const hasExpired = `expires_at <= ${present.text}`
    for (let deleted = maxDeleted; deleted === maxDeleted;)
      deleted = await this.#rows.deleteFirst(hasExpired, present.values, 'expires_at', maxDeleted)
    for (;;) {
      const row = await this.#database.reader.row(`SELECT COUNT(*), SUM(size) FROM ${this.#table}`)
      const count = number(row?.[0])
      const excess = Math.min(count - maxRows, maxDeleted)
      const deleted = excess > 0 ? excess : number(row?.[1]) > characters ? Math.max(1, Math.ceil(count / 20)) : 0
      if (deleted === 0 || (await this.#rows.deleteFirst('answer IS NOT NULL', [], 'expires_at', deleted)) === 0) return
    }
  }
}
