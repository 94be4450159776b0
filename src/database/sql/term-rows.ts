import type { TermKey, TermRow, TermRows } from '../term-rows.js'
import { firstFreeName } from './free-name.js'
import { metaStatements, SqlMetaRows } from './meta-rows.js'
import { number } from './row-values.js'
import type { RowEffects } from './row-effects.js'
import type { SqlConnection, SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'
import { termOf, termSelect } from './term-columns.js'

type NewTerm = Parameters<TermRows['insert']>[0]

/** The rows of `wp_terms` and `wp_term_taxonomy`, by SQL and the row cache. */
export class SqlTermRows implements TermRows {
  readonly #tables: TableNames
  readonly #dialect: SqlDialect
  readonly #session: SqlSession
  readonly #effects: RowEffects | null
  readonly meta: SqlMetaRows

  constructor(tables: TableNames, dialect: SqlDialect, session: SqlSession, effects: RowEffects | null = null) {
    this.#effects = effects
    this.#tables = tables
    this.#dialect = dialect
    this.#session = session
    this.meta = new SqlMetaRows(metaStatements(tables.termmeta, 'meta_id', 'term_id'), session)
  }

  async find(taxonomy: string, key: TermKey): Promise<TermRow | null> {
    const { text, values } = conditionOf(key, this.#dialect)
    const [row] = await this.#session.reader.query(
      `${termSelect(this.#tables)} WHERE ${text} AND x.taxonomy = ? ORDER BY t.term_id LIMIT 1`,
      [...values, taxonomy],
    )
    return row === undefined ? null : termOf(row)
  }

  async findMany(taxonomy: string, ids: readonly number[]): Promise<readonly TermRow[]> {
    if (ids.length === 0) return []
    const { text, values } = this.#dialect.isOneOf('t.term_id', ids)
    const rows = await this.#session.reader.query(
      `${termSelect(this.#tables)} WHERE ${text} AND x.taxonomy = ? ORDER BY t.term_id`,
      [...values, taxonomy],
    )
    return rows.map(termOf)
  }

  async list(taxonomy: string): Promise<readonly TermRow[]> {
    const rows = await this.#session.reader.query(
      `${termSelect(this.#tables)} WHERE x.taxonomy = ? ORDER BY t.name, t.term_id`,
      [taxonomy],
    )
    return rows.map(termOf)
  }

  insert(term: NewTerm): Promise<number> {
    return this.#session.write(async (connection) => {
      const id = await this.#termId(connection, term)
      await connection.insert(
        `INSERT INTO ${this.#tables.term_taxonomy} (term_id, taxonomy, description, parent, count) VALUES (?, ?, ?, ?, 0)`,
        [id, term.taxonomy, term.description ?? '', term.parent ?? 0],
        'term_taxonomy_id',
      )
      await this.#effects?.changedTerms(connection, term.taxonomy)
      return id
    })
  }

  /** Inserts the term, unless its id exists: such a term is added to another taxonomy and keeps its name. @returns the id. */
  async #termId(connection: SqlConnection, term: NewTerm): Promise<number> {
    const { terms } = this.#tables
    if (term.term_id === undefined) {
      const id = await connection.insert(
        `INSERT INTO ${terms} (name, slug, term_group) VALUES (?, ?, 0)`,
        [term.name, term.slug ?? ''],
        'term_id',
      )
      if (term.slug === null)
        await connection.execute(`UPDATE ${terms} SET slug = ? WHERE term_id = ?`, [String(id), id])
      return id
    }
    const existing = await connection.query(`SELECT 1 FROM ${terms} WHERE term_id = ?`, [term.term_id])
    if (existing.length > 0) return term.term_id
    return connection.insert(
      `INSERT INTO ${terms} (term_id, name, slug, term_group) VALUES (?, ?, ?, 0)`,
      [term.term_id, term.name, term.slug ?? String(term.term_id)],
      'term_id',
    )
  }

  delete(taxonomy: string, id: number): Promise<boolean> {
    const { terms, termmeta, term_taxonomy, term_relationships } = this.#tables
    return this.#session.write(async (connection) => {
      const [row] = await connection.query(
        `SELECT term_taxonomy_id, parent FROM ${term_taxonomy} WHERE term_id = ? AND taxonomy = ?`,
        [id, taxonomy],
      )
      if (row === undefined) return false
      const termTaxonomy = number(row[0])
      await connection.execute(`DELETE FROM ${term_relationships} WHERE term_taxonomy_id = ?`, [termTaxonomy])
      await connection.execute(`DELETE FROM ${term_taxonomy} WHERE term_taxonomy_id = ?`, [termTaxonomy])
      await connection.execute(`UPDATE ${term_taxonomy} SET parent = ? WHERE parent = ? AND taxonomy = ?`, [
        number(row[1]),
        id,
        taxonomy,
      ])
      const elsewhere = await connection.query(`SELECT 1 FROM ${term_taxonomy} WHERE term_id = ? LIMIT 1`, [id])
      if (elsewhere.length === 0) {
        await connection.execute(`DELETE FROM ${termmeta} WHERE term_id = ?`, [id])
        await connection.execute(`DELETE FROM ${terms} WHERE term_id = ?`, [id])
      }
      await this.#effects?.changedTerms(connection, taxonomy)
      return true
    })
  }

  firstFreeSlug(taxonomy: string, slugs: readonly string[]): Promise<string | null> {
    const { terms, term_taxonomy } = this.#tables
    // `CROSS JOIN` keeps SQLite from reading the whole taxonomy.
    const from = `${terms} t CROSS JOIN ${term_taxonomy} x`
    const condition = { text: ' AND x.term_id = t.term_id AND x.taxonomy = ?', values: [taxonomy] }
    return firstFreeName(slugs, { from, column: 't.slug', condition, outside: null }, this.#session, this.#dialect)
  }
}

/** A condition over `terms t` that an index serves. */
function conditionOf(key: TermKey, { exactText, indexedName = (expression) => expression }: SqlDialect): SqlFragment {
  if ('id' in key) return { text: 't.term_id = ?', values: [key.id] }
  if ('slug' in key) return { text: 't.slug = ?', values: [key.slug] }
  // The index compares without case and accents.
  const below =
    key.parent === undefined ? { text: '', values: [] } : { text: ' AND x.parent = ?', values: [key.parent] }
  return {
    text: `${indexedName('t.name')} = ${indexedName('?')} AND ${exactText('t.name')} = ${exactText('?')}${below.text}`,
    values: [key.name, key.name, ...below.values],
  }
}
