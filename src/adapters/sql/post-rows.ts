import type { PostQuery, PostRow, PostRows, PostWithMeta, TermRow } from '../../storage/storage.js'
import { assignments } from './assignments.js'
import { SqlMetaRows } from './meta-rows.js'
import { POST_COLUMNS, postOf, postWithMetaOf } from './post-columns.js'
import { oneOfTexts, postConditions, postOrder } from './post-query.js'
import type { PostStatements } from './post-statements.js'
import { countOrNone, number, text } from './row-values.js'
import type { SqlFragment } from './sql-database.js'
import type { SqlSession } from './sql-session.js'
import { recountTerms } from './term-counts.js'
import { termOf, termSelect } from './term-columns.js'
import { equalWithoutCaseAndAccents, unaccented } from './text-comparison.js'

export class SqlPostRows implements PostRows {
  readonly meta: SqlMetaRows
  readonly #statements: PostStatements
  readonly #session: SqlSession

  constructor(statements: PostStatements, session: SqlSession) {
    this.#statements = statements
    this.#session = session
    this.meta = new SqlMetaRows(statements.meta, session)
  }

  async find(id: number): Promise<PostRow | null> {
    const [row] = await this.#session.reader.query(this.#statements.find, [id])
    return row === undefined ? null : postOf(row)
  }

  async findWithMeta(ids: readonly number[]): Promise<readonly PostWithMeta[]> {
    const { selectWithMeta, tables, dialect } = this.#statements
    if (ids.length === 0) return []
    const picked: SqlFragment = ids.length === 1 ? { text: 'p.ID = ?', values: ids } : dialect.isOneOf('p.ID', ids)
    const rows = await this.#session.reader.query(
      `${selectWithMeta} FROM ${tables.posts} p WHERE ${picked.text}`,
      picked.values,
    )
    const found = new Map(rows.map((row) => [number(row[0]), row]))
    return ids.flatMap((id) => {
      const row = found.get(id)
      return row === undefined ? [] : [postWithMetaOf(row)]
    })
  }

  async list(query: PostQuery): Promise<readonly PostWithMeta[]> {
    if (query.limit < 1) return []
    const { selectWithMeta, tables, dialect } = this.#statements
    const where = postConditions(query, tables, dialect)
    const order = postOrder(query.order, tables, dialect)
    // The ids come from an index, which skips a deep page without reading rows; only the page's own rows are read.
    const ids = `SELECT p.ID AS page_id FROM ${tables.posts} p ${where.text} ${order.text} ${dialect.page}`
    const rows = await this.#session.reader.query(`${selectWithMeta} ${dialect.fromPage(ids, tables.posts)}`, [
      ...where.values,
      ...order.values,
      countOrNone(query.limit),
      countOrNone(query.offset),
    ])
    return rows.map(postWithMetaOf)
  }

  async count(query: PostQuery): Promise<number> {
    const { tables, dialect } = this.#statements
    const where = postConditions(query, tables, dialect)
    const [row] = await this.#session.reader.query(`SELECT COUNT(*) FROM ${tables.posts} p ${where.text}`, where.values)
    return number(row?.[0])
  }

  insert(row: Omit<PostRow, 'ID'> & { readonly ID?: number }): Promise<number> {
    const [, ...withoutId] = POST_COLUMNS
    const values = withoutId.map((column) => row[column])
    const { insert, insertWithId } = this.#statements
    return this.#session.write((connection) =>
      row.ID === undefined
        ? connection.insert(insert, values, 'ID')
        : connection.insert(insertWithId, [row.ID, ...values], 'ID'),
    )
  }

  async update(id: number, change: Partial<Omit<PostRow, 'ID'>>): Promise<boolean> {
    const [, ...changeable] = POST_COLUMNS
    const { tables, exists, recountTermsOfPost } = this.#statements
    const set = assignments(changeable, change)
    if (set === null) return (await this.#session.reader.query(exists, [id])).length > 0
    return this.#session.write(async (connection) => {
      const found = await connection.execute(`UPDATE ${tables.posts} SET ${set.text} WHERE ID = ?`, [...set.values, id])
      if (found > 0 && change.post_status !== undefined) await connection.execute(recountTermsOfPost, [id])
      return found > 0
    })
  }

  delete(id: number): Promise<boolean> {
    const { termTaxonomies, removeTerms, remove, meta, tables, dialect } = this.#statements
    return this.#session.write(async (connection) => {
      const related = (await connection.query(termTaxonomies, [id])).map(([termTaxonomy]) => number(termTaxonomy))
      await connection.execute(meta.removeAll, [id])
      if (related.length > 0) await connection.execute(removeTerms, [id])
      const removed = await connection.execute(remove, [id])
      await recountTerms(connection, tables, dialect, related)
      return removed > 0
    })
  }

  async slugTaken(question: {
    slug: string
    types: readonly string[]
    parent?: number
    exceptId: number
  }): Promise<boolean> {
    const { tables, dialect } = this.#statements
    const { reader } = this.#session
    const types = oneOfTexts('post_type', question.types)
    const below = question.parent === undefined ? '' : ' AND post_parent = ?'
    const rest = `${types.text}${below} AND ID <> ?`
    const values = [...types.values, ...(question.parent === undefined ? [] : [question.parent]), question.exceptId]
    const same = await reader.query(`SELECT 1 FROM ${tables.posts} WHERE post_name IN (?, ?) AND ${rest} LIMIT 1`, [
      question.slug,
      unaccented(question.slug),
      ...values,
    ])
    if (same.length > 0) return true
    const outside = dialect.comparedOutside('post_name')
    if (outside === null) return false
    // Slugs made by `sanitize_title` are ASCII, so these are the few that something else has written.
    const candidates = await reader.query(`SELECT post_name FROM ${tables.posts} WHERE ${outside} AND ${rest}`, values)
    return candidates.some(([stored]) => equalWithoutCaseAndAccents(text(stored), question.slug))
  }

  setTerms(id: number, taxonomy: string, termIds: readonly number[]): Promise<void> {
    const { termTaxonomiesIn, removeTermsOfTaxonomy, relate, tables, dialect } = this.#statements
    return this.#session.write(async (connection) => {
      const before = await connection.query(termTaxonomiesIn, [id, taxonomy])
      const wanted = dialect.isOneOf('term_id', termIds)
      const after = await connection.query(
        `SELECT term_taxonomy_id FROM ${tables.term_taxonomy} WHERE taxonomy = ? AND ${wanted.text}`,
        [taxonomy, ...wanted.values],
      )
      await connection.execute(removeTermsOfTaxonomy, [id, taxonomy])
      for (const [termTaxonomy] of after) await connection.execute(relate, [id, number(termTaxonomy)])
      const affected = new Set([...before, ...after].map(([termTaxonomy]) => number(termTaxonomy)))
      await recountTerms(connection, tables, dialect, [...affected])
    })
  }

  async termsOf(id: number, taxonomy: string): Promise<readonly TermRow[]> {
    const { tables } = this.#statements
    const rows = await this.#session.reader.query(
      `${termSelect(tables)} JOIN ${tables.term_relationships} r ON r.term_taxonomy_id = x.term_taxonomy_id
      WHERE r.object_id = ? AND x.taxonomy = ? ORDER BY t.name, t.term_id`,
      [id, taxonomy],
    )
    return rows.map(termOf)
  }
}
