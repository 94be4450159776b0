import type { ScheduledPost, ScheduledRows } from '../scheduled-rows.js'
import { number, text } from './row-values.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'
import type { TermCounts } from './term-counts.js'

/** The texts of the statements about scheduled posts: those whose status is `future` until their date. */
export interface ScheduledStatements {
  readonly due: string
  readonly dueAfter: string
  readonly publish: string
}

/** The status is part of the texts and not a bound value, because the partial index of scheduled posts has it as its condition. */
export function scheduledStatements({ posts }: TableNames): ScheduledStatements {
  const due = (condition: string): string =>
    `SELECT ID, post_date_gmt FROM ${posts} WHERE post_status = 'future' AND post_date_gmt <= ?${condition}
    ORDER BY post_date_gmt, ID LIMIT ?`
  return {
    due: due(''),
    dueAfter: due(' AND (post_date_gmt, ID) > (?, ?)'),
    publish: `UPDATE ${posts} SET post_status = 'publish'
      WHERE ID = ? AND post_status = 'future' AND post_date_gmt <= ?`,
  }
}

/** Finds scheduled posts whose date has come, and publishes them, by SQL. */
export class SqlScheduledRows implements ScheduledRows {
  readonly #statements: ScheduledStatements
  readonly #counts: TermCounts
  readonly #session: SqlSession

  constructor(statements: ScheduledStatements, counts: TermCounts, session: SqlSession) {
    this.#statements = statements
    this.#counts = counts
    this.#session = session
  }

  async due(until: string, after: ScheduledPost | null, limit: number): Promise<readonly ScheduledPost[]> {
    const { due, dueAfter } = this.#statements
    const { reader } = this.#session
    const rows = await (after === null
      ? reader.query(due, [until, limit])
      : reader.query(dueAfter, [until, after.date, after.id, limit]))
    return rows.map(([id, date]) => ({ id: number(id), date: text(date) }))
  }

  publish(id: number, until: string): Promise<boolean> {
    const { publish } = this.#statements
    return this.#session.write(async (connection) => {
      if ((await connection.execute(publish, [id, until])) === 0) return false
      await this.#counts.recountOfPost(connection, id)
      return true
    })
  }
}
