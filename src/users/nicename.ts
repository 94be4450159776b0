import { sanitizeTitle } from '../sanitizers/title.js'
import type { UserRows } from '../storage/storage.js'

const longestNicename = 50
const batch = 200

/**
 * The slug of a login that no other user has: `mia-miller`, `mia-miller-2`. At most 50 characters, so that a suffix
 * may shorten the login.
 */
export async function uniqueNicename(login: string, users: UserRows): Promise<string> {
  const slug = sanitizeTitle(login.slice(0, longestNicename)) || 'user'
  let nicename = slug
  for (let number = 2; await isTaken(nicename, users); number += 1) {
    const suffix = `-${number}`
    nicename = slug.slice(0, longestNicename - suffix.length) + suffix
  }
  return nicename
}

/** Among the users that a search for the slug finds, since the slug is one of the texts that are searched. */
async function isTaken(nicename: string, users: UserRows): Promise<boolean> {
  for (let offset = 0; ; offset += batch) {
    const found = await users.list({ search: nicename, limit: batch, offset })
    if (found.some(({ user }) => user.user_nicename === nicename)) return true
    if (found.length < batch) return false
  }
}
