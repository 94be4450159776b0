import { RowCache } from '../../src/database/sql/row-cache.js'
import type { Storage } from '../../src/database/storage.js'

/**
 * The reason to skip a test of what only the row cache of a storage does. False for a storage that asks one for rows, whether
 * or not it finds them: none is asked only where the line that creates it was changed, see docs/architecture.md#caches.
 */
export async function withoutRowCache({ options }: Storage): Promise<string | false> {
  const { rows } = RowCache.prototype
  let isAsked = false
  RowCache.prototype.rows = function (rowRead, freshness) {
    isAsked = true
    return rows.call(this, rowRead, freshness) as never
  }
  try {
    await options.read('siteurl')
  } finally {
    RowCache.prototype.rows = rows
  }
  return isAsked ? false : 'the row cache was taken out'
}
