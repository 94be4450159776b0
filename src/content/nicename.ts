import { sanitizeTitle } from '../sanitizers/title.js'
import type { UserRows } from '../database/storage.js'

/** In characters. */
export const maxNicenameLength = 50

/**
 * A slug for a login name that no other user has: `mia-miller`, `mia-miller-2`. The column stores 50 characters, so the
 * part before a suffix may be shortened.
 * @param userId of a user whose own slug is not another's.
 */
export async function uniqueNicename(login: string, users: UserRows, userId = 0): Promise<string> {
  const slug = sanitizeTitle(login.slice(0, maxNicenameLength)) || 'user'
  let nicename = slug
  for (let number = 2; ((await users.find({ nicename }))?.ID ?? userId) !== userId; number += 1) {
    const suffix = `-${number}`
    nicename = slug.slice(0, maxNicenameLength - suffix.length) + suffix
  }
  return nicename
}
