import { number, placeholders } from './row-values.js'
import type { SqlFragment, SqlTransaction } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** Sets the counts of all terms to what triggers have counted. */
const takeOverCounts = ({ term_taxonomy, counts }: TableNames): string =>
  `UPDATE ${term_taxonomy} SET count = (SELECT COALESCE(SUM(c.n), 0) FROM ${counts} c
    WHERE c.term_taxonomy_id = ${term_taxonomy}.term_taxonomy_id AND c.post_status = 'publish')`

/** Counts the published posts of all terms. */
export const recountStatement = ({ term_taxonomy, term_relationships, posts }: TableNames): string =>
  `UPDATE ${term_taxonomy} SET count = (SELECT COUNT(*) FROM ${term_relationships} o
    JOIN ${posts} p ON p.ID = o.object_id
    WHERE o.term_taxonomy_id = ${term_taxonomy}.term_taxonomy_id AND p.post_status = 'publish')`

/** Maximum number of terms that one statement names. */
const maxNamed = 128

/** Keeps the number of published posts that each term has. */
export class TermCounts {
  readonly #dialect: SqlDialect
  readonly #lock: string
  readonly #recount: string
  readonly #ofPost: string

  constructor(tables: TableNames, dialect: SqlDialect) {
    const { term_taxonomy, term_relationships } = tables
    this.#dialect = dialect
    this.#lock = `SELECT term_taxonomy_id FROM ${term_taxonomy} WHERE`
    this.#recount = `${dialect.hasLists ? takeOverCounts(tables) : recountStatement(tables)} WHERE`
    this.#ofPost = `term_taxonomy_id IN (SELECT r.term_taxonomy_id FROM ${term_relationships} r WHERE r.object_id = ?)`
  }

  /** Counts for some terms. */
  async recount(connection: SqlTransaction, termTaxonomyIds: readonly number[]): Promise<void> {
    if (termTaxonomyIds.length > 0)
      await this.#recountWhere(connection, this.#dialect.isOneOf('term_taxonomy_id', termTaxonomyIds))
  }

  /** Counts for all terms of a post. */
  recountOfPost(connection: SqlTransaction, id: number): Promise<void> {
    return this.#recountWhere(connection, { text: this.#ofPost, values: [id] })
  }

  async #recountWhere(connection: SqlTransaction, { text, values }: SqlFragment): Promise<void> {
    const { locking } = connection
    if (!locking && !this.#dialect.hasLists) {
      await connection.execute(`${this.#recount} ${text}`, values)
      return
    }
    // An update that waits for another writer counts the posts as they were before it waited, so the rows are locked first. The
    // update names them, because MariaDB reads all terms for one whose condition is a query.
    const rows = await connection.query(`${this.#lock} ${text} ORDER BY term_taxonomy_id${locking ?? ''}`, values)
    for (let start = 0; start < rows.length; start += maxNamed) {
      const ids = rows.slice(start, start + maxNamed).map(([id]) => number(id))
      // Powers of two, so that there are few statements.
      while (!Number.isInteger(Math.log2(ids.length))) ids.push(ids[0] ?? 0)
      await connection.execute(`${this.#recount} term_taxonomy_id IN (${placeholders(ids.length)})`, ids)
    }
  }
}
