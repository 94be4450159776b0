import { tagsOfTypes } from '../kind-versions.js'
import type { PostRow, PostSelection, PostWithMeta } from '../storage.js'
import type { QuerySql, RowsQuery } from './post-reading.js'
import type { PostStatements } from './post-statements.js'
import type { SqlFragment } from './sql-connection.js'

/** The query for posts by their ids. */
export class PostsByIds implements RowsQuery {
  readonly key: string
  readonly maxRows: number
  readonly isPage = false
  readonly isAlone: boolean
  readonly isReadAgain: boolean
  readonly #ids: readonly number[]
  readonly #statements: PostStatements

  constructor(ids: readonly number[], { metaKeys }: Pick<PostSelection, 'metaKeys'>, statements: PostStatements) {
    this.key = ids.join()
    this.maxRows = ids.length
    this.isAlone = ids.length === 1
    // Checks read rows without metadata, and one request often checks a record more than once.
    this.isReadAgain = this.isAlone && metaKeys?.length === 0
    this.#ids = ids
    this.#statements = statements
  }

  toSql(): QuerySql {
    const { tables, dialect } = this.#statements
    const condition: SqlFragment = this.isAlone
      ? { text: 'p.ID = ?', values: this.#ids }
      : dialect.isOneOf('p.ID', this.#ids)
    const text = (): string => `FROM ${tables.posts} p WHERE ${condition.text}`
    return { shape: condition.text, text, values: condition.values }
  }

  /** The kind of a missing row is not known. */
  tagsOf(rows: readonly PostWithMeta<never>[]): readonly string[] | null {
    return rows.length < this.#ids.length ? null : tagsOfTypes(rows.map(typeOf))
  }
}

/** The type of a row; where the column was not read, a text that is no type. */
const typeOf = ({ post }: { readonly post: Partial<PostRow> }): string => post.post_type ?? ' '
