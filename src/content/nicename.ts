import { sanitizeTitle } from '../sanitizers/title.js'
import type { UserRows } from '../database/storage.js'

const maxNicenameLength = 50

/**
 * The slug of a login that no other user has: `mia-miller`, `mia-miller-2`. At most 50 characters, so that a suffix
 * may shorten the login.
 */
export async function uniqueNicename(login: string, users: UserRows): Promise<string> {
  const slug = sanitizeTitle(login.slice(0, maxNicenameLength)) || 'user'
  let nicename = slug
  for (let number = 2; (await users.find({ nicename })) !== null; number += 1) {
    const suffix = `-${number}`
    nicename = slug.slice(0, maxNicenameLength - suffix.length) + suffix
  }
  return nicename
}
