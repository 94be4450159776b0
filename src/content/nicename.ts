import { sanitizeTitle } from '../sanitizers/title.js'
import type { Storage } from '../database/storage.js'
import { firstFreeName } from './free-name.js'
import { storedDbVersion } from './site.js'
import { UserRejectedError } from './user-rejected-error.js'

/** Maximum length of a nicename, in characters. */
export const maxNicenameLength = 50

/**
 * The slug of a login name, which another user may have.
 * @param unnamed the slug of a name such as `..`, which makes none. WordPress stores `''`, see `requireNicename`.
 */
export function nicenameOf(login: string, unnamed: '' | 'user'): string {
  return sanitizeTitle(login.slice(0, maxNicenameLength)) || unnamed
}

/** The `db_version` of WordPress 6.9, the first that makes no user with an empty slug. */
const firstWithoutEmpty = 60_717

/** @throws UserRejectedError for an empty slug that the WordPress that has the tables refuses. */
export async function requireNicename(slug: string, storage: Pick<Storage, 'options'>): Promise<void> {
  if (slug === '' && (await storedDbVersion(storage)) >= firstWithoutEmpty)
    throw new UserRejectedError('empty_user_nicename')
}

/**
 * A slug that no other user has: `mia-miller`, `mia-miller-2`. The column stores 50 characters, so the part before a suffix
 * may be shortened.
 * @param storage of a transaction that has locked the slug with its numbered variants.
 * @param userId of a user whose own slug is not another's.
 */
export async function uniqueNicename(slug: string, storage: Storage, userId = 0): Promise<string> {
  const nicenameWith = (number: number): string => {
    const suffix = `-${number}`
    return number === 1 ? slug : slug.slice(0, maxNicenameLength - suffix.length) + suffix
  }
  return firstFreeName(nicenameWith, 1, (names) => storage.users.firstFreeNicename(names, userId))
}
