import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import { tagsOfTypes } from '../kind-versions.js'
import type { RowSet } from '../row-set.js'
import type {
  CommentStatuses,
  FreeSlug,
  MetaEntry,
  MovedChildren,
  PostColumn,
  PostQuery,
  PostRow,
  PostRows,
  PostSearch,
  PostSelection,
  PostWithMeta,
  SlugTaken,
} from '../storage.js'
import type { TermRow } from '../term-rows.js'
import { assignments } from './assignments.js'
import { firstFreeName } from './free-name.js'
import { insertEntries, maxMetaRows, SqlMetaRows } from './meta-rows.js'
import { postColumns, postOf } from './post-columns.js'
import { countSql, isWalkable, pageSql, sizesSql, walkSql } from './post-lists.js'
import { keyOf, oneOfTexts, postSql, type PostSql } from './post-query.js'
import type { QuerySql, RowsQuery } from './post-reading.js'
import { PostsByIds } from './posts-by-ids.js'
import type { PostStatements } from './post-statements.js'
import { SqlScheduledRows } from './scheduled-rows.js'
import { countOrNone, number, text } from './row-values.js'
import type { SqlConnection, SqlFragment, SqlValue } from './sql-connection.js'
import type { SqlSession } from './sql-session.js'
import { termOf, termSelect } from './term-columns.js'
import { withNextId } from './with-next-id.js'
import { equalWithoutCaseAndAccents, isAscii, unaccented } from './text-comparison.js'

const [, ...WITHOUT_ID] = postColumns

const noRows = { rows: [], derived: null } as const

const everything: PostSelection = { key: 'all', columns: postColumns }
/** Where nothing is selected, `C` is every column. */
const wholePost = <C extends PostColumn>(): PostSelection<C> => everything as PostSelection<C>

type PageRange = Pick<PostQuery, 'limit' | 'offset'>

type RowWriter = Pick<SqlConnection, 'insert' | 'execute'>

/** The rows of `wp_posts` with their metadata and terms, by SQL and the row cache. */
export class SqlPostRows implements PostRows {
  readonly meta: SqlMetaRows
  readonly insertAtOnce?: NonNullable<PostRows['insertAtOnce']>
  #scheduled: SqlScheduledRows | null = null
  readonly #statements: PostStatements
  readonly #session: SqlSession

  constructor(statements: PostStatements, session: SqlSession) {
    this.#statements = statements
    this.#session = session
    this.meta = new SqlMetaRows(statements.meta, session)
    const { insertUnlessFound } = session
    if (insertUnlessFound !== undefined)
      this.insertAtOnce = (row, meta, name) => {
        const text = meta.length > maxMetaRows ? null : statements.insertUnlessTaken(meta.length)
        if (text === null) return Promise.resolve(null)
        const values: SqlValue[] = [row.post_name]
        for (const column of WITHOUT_ID) values.push(row[column])
        for (const { key, value } of meta) values.push(key, value)
        return insertUnlessFound(name, text, values)
      }
  }

  /** Created when it is read: only the schedule uses it, and a transaction creates one of these objects. */
  get scheduled(): SqlScheduledRows {
    return (this.#scheduled ??= new SqlScheduledRows(
      this.#statements.scheduled,
      this.#statements.counts,
      this.#session,
    ))
  }

  async find(id: number): Promise<PostRow | null> {
    const { reader, locking } = this.#session
    const row = await reader.row(this.#statements.find + locking, [id])
    return row && postOf(JSON.parse(text(row[0])) as readonly unknown[], postColumns)
  }

  findWithMeta<C extends PostColumn = PostColumn>(
    ids: readonly number[],
    selection: PostSelection<C> = wholePost(),
  ): Promise<RowSet<PostWithMeta<C>>> {
    if (ids.length === 0) return Promise.resolve(noRows)
    const query = new PostsByIds(ids, selection, this.#statements)
    const reading = this.#statements.reading(selection).rows(query, this.#session)
    // The rows of several ids are put in the order of the ids, so values derived from the cached rows do not fit the result.
    return query.isAlone ? reading : reading.then(({ rows }) => ({ rows: inOrderOf(ids, rows), derived: null }))
  }

  list<C extends PostColumn = PostColumn>(
    query: PostQuery,
    selection: PostSelection<C> = wholePost(),
  ): Promise<RowSet<PostWithMeta<C>>> {
    const { search, ...others } = query
    return search === undefined
      ? this.#list(query, selection, this.#session)
      : this.#matches({ ...others, search }).then((ids) =>
          // Without the row cache: the key of the query would contain all these ids.
          this.#list({ ...others, ids }, selection, { ...this.#session, freshness: null }),
        )
  }

  /** The ids of the posts that a query with a search finds. */
  #matches(query: PostQuery & { readonly search: PostSearch }): Promise<readonly number[]> {
    return this.#statements.searches.matches(query, this.#session)
  }

  #list<C extends PostColumn>(
    query: Omit<PostQuery, 'search'>,
    selection: PostSelection<C>,
    session: SqlSession,
  ): Promise<RowSet<PostWithMeta<C>>> {
    const maxRows = countOrNone(query.limit)
    if (maxRows === 0) return Promise.resolve(noRows)
    const range = { limit: maxRows, offset: countOrNone(query.offset) }
    const rowsQuery: RowsQuery = {
      key: `${maxRows} from ${range.offset} ${keyOf(query)}`,
      maxRows,
      isPage: true,
      // A read in a transaction locks the rows that it finds. `walkSql` would lock counts and index entries of other records, which
      // every writer of the type changes.
      toSql: () =>
        session.freshness !== null && isWalkable(query, this.#statements)
          ? this.#walkOrPage(query, range)
          : this.#pageSql(query, range),
      tagsOf: () => tagsOfQuery(query),
    }
    return this.#statements.reading(selection).rows(rowsQuery, session)
  }

  #pageSql(query: Omit<PostQuery, 'search'>, { limit, offset }: PageRange): QuerySql {
    const { tables, dialect } = this.#statements
    const listed = pageSql(query, this.#statements, { limit, offset })
    if (listed !== null) return this.#fromPage(listed)
    const { shape, text: conditions, values } = postSql(query, tables, dialect, { isOrdered: true })
    // The ids come from an index, which skips to a deep page without reading rows. Only the rows of the page are read.
    const page = dialect.page(limit, offset)
    const text = (): string => `SELECT p.ID AS page_id FROM ${tables.posts} p ${conditions()} ${page.text}`
    return this.#fromPage({ shape: `page ${page.text} ${shape}`, text, values: [...values, ...page.values] })
  }

  /** A large term is walked along an index at first. */
  async #walkOrPage(query: Omit<PostQuery, 'search'>, range: PageRange): Promise<QuerySql> {
    const sorted = this.#pageSql(query, range)
    const { tables, dialect, termSizes } = this.#statements
    const walk = walkSql(
      query,
      this.#statements,
      range,
      await termSizes.of(keyOf({ ...query, order: [] }), async () => {
        const { text, values } = sizesSql(query, tables, dialect)
        const row = await this.#session.reader.row(text, values)
        return { ofTerm: number(row?.[0]), ofAll: number(row?.[1]) }
      }),
    )
    return walk === null ? sorted : { ...this.#fromPage(walk), ifFewer: sorted }
  }

  #fromPage({ text, ...ids }: PostSql): QuerySql {
    const { tables, dialect } = this.#statements
    return { ...ids, text: () => dialect.fromPage(text(), tables.posts) }
  }

  async count(query: PostQuery): Promise<number> {
    const { search, ...others } = query
    if (search !== undefined) return (await this.#matches({ ...others, search })).length
    const { tables, dialect, rowCache } = this.#statements
    const { reader, freshness } = this.#session
    const read = async (): Promise<string> => {
      const counted = countSql(query, tables, dialect)
      if (counted !== null) return text((await reader.row(counted.text, counted.values))?.[0])
      const { text: conditions, values } = postSql(query, tables, dialect, { isOrdered: false })
      const row = await reader.row(`SELECT COUNT(*) FROM ${tables.posts} p ${conditions()}`, values)
      return text(row?.[0])
    }
    if (rowCache === null || freshness === null) return number(await read())
    const key = `count ${keyOf({ ...query, order: [] })}`
    const decode = (count: string): readonly number[] => [number(count)]
    const { rows } = await rowCache.rows({ key, read, decode, tagsOf: () => tagsOfQuery(query) }, freshness)
    return rows[0] ?? 0
  }

  async insert(row: Omit<PostRow, 'ID'> & { readonly ID?: number }, meta: readonly MetaEntry[] = []): Promise<number> {
    const { insert, insertWithId, dialect } = this.#statements
    const { ID } = row
    const columns = WITHOUT_ID.map((column) => row[column])
    if (ID !== undefined) return this.#insertRow(insertWithId, [ID, ...columns], meta)
    const insertWithMeta =
      meta.length === 0 || meta.length > maxMetaRows ? null : this.#statements.insertWithMeta(meta.length)
    const attempt = () => {
      if (insertWithMeta === null) return this.#insertRow(insert, columns, meta)
      return this.#session.insert(
        insertWithMeta,
        [...columns, ...meta.flatMap(({ key, value }) => [key, value])],
        'post_id',
      )
    }
    return dialect.isDuplicateKey ? withNextId(attempt, dialect.isDuplicateKey) : attempt()
  }

  #insertRow(text: string, values: readonly SqlValue[], meta: readonly MetaEntry[]): MaybePromise<number> {
    return meta.length === 0 ? this.#session.insert(text, values, 'ID') : this.#insertInTwo(text, values, meta)
  }

  /** Without a savepoint, which costs two more statements: a row whose metadata are refused is removed again. */
  #insertInTwo(text: string, values: readonly SqlValue[], meta: readonly MetaEntry[]): MaybePromise<number> {
    const isOwnTransaction = this.#session.freshness !== null
    const insertBoth = (target: RowWriter): MaybePromise<number> =>
      mapMaybePromise(target.insert(text, values, 'ID'), (id) => this.#insertMeta(target, id, meta))
    return isOwnTransaction ? this.#session.write(insertBoth) : insertBoth(this.#session)
  }

  #insertMeta(target: RowWriter, id: number, meta: readonly MetaEntry[]): MaybePromise<number> {
    const removeRow = (error: unknown): Promise<never> => this.#removeRow(target, id, error)
    try {
      const inserted = insertEntries(target, this.#statements.meta, id, meta)
      return inserted instanceof Promise ? inserted.then(() => id, removeRow) : id
    } catch (error) {
      return removeRow(error)
    }
  }

  /** @throws the reason. */
  async #removeRow(target: RowWriter, id: number, reason: unknown): Promise<never> {
    try {
      await target.execute(this.#statements.meta.removeAll, [id])
      await target.execute(this.#statements.remove, [id])
    } catch {
      // The transaction is over, for the same reason.
    }
    throw reason
  }

  async update(id: number, change: Partial<Omit<PostRow, 'ID'>>): Promise<boolean> {
    const { tables, exists, counts } = this.#statements
    const set = assignments(WITHOUT_ID, change)
    if (set === null) return (await this.#session.reader.row(exists, [id])) !== null
    const update = `UPDATE ${tables.posts} SET ${set.text} WHERE ID = ?`
    const values = [...set.values, id]
    if (change.post_status === undefined) return (await this.#session.execute(update, values)) > 0
    return this.#session.write(async (connection) => {
      const matched = await connection.execute(update, values)
      if (matched > 0) await counts.recountOfPost(connection, id)
      return matched > 0
    })
  }

  delete(id: number): Promise<boolean> {
    const { termTaxonomies, removeTerms, remove, meta, counts, effects } = this.#statements
    return this.#session.write(async (connection) => {
      await effects?.deletingPost(connection, id)
      const related = (await connection.query(termTaxonomies, [id])).map(([termTaxonomy]) => number(termTaxonomy))
      await connection.execute(meta.removeAll, [id])
      if (related.length > 0) await connection.execute(removeTerms, [id])
      const removed = await connection.execute(remove, [id])
      await counts.recount(connection, related)
      return removed > 0
    })
  }

  async hideComments(id: number): Promise<CommentStatuses> {
    const { effects } = this.#statements
    if (effects === null) return new Map()
    return this.#session.write((connection) => effects.trashedPost(connection, id))
  }

  async showComments(statuses: CommentStatuses): Promise<void> {
    const { effects } = this.#statements
    if (effects !== null) await this.#session.write((connection) => effects.restoredComments(connection, statuses))
  }

  async moveChildren({ from, to, types }: MovedChildren): Promise<number> {
    const { tables, dialect } = this.#statements
    const ofTypes = oneOfTexts('post_type', types, dialect)
    const move = `UPDATE ${tables.posts} SET post_parent = ? WHERE post_parent = ? AND ID <> ? AND ${ofTypes.text}`
    return this.#session.execute(move, [to, from, from, ...ofTypes.values])
  }

  async slugTaken({ slug, ...others }: SlugTaken): Promise<boolean> {
    const { tables, dialect } = this.#statements
    const { reader } = this.#session
    const { text: rest, values } = this.#withSlugs(others)
    const names = isAscii(slug) ? [slug] : [...new Set([slug, unaccented(slug)])]
    const same = `SELECT 1 FROM ${tables.posts} WHERE ${oneOfTexts('post_name', names, dialect).text}${rest}`
    const outside = dialect.comparedOutside('post_name')
    if (outside === null) {
      const row = reader.row(`${same} LIMIT 1`, [...names, ...values])
      return (row instanceof Promise ? await row : row) !== null
    }
    // Slugs made by `sanitize_title` are ASCII. `outside` selects the few slugs that other programs may have written.
    const foreign = `SELECT post_name FROM ${tables.posts} WHERE ${outside}${rest}`
    const read = reader.row(`SELECT EXISTS (${same}), EXISTS (${foreign})`, [...names, ...values, ...values])
    const exists = read instanceof Promise ? await read : read
    if (number(exists?.[0]) === 1) return true
    if (number(exists?.[1]) === 0) return false
    const candidates = await reader.query(foreign, values)
    return candidates.some(([stored]) => equalWithoutCaseAndAccents(text(stored), slug))
  }

  firstFreeSlug({ slugs, ...others }: FreeSlug): Promise<string | null> {
    const { tables, dialect } = this.#statements
    const column = 'post_name'
    const condition = this.#withSlugs(others)
    const rows = { from: tables.posts, column, condition, outside: dialect.comparedOutside(column) }
    return firstFreeName(slugs, rows, this.#session, dialect)
  }

  /** The posts whose slugs count. */
  #withSlugs({ types, parent, exceptId }: Omit<SlugTaken, 'slug'>): SqlFragment {
    const ofTypes = types && oneOfTexts('post_type', types, this.#statements.dialect)
    return {
      text: ` AND ID <> ?${parent === undefined ? '' : ' AND post_parent = ?'}${ofTypes ? ` AND ${ofTypes.text}` : ''}`,
      values: [exceptId, ...(parent === undefined ? [] : [parent]), ...(ofTypes?.values ?? [])],
    }
  }

  setTerms(id: number, taxonomy: string, termIds: readonly number[]): Promise<void> {
    const { termTaxonomiesIn, removeTermsOfTaxonomy, relate, tables, dialect, counts } = this.#statements
    return this.#session.write(async (connection) => {
      await connection.lockMissing?.(`${tables.term_relationships} ${id}`)
      const before = await connection.query(termTaxonomiesIn, [id, taxonomy])
      const condition = dialect.isOneOf('term_id', termIds)
      const after = await connection.query(
        `SELECT term_taxonomy_id FROM ${tables.term_taxonomy} WHERE taxonomy = ? AND ${condition.text}`,
        [taxonomy, ...condition.values],
      )
      await connection.execute(removeTermsOfTaxonomy, [id, taxonomy])
      for (const [termTaxonomy] of after) await connection.execute(relate, [id, number(termTaxonomy)])
      const affected = new Set([...before, ...after].map(([termTaxonomy]) => number(termTaxonomy)))
      await counts.recount(connection, [...affected])
    })
  }

  async termsOf(
    ids: readonly number[],
    taxonomies: readonly string[],
  ): Promise<ReadonlyMap<number, readonly TermRow[]>> {
    const { tables, dialect } = this.#statements
    const terms = new Map<number, TermRow[]>()
    if (ids.length === 0 || taxonomies.length === 0) return terms
    const [id, ...others] = ids
    const ofPosts: SqlFragment =
      id !== undefined && others.length === 0
        ? { text: 'r.object_id = ?', values: [id] }
        : dialect.isOneOf('r.object_id', ids)
    const ofTaxonomies = oneOfTexts('x.taxonomy', taxonomies, dialect)
    const rows = await this.#session.reader.query(
      `${termSelect(tables, 'r.object_id')} JOIN ${tables.term_relationships} r ON r.term_taxonomy_id = x.term_taxonomy_id
      WHERE ${ofPosts.text} AND ${ofTaxonomies.text} ORDER BY t.name, t.term_id`,
      [...ofPosts.values, ...ofTaxonomies.values],
    )
    for (const [postId, ...columns] of rows) {
      const ofPost = terms.get(number(postId)) ?? []
      ofPost.push(termOf(columns))
      terms.set(number(postId), ofPost)
    }
    return terms
  }
}

/** The kinds that the rows of a query depend on. */
function tagsOfQuery({ types, term, terms }: PostQuery): readonly string[] | null {
  const tags = types === undefined ? null : tagsOfTypes(types)
  return tags === null || (term ?? terms) === undefined ? tags : [...tags, 'terms']
}

/** The rows in the order of the ids. Unknown ids are left out. */
function inOrderOf<P extends PostWithMeta<'ID'>>(ids: readonly number[], rows: readonly P[]): P[] {
  const byId = new Map(rows.map((row) => [row.post.ID, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
