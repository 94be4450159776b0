import { isUtf8 } from '../php/text.js'
import type { PostRow } from '../database/storage.js'
import { isWide } from './narrow-texts.js'
import { RecordRejectedError } from './record.js'

type Column = Exclude<keyof PostRow, 'ID'>

/**
 * The maximum lengths of the text columns: of `text` in bytes, of `varchar` in characters. The order is that of
 * WordPress's message.
 */
const limits: readonly (readonly [column: Column, unit: 'bytes' | 'characters', max: number])[] = [
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

const noColumns: ReadonlySet<string> = new Set()

/**
 * Checks that every text fits into its column. The check is made here, so that every database refuses the same rows.
 * Rules: docs/wire.md#creating-a-record.
 * @param narrowColumns see `SharedTables.narrowColumns`. Default: none.
 * @throws RecordRejectedError `db_insert_error` or `db_update_error`, as in WordPress, for a text that is too long, not
 *   valid UTF-8, or of characters that its column cannot store.
 */
export function checkLimits(
  row: Omit<PostRow, 'ID'>,
  action: 'insert' | 'update',
  narrowColumns: ReadonlySet<string> = noColumns,
): void {
  const failed = limits.filter(([column, unit, max]) => {
    const text = String(row[column])
    return !fits(text, unit, max) || (narrowColumns.size > 0 && narrowColumns.has(`posts.${column}`) && isWide(text))
  })
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

function fits(text: string, unit: 'bytes' | 'characters', max: number): boolean {
  if (!isUtf8(text)) return false
  // A quick check without counting: a UTF-16 unit is at most three bytes of UTF-8, and a character is at least one unit.
  if (text.length * (unit === 'bytes' ? 3 : 1) <= max) return true
  return (unit === 'bytes' ? Buffer.byteLength(text) : [...text].length) <= max
}
