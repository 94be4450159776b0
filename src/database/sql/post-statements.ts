import type { RowCache } from './row-cache.js'
import type { RowEffects } from './row-effects.js'
import { IndexedMeta } from './indexed-meta.js'
import { metaStatements, type MetaStatements } from './meta-rows.js'
import { keyOfSelection, type PostColumn, type PostSelection } from '../storage.js'
import { columnsAsJson, postColumns } from './post-columns.js'
import { PostSearches } from './post-search.js'
import { PostReading } from './post-reading.js'
import { placeholders } from './row-values.js'
import { scheduledStatements, type ScheduledStatements } from './scheduled-rows.js'
import type { OwnedRows, SqlDialect } from './sql-dialect.js'
import { TermSizes } from './term-sizes.js'
import type { TableNames } from './table-names.js'
import { TermCounts } from './term-counts.js'

/** The statements about `wp_posts`, its metadata and terms. A storage composes them once and shares them with its transactions. */
export interface PostStatements {
  readonly dialect: SqlDialect
  readonly searches: PostSearches
  readonly tables: TableNames
  readonly rowCache: RowCache | null
  readonly effects: RowEffects | null
  readonly meta: MetaStatements
  readonly scheduled: ScheduledStatements
  readonly find: string
  reading<C extends PostColumn>(selection: PostSelection<C>): PostReading<C>
  readonly insert: string
  readonly insertWithId: string
  /** One statement for a row and `count` rows of metadata; null where the database has no such statement. */
  insertWithMeta(count: number): string | null
  /** As `insertWithMeta`, unless a post has the slug: see `SqlDialect.insertUnlessFound`. */
  insertUnlessTaken(count: number): string | null
  readonly exists: string
  readonly remove: string
  readonly termTaxonomies: string
  readonly removeTerms: string
  readonly removeTermsOfTaxonomy: string
  readonly termTaxonomiesIn: string
  readonly relate: string
  readonly counts: TermCounts
  readonly indexedMeta: IndexedMeta
  readonly termSizes: TermSizes
}

/** Maximum number of cached selections: more than the handlers of an application have. */
const maxReadings = 256

/** @param rowCache null: every row is read from the database. */
export function postStatements(
  tables: TableNames,
  dialect: SqlDialect,
  rowCache: RowCache | null,
  effects: RowEffects | null = null,
): PostStatements {
  const { posts, postmeta, term_taxonomy, term_relationships } = tables
  const [, ...withoutId] = postColumns
  const insert = `INSERT INTO ${posts} (${withoutId.join(', ')}) VALUES (${placeholders(withoutId.length)})`
  const insertsWithMeta = new Map<number, string>()
  const insertsUnlessTaken = new Map<number, string>()
  const metaOfNew = (count: number): OwnedRows => ({
    table: postmeta,
    ownerColumn: 'post_id',
    columns: ['meta_key', 'meta_value'],
    count,
  })
  const readings = new Map<string, unknown>()
  const counts = new TermCounts(tables, dialect)
  return {
    dialect,
    searches: new PostSearches(tables, dialect),
    tables,
    rowCache,
    effects,
    meta: metaStatements(postmeta, 'meta_id', 'post_id'),
    scheduled: scheduledStatements(tables),
    find: `SELECT ${dialect.listAsJson(columnsAsJson(postColumns, dialect))} FROM ${posts} p WHERE p.ID = ?`,
    reading<C extends PostColumn>(selection: PostSelection<C>) {
      const key = selection.key ?? keyOfSelection(selection)
      const cached = readings.get(key)
      if (cached !== undefined) return cached as PostReading<C>
      const reading = new PostReading(selection, tables, dialect, rowCache, key)
      if (readings.size >= maxReadings) readings.clear()
      readings.set(key, reading)
      return reading
    },
    insert,
    insertWithMeta(count) {
      if (dialect.insertWithRows === undefined) return null
      const text = insertsWithMeta.get(count) ?? dialect.insertWithRows(insert, 'ID', metaOfNew(count))
      insertsWithMeta.set(count, text)
      return text
    },
    insertUnlessTaken(count) {
      if (dialect.insertUnlessFound === undefined || dialect.comparedOutside('post_name') !== null) return null
      const taken = `SELECT 1 FROM ${posts} WHERE post_name = ?`
      const row = { table: posts, idColumn: 'ID', columns: withoutId }
      const text = insertsUnlessTaken.get(count) ?? dialect.insertUnlessFound(taken, row, metaOfNew(count), tables)
      insertsUnlessTaken.set(count, text)
      return text
    },
    insertWithId: `INSERT INTO ${posts} (${postColumns.join(', ')}) VALUES (${placeholders(postColumns.length)})`,
    exists: `SELECT 1 FROM ${posts} WHERE ID = ?`,
    remove: `DELETE FROM ${posts} WHERE ID = ?`,
    termTaxonomies: `SELECT term_taxonomy_id FROM ${term_relationships} WHERE object_id = ?`,
    removeTerms: `DELETE FROM ${term_relationships} WHERE object_id = ?`,
    removeTermsOfTaxonomy: `DELETE FROM ${term_relationships} WHERE object_id = ?
      AND term_taxonomy_id IN (SELECT term_taxonomy_id FROM ${term_taxonomy} WHERE taxonomy = ?)`,
    termTaxonomiesIn: `SELECT r.term_taxonomy_id FROM ${term_relationships} r
      JOIN ${term_taxonomy} x ON x.term_taxonomy_id = r.term_taxonomy_id WHERE r.object_id = ? AND x.taxonomy = ?`,
    relate: `INSERT INTO ${term_relationships} (object_id, term_taxonomy_id, term_order) VALUES (?, ?, 0)`,
    counts,
    indexedMeta: new IndexedMeta(),
    termSizes: new TermSizes(),
  }
}
