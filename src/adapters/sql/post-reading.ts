import type { PostColumn, PostWithMeta } from '../../storage/storage.js'
import { columnsAsJson, postOf } from './post-columns.js'
import { metaEntries, text, type MetaTriple } from './row-values.js'
import type { SqlConnection, SqlValue } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** So many rows at most come as one value; the text of more could be longer than any text may be. */
const LARGEST_VALUE = 100
/** More kinds of question than an application asks. */
const KEPT_TEXTS = 256

/** A question for rows of `posts p`. */
export interface RowsQuestion {
  /** Questions of one shape have one text. */
  readonly shape: string
  /** What follows `SELECT`. */
  text(): string
  readonly values: readonly SqlValue[]
  /** How many rows there are at most. */
  readonly most: number
}

type JsonPost = readonly [values: readonly SqlValue[], meta: readonly MetaTriple[]]

/** Reads the id and some columns of posts, with all metadata; each text is made once. */
export class PostReading<C extends PostColumn> {
  readonly #columns: readonly (C | 'ID')[]
  readonly #row: string
  readonly #rows: string
  readonly #texts = new Map<string, string>()

  constructor(columns: readonly C[], { postmeta }: TableNames, dialect: SqlDialect) {
    this.#columns = [...new Set<C | 'ID'>(['ID', ...columns])]
    const meta = dialect.metadataAsJson(postmeta, 'meta_id', 'post_id', 'p.ID')
    this.#row = dialect.listAsJson([columnsAsJson(this.#columns, dialect), meta])
    this.#rows = dialect.rowsAsJson(this.#row)
  }

  async rows(question: RowsQuestion, reader: SqlConnection): Promise<PostWithMeta<C>[]> {
    if (question.most <= LARGEST_VALUE) {
      const row = await reader.row(this.#textOf(question, this.#rows), question.values)
      return (JSON.parse(text(row?.[0]) || '[]') as readonly JsonPost[]).map((post) => this.#postOf(post))
    }
    const rows = await reader.query(this.#textOf(question, this.#row), question.values)
    return rows.map(([json]) => this.#postOf(JSON.parse(text(json)) as JsonPost))
  }

  #postOf([values, meta]: JsonPost): PostWithMeta<C> {
    return { post: postOf(values, this.#columns), meta: metaEntries(meta) }
  }

  #textOf(question: RowsQuestion, selected: string): string {
    const shape = `${selected === this.#row ? 'each ' : ''}${question.shape}`
    const known = this.#texts.get(shape)
    if (known !== undefined) return known
    const made = `SELECT ${selected} ${question.text()}`
    if (this.#texts.size >= KEPT_TEXTS) this.#texts.clear()
    this.#texts.set(shape, made)
    return made
  }
}
