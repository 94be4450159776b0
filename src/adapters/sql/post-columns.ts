import type { PostRow, PostWithMeta } from '../../storage/storage.js'
import { metadata, number, text } from './row-values.js'
import type { SqlRow } from './sql-database.js'

/** Every column of `posts`, the key first, in the order in which `postOf` reads them. */
export const POST_COLUMNS = [
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

export function postOf(row: SqlRow): PostRow {
  return {
    ID: number(row[0]),
    post_author: number(row[1]),
    post_date: text(row[2]),
    post_date_gmt: text(row[3]),
    post_content: text(row[4]),
    post_title: text(row[5]),
    post_excerpt: text(row[6]),
    post_status: text(row[7]),
    comment_status: text(row[8]),
    ping_status: text(row[9]),
    post_password: text(row[10]),
    post_name: text(row[11]),
    to_ping: text(row[12]),
    pinged: text(row[13]),
    post_modified: text(row[14]),
    post_modified_gmt: text(row[15]),
    post_content_filtered: text(row[16]),
    post_parent: number(row[17]),
    guid: text(row[18]),
    menu_order: number(row[19]),
    post_type: text(row[20]),
    post_mime_type: text(row[21]),
    comment_count: number(row[22]),
  }
}

/** A row whose last column is the metadata as JSON. */
export const postWithMetaOf = (row: SqlRow): PostWithMeta => ({
  post: postOf(row),
  meta: metadata(row[POST_COLUMNS.length]),
})
