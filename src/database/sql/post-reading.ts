import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { MetaEntry, PostColumn, PostSelection, PostWithMeta } from '../storage.js'
import type { RowSet } from '../row-set.js'
import { uncachedRows, type RowCache, type RowRead } from './row-cache.js'
import { columnsAsJson, postOf } from './post-columns.js'
import { firstOfKeys, metaEntries, text as textOf, valuesOfKeys, type MetaTriple } from './row-values.js'
import type { SqlFragment, SqlReader, SqlRow, SqlValue } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'

/** Maximum number of rows that are read as one value. The text of more could exceed the maximum length of a text. */
const maxJsonRows = 100
/** Maximum number of cached statements: more kinds of queries than an application has. */
const maxStatements = 256
/** Each key is a subselect. Reading all metadata and selecting from it costs as much as three to six of them. */
const maxKeys = 8

/** A query for rows of `posts p`. */
export interface RowsQuery {
  /** Queries with one key have one result at any one moment. */
  readonly key: string
  /** Maximum number of rows. */
  readonly maxRows: number
  /** Whether the rows are those of `SqlDialect.fromPage`. */
  readonly isPage: boolean
  /** See `RowRead.isReadAgain`. */
  readonly isReadAgain?: boolean
  /** The SQL of the query. Called only when the rows must be read. */
  toSql(): MaybePromise<QuerySql>
  /** See `RowRead.tagsOf`. Called only for rows that are cached. */
  tagsOf(rows: readonly PostWithMeta<never>[]): readonly string[] | null
}

export interface QuerySql {
  /** Queries of one shape have one text. */
  readonly shape: string
  /** The text after `SELECT`. */
  text(): string
  readonly values: readonly SqlValue[]
  /** The query to run in place of this one when it finds fewer rows than `RowsQuery.maxRows`. */
  readonly ifFewer?: QuerySql
}

/** The values of the columns, followed by the metadata. */
type JsonPost = readonly unknown[]

/** The part of a statement that reads metadata, with the function that decodes its values. */
interface MetaReading {
  readonly selected: readonly SqlFragment[]
  entriesOf(values: JsonPost): readonly MetaEntry[]
}

/** Reads the id and some columns of posts, with all or some metadata. Each text is made once. */
export class PostReading<C extends PostColumn> {
  readonly #columns: readonly (C | 'ID')[]
  readonly #meta: MetaReading
  /** The values of the placeholders for metadata, which come first in a statement. */
  readonly #keys: readonly SqlValue[]
  /** One post. */
  readonly #one: Selects
  /** Several posts as one value: in any order, and in the order of a page. */
  readonly #several: Selects
  readonly #page: Selects
  /** A row for each post. */
  readonly #each: Selects
  readonly #eachOfPage: Selects
  readonly #cache: RowCache | null
  readonly #selectionKey: string

  /** @param selectionKey see `PostSelection.key`. */
  constructor(
    { columns, metaKeys }: PostSelection<C>,
    { postmeta }: TableNames,
    dialect: SqlDialect,
    cache: RowCache | null,
    selectionKey: string,
  ) {
    this.#cache = cache
    this.#selectionKey = selectionKey
    this.#columns = [...new Set<C | 'ID'>(['ID', ...columns])]
    const keys = metaKeys === undefined ? null : [...new Set(metaKeys)]
    this.#meta = metaReading(keys, this.#columns.length, postmeta, dialect)
    this.#keys = this.#meta.selected.flatMap(({ values }) => values)
    const meta = this.#meta.selected.map((fragment) => fragment.text)
    const { pageOrder } = dialect
    const row = dialect.listAsJson([...columnsAsJson(this.#columns, dialect), ...meta])
    this.#one = new Selects(row)
    this.#several = new Selects(dialect.rowsAsJson(row, null))
    this.#page = new Selects(dialect.rowsAsJson(row, pageOrder))
    this.#each = new Selects(row)
    this.#eachOfPage = new Selects(row, pageOrder === null ? '' : ` ORDER BY ${pageOrder}`)
  }

  rows(query: RowsQuery, { reader, freshness }: SqlSession): Promise<RowSet<PostWithMeta<C>>> {
    if (query.maxRows > maxJsonRows) return this.#oneByOne(query, reader)
    const read = new QueryRead(this, query, reader, `${this.#selectionKey} ${query.key}`)
    // A transaction also reads its own writes, which no other reader sees.
    return this.#cache === null || freshness === null ? uncachedRows(read) : this.#cache.rows(read, freshness)
  }

  /** The rows of a query of at most `maxJsonRows` as JSON. */
  readJson(query: RowsQuery, reader: SqlReader): MaybePromise<string> {
    return mapMaybePromise(query.toSql(), (sql) => this.#jsonOf(sql, query, reader))
  }

  #jsonOf(sql: QuerySql, query: RowsQuery, reader: SqlReader): MaybePromise<string> {
    const { maxRows, isPage } = query
    const selects = maxRows === 1 ? this.#one : isPage ? this.#page : this.#several
    return mapMaybePromise(reader.row(selects.of(sql), this.#valuesOf(sql)), (row) => {
      const json = textOf(row?.[0])
      const { ifFewer } = sql
      return ifFewer === undefined || this.decode(json, query).length === maxRows
        ? json
        : this.#jsonOf(ifFewer, query, reader)
    })
  }

  /** @param json the result of `readJson`. */
  decode(json: string, { maxRows }: RowsQuery): readonly PostWithMeta<C>[] {
    if (maxRows === 1) return json === '' ? [] : [this.#postOf(JSON.parse(json) as JsonPost)]
    return (JSON.parse(json || '[]') as readonly JsonPost[]).map((values) => this.#postOf(values))
  }

  /** Reads more than `maxJsonRows` rows: as one JSON text they could exceed the maximum length of a text. */
  async #oneByOne(query: RowsQuery, reader: SqlReader): Promise<RowSet<PostWithMeta<C>>> {
    const selects = query.isPage ? this.#eachOfPage : this.#each
    const run = (sql: QuerySql): MaybePromise<readonly SqlRow[]> => reader.query(selects.of(sql), this.#valuesOf(sql))
    const sql = await query.toSql()
    let rows = await run(sql)
    if (sql.ifFewer !== undefined && rows.length < query.maxRows) rows = await run(sql.ifFewer)
    return { rows: rows.map(this.#postIn), derived: null }
  }

  #valuesOf({ values }: QuerySql): readonly SqlValue[] {
    return this.#keys.length === 0 ? values : [...this.#keys, ...values]
  }

  readonly #postIn = ([json]: SqlRow): PostWithMeta<C> => this.#postOf(JSON.parse(textOf(json)) as JsonPost)

  #postOf(values: JsonPost): PostWithMeta<C> {
    return { post: postOf(values, this.#columns), meta: this.#meta.entriesOf(values) }
  }
}

/** The statements with one selection. The text of each shape of query is composed once. */
class Selects {
  readonly #texts = new Map<string, string>()
  readonly #selected: string
  readonly #end: string

  /** @param end of the statements. */
  constructor(selected: string, end = '') {
    this.#selected = selected
    this.#end = end
  }

  of(sql: QuerySql): string {
    const cached = this.#texts.get(sql.shape)
    if (cached !== undefined) return cached
    const text = `SELECT ${this.#selected} ${sql.text()}${this.#end}`
    if (this.#texts.size >= maxStatements) this.#texts.clear()
    this.#texts.set(sql.shape, text)
    return text
  }
}

/** The rows of one query, as the row cache reads them. One object in place of closures: each record that is read has one. */
class QueryRead<C extends PostColumn> implements RowRead<PostWithMeta<C>> {
  readonly isReadAgain: boolean

  constructor(
    readonly reading: PostReading<C>,
    readonly query: RowsQuery,
    readonly reader: SqlReader,
    readonly key: string,
  ) {
    this.isReadAgain = query.isReadAgain ?? false
  }

  read(): MaybePromise<string> {
    return this.reading.readJson(this.query, this.reader)
  }

  decode(json: string): readonly PostWithMeta<C>[] {
    return this.reading.decode(json, this.query)
  }

  tagsOf(rows: readonly PostWithMeta<C>[]): readonly string[] | null {
    return this.query.tagsOf(rows)
  }
}

/** @param start the position of the first value of metadata. */
function metaReading(keys: readonly string[] | null, start: number, table: string, dialect: SqlDialect): MetaReading {
  if (keys !== null && keys.length <= maxKeys) {
    return {
      selected: keys.map((key) => dialect.metadataOfKey(table, 'meta_id', 'post_id', 'p.ID', key, 'json')),
      entriesOf: (values) => valuesOfKeys(values, start, keys),
    }
  }
  const keySet = keys && new Set(keys)
  const all = (values: JsonPost): MetaEntry[] => metaEntries((values[start] ?? []) as readonly MetaTriple[])
  return {
    selected: [{ text: dialect.metadataAsJson(table, 'meta_id', 'post_id', 'p.ID'), values: [] }],
    entriesOf: keySet === null ? all : (values) => firstOfKeys(all(values), keySet),
  }
}
