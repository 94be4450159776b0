import { isUtf8 } from '../php/text.js'
import type { PostRow } from '../database/storage.js'
import { RecordRejectedError } from './record.js'

type Column = Exclude<keyof PostRow, 'ID'>

/** Largest texts of the table: `text` in bytes, `varchar` in characters. In the order WordPress writes the columns. */
const limits: readonly (readonly [column: Column, unit: 'bytes' | 'characters', most: number])[] = [
  ['post_content', 'bytes', 4_294_967_295],
  ['post_content_filtered', 'bytes', 4_294_967_295],
  ['post_title', 'bytes', 65_535],
  ['post_excerpt', 'bytes', 65_535],
  ['post_status', 'characters', 20],
  ['post_type', 'characters', 20],
  ['comment_status', 'characters', 20],
  ['ping_status', 'characters', 20],
  ['post_password', 'characters', 255],
  ['post_name', 'characters', 200],
  ['to_ping', 'bytes', 65_535],
  ['pinged', 'bytes', 65_535],
  ['post_mime_type', 'characters', 100],
  ['guid', 'characters', 255],
]

/**
 * Whether the columns take a row, on every database alike.
 * @throws RecordRejected with WordPress's `db_insert_error`, or `db_update_error` for a record that exists, for a text
 * that is too long or not valid UTF-8. Rules: docs/wire.md#creating-a-record.
 */
export function checkLimits(row: Omit<PostRow, 'ID'>, action: 'insert' | 'update'): void {
  const failed = limits.filter(([column, unit, most]) => !fits(String(row[column]), unit, most))
  if (failed.length === 0) return
  const kind = row.post_type === 'attachment' ? 'attachment' : 'post'
  const columns = failed.map(([column]) => column).join(', ')
  throw new RecordRejectedError(
    `db_${action}_error`,
    `Could not ${action} ${kind} ${action === 'insert' ? 'into' : 'in'} the database.`,
    failed.length === 1
      ? `WordPress database error: Processing the value for the following field failed: ${columns}. The supplied value may be too long or contains invalid data.`
      : `WordPress database error: Processing the values for the following fields failed: ${columns}. The supplied values may be too long or contain invalid data.`,
  )
}

function fits(text: string, unit: 'bytes' | 'characters', most: number): boolean {
  if (!isUtf8(text)) return false
  // A UTF-16 unit makes at most three bytes, and at least as many units as there are characters.
  if (text.length * (unit === 'bytes' ? 3 : 1) <= most) return true
  return (unit === 'bytes' ? Buffer.byteLength(text) : [...text].length) <= most
}
