import { RowCache } from '../../src/database/sql/row-cache.js'

/**
 * The reason to skip a test of what only the row cache of a storage does. False where reads ask one for rows, whether or not it
 * finds them: none is asked only where the line that creates it was changed, see docs/architecture.md#caches.
 * @param read reads rows of the storage.
 */
export async function withoutRowCache(read: () => Promise<unknown>): Promise<string | false> {
  const { rows } = RowCache.prototype
  let isAsked = false
  RowCache.prototype.rows = function (rowRead, freshness) {
    isAsked = true
    return rows.call(this, rowRead, freshness) as never
  }
  try {
    await read()
  } finally {
    RowCache.prototype.rows = rows
  }
  return isAsked ? false : 'the row cache was taken out'
}
