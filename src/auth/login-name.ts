import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { isEmail } from '../sanitizers/email.js'
import { sanitizeUser } from '../sanitizers/user.js'

/** The maximum length of an email address, in characters. A longer name belongs to no user and is not processed. */
const maxNameLength = 254

/**
 * A login name in the form in which WordPress looks it up and shows it: no tags, no accents. Empty when it is too long.
 */
export function cleanName(name: string): string {
  return name.length > maxNameLength ? '' : sanitizeUser(name)
}

/**
 * The login names that a user may mean, most likely first: the trimmed name, then WordPress's clean form of it. With
 * the clean form, the collation of WordPress's database also finds login names with accents.
 */
export function* loginSpellings(name: string): Iterable<string> {
  if (name.length > maxNameLength) return
  // The collation of WordPress's database ignores Unicode spaces at the end of a login name.
  const trimmed = phpTrim(name).trimEnd()
  if (toBoolean(trimmed)) yield trimmed
  const clean = cleanName(name)
  if (toBoolean(clean) && clean !== trimmed) yield clean
}

/** Whether WordPress accepts the name, without trimming, as an email address. */
export function isEmailName(name: string): boolean {
  return name.length <= maxNameLength && isEmail(name)
}

/**
 * The key under which the rate limiter counts attempts: the user when there is one, so that login name and email
 * address of one user share a counter.
 */
export function attemptKey(userId: number | undefined, name: string): string {
  return userId === undefined ? `name ${cleanName(name).toLowerCase()}` : `user ${userId}`
}

/** The name for a log entry, cut to the maximum length of a login name. */
export function nameForLog(name: string): string {
  return name.slice(0, 60)
}
