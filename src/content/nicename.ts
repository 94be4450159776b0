import { sanitizeTitle } from '../sanitizers/title.js'
import type { UserRows } from '../database/storage.js'
import { firstFreeNumber } from './free-number.js'

/** In characters. */
export const maxNicenameLength = 50

/**
 * A slug for a login name that no other user has: `mia-miller`, `mia-miller-2`. The column stores 50 characters, so the
 * part before a suffix may be shortened.
 * @param userId of a user whose own slug is not another's.
 */
export async function uniqueNicename(login: string, users: UserRows, userId = 0): Promise<string> {
  const slug = sanitizeTitle(login.slice(0, maxNicenameLength)) || 'user'
  const nicenameWith = (number: number): string => {
    const suffix = `-${number}`
    return number === 1 ? slug : slug.slice(0, maxNicenameLength - suffix.length) + suffix
  }
  return firstFreeNumber(nicenameWith, 1, (nicenames) => users.firstFreeNicename(nicenames, userId))
}
