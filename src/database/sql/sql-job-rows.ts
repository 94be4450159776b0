import type { JobClaim, JobRow, JobRows, JobState, NewJob } from '../job-rows.js'
import { databaseTime } from './database-time.js'
import { number, placeholders, text } from './row-values.js'
import type { SqlFragment, SqlRow } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'

const columns = 'id, name, payload, state, due_at, holder, attempts, error, request_id, created_at'

/** No process holds the job: it waits, has failed, or its process has lost it. */
const isFree = (now: string): string => `(holder = '' OR due_at <= ${now})`

/** The rows of jobs in a table, which the processes of a service share. */
export class SqlJobRows implements JobRows {
  readonly #table: string
  readonly #dialect: SqlDialect
  readonly #session: SqlSession

  constructor({ jobs }: TableNames, dialect: SqlDialect, session: SqlSession) {
    this.#table = jobs
    this.#dialect = dialect
    this.#session = session
  }

  async add({ name, payload, request_id, due }: NewJob, now: number | null): Promise<number> {
    const dueAt = 'at' in due ? { text: '?', values: [due.at] } : this.#at(now, due.in)
    const createdAt = this.#at(now)
    return this.#session.insert(
      `INSERT INTO ${this.#table} (name, payload, state, holder, attempts, error, request_id, due_at, created_at)
      VALUES (?, ?, 'open', '', 0, '', ?, ${dueAt.text}, ${createdAt.text})`,
      [name, payload, request_id, ...dueAt.values, ...createdAt.values],
      'id',
    )
  }

  async claim({ names, holder, lease, limit }: JobClaim, now: number | null): Promise<readonly JobRow[]> {
    const { reader } = this.#session
    const present = this.#at(now)
    const due = await reader.query(
      `SELECT id FROM ${this.#table} WHERE state = 'open' AND due_at <= ${present.text} AND name IN (${placeholders(names.length)})
      ORDER BY due_at, id LIMIT ${limit}`,
      [...present.values, ...names],
    )
    if (due.length === 0) return []
    // When several processes have read a row, the first one to change it has claimed it: for the others it is not due any more.
    // In ascending order of ids, they cannot wait for each other in a cycle.
    const inOrder = due.map(([id]) => number(id))
    const ids = inOrder.toSorted((left, right) => left - right)
    const end = this.#at(now, lease)
    await this.#session.execute(
      `UPDATE ${this.#table} SET holder = ?, due_at = ${end.text}, attempts = attempts + 1
      WHERE id IN (${placeholders(ids.length)}) AND state = 'open' AND due_at <= ${present.text}`,
      [holder, ...end.values, ...ids, ...present.values],
    )
    const rows = await reader.query(
      `SELECT ${columns} FROM ${this.#table} WHERE id IN (${placeholders(ids.length)}) AND holder = ?`,
      [...ids, holder],
    )
    return rows.map(rowOf).toSorted((left, right) => inOrder.indexOf(left.id) - inOrder.indexOf(right.id))
  }

  async extend(
    ids: readonly number[],
    holder: string,
    lease: number,
    now: number | null,
  ): Promise<ReadonlySet<number>> {
    const end = this.#at(now, lease)
    const held = `id IN (${placeholders(ids.length)}) AND holder = ? AND state = 'open'`
    const extended = await this.#session.execute(`UPDATE ${this.#table} SET due_at = ${end.text} WHERE ${held}`, [
      ...end.values,
      ...ids,
      holder,
    ])
    if (extended === ids.length) return new Set(ids)
    const rows = await this.#session.reader.query(`SELECT id FROM ${this.#table} WHERE ${held}`, [...ids, holder])
    return new Set(rows.map(([id]) => number(id)))
  }

  async finish(id: number, holder: string): Promise<boolean> {
    return (await this.#session.execute(`DELETE FROM ${this.#table} WHERE id = ? AND holder = ?`, [id, holder])) > 0
  }

  async fail(
    { id, holder, error }: { readonly id: number; readonly holder: string; readonly error: string },
    retryIn: number | null,
    now: number | null,
  ): Promise<boolean> {
    const due = this.#at(now, retryIn ?? 0)
    const failed = await this.#session.execute(
      `UPDATE ${this.#table} SET state = ?, holder = '', due_at = ${due.text}, error = ? WHERE id = ? AND holder = ?`,
      [retryIn === null ? 'failed' : 'open', ...due.values, error, id, holder],
    )
    return failed > 0
  }

  async giveBack(id: number, holder: string, delay: number, now: number | null): Promise<void> {
    const due = this.#at(now, delay)
    await this.#session.execute(
      `UPDATE ${this.#table} SET holder = '', due_at = ${due.text}, attempts = attempts - 1 WHERE id = ? AND holder = ?`,
      [...due.values, id, holder],
    )
  }

  async list({
    state,
    after,
    limit,
  }: {
    readonly state: JobState | null
    readonly after: number
    readonly limit: number
  }): Promise<readonly JobRow[]> {
    const [condition, values] = state === null ? ['', []] : [' AND state = ?', [state]]
    const rows = await this.#session.reader.query(
      `SELECT ${columns} FROM ${this.#table} WHERE id > ?${condition} ORDER BY id LIMIT ${limit}`,
      [after, ...values],
    )
    return rows.map(rowOf)
  }

  async openNames(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#session.reader.query(
      `SELECT name, COUNT(*) FROM ${this.#table} WHERE state = 'open' GROUP BY name`,
    )
    return new Map(rows.map(([name, count]) => [text(name), number(count)]))
  }

  async retry(id: number | null, now: number | null): Promise<number> {
    const due = this.#at(now)
    const { text: condition, values } = this.#freeOf(id, due)
    return this.#session.execute(
      `UPDATE ${this.#table} SET state = 'open', holder = '', due_at = ${due.text}, attempts = 0 WHERE ${condition}`,
      [...due.values, ...values],
    )
  }

  async remove(id: number | null, now: number | null): Promise<number> {
    const { text: condition, values } = this.#freeOf(id, this.#at(now))
    return this.#session.execute(`DELETE FROM ${this.#table} WHERE ${condition}`, values)
  }

  #freeOf(id: number | null, now: SqlFragment): SqlFragment {
    return id === null
      ? { text: `state = 'failed'`, values: [] }
      : { text: `id = ? AND ${isFree(now.text)}`, values: [id, ...now.values] }
  }

  #at(now: number | null, offset = 0): SqlFragment {
    return databaseTime(this.#dialect, now, offset)
  }
}

const rowOf = ([id, name, payload, state, dueAt, holder, attempts, error, requestId, createdAt]: SqlRow): JobRow => ({
  id: number(id),
  name: text(name),
  payload: text(payload),
  state: text(state) === 'failed' ? 'failed' : 'open',
  due_at: number(dueAt),
  holder: text(holder),
  attempts: number(attempts),
  error: text(error),
  request_id: text(requestId),
  created_at: number(createdAt),
})
