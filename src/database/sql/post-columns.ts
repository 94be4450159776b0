import type { PostColumn, PostRow } from '../storage.js'
import type { SqlDialect } from './sql-dialect.js'

/** Every column of `posts`, the key first. */
export const postColumns = [
  'ID',
  'post_author',
  'post_date',
  'post_date_gmt',
  'post_content',
  'post_title',
  'post_excerpt',
  'post_status',
  'comment_status',
  'ping_status',
  'post_password',
  'post_name',
  'to_ping',
  'pinged',
  'post_modified',
  'post_modified_gmt',
  'post_content_filtered',
  'post_parent',
  'guid',
  'menu_order',
  'post_type',
  'post_mime_type',
  'comment_count',
] as const satisfies readonly (keyof PostRow)[]

const integerColumns: ReadonlySet<PostColumn> = new Set(['post_author', 'post_parent', 'menu_order', 'comment_count'])

/** Columns of `posts p` as JSON values. A value inside JSON takes the driver half the time of a separate column. */
export function columnsAsJson(columns: readonly PostColumn[], dialect: SqlDialect): string[] {
  return columns.map((column) => {
    if (column === 'ID') return 'p.ID'
    return integerColumns.has(column) ? dialect.asInteger(`p.${column}`) : dialect.asText(`p.${column}`)
  })
}

/** @param values a list that begins with the values of `columnsAsJson` for these columns. */
export function postOf<C extends PostColumn>(values: readonly unknown[], columns: readonly C[]): Pick<PostRow, C> {
  const post: Partial<Record<PostColumn, unknown>> = {}
  columns.forEach((column, index) => (post[column] = values[index] ?? ''))
  return post as Pick<PostRow, C>
}
