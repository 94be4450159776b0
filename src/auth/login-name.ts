import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { isEmail } from '../sanitizers/email.js'
import { sanitizeUser } from '../sanitizers/user.js'

/** Maximum length of a sent name. No login name or e-mail address is longer. */
const maxNameLength = 254

/** What was typed where a login belongs, in the form in which WordPress looks it up and shows it: no tags, no accents. */
export function cleanName(typed: string): string {
  return typed.length > maxNameLength ? '' : sanitizeUser(typed)
}

/**
 * The logins that may be meant, most likely first: as typed, then in WordPress's clean form, under which its database
 * finds accented logins too.
 */
export function* loginSpellings(typed: string): Iterable<string> {
  if (typed.length > maxNameLength) return
  // The collation of WordPress's database does not see spaces of any kind at the end.
  const trimmed = phpTrim(typed).trimEnd()
  if (toBoolean(trimmed)) yield trimmed
  const clean = cleanName(typed)
  if (toBoolean(clean) && clean !== trimmed) yield clean
}

/** Whether a name, as it stands, is an e-mail address in WordPress's eyes. */
export function isEmailName(name: string): boolean {
  return name.length <= maxNameLength && isEmail(name)
}

/** The key under which attempts are counted: the user if there is one, so that all names of a user are one account. */
export function countedAs(userId: number | undefined, typed: string): string {
  return userId === undefined ? `name ${cleanName(typed).toLowerCase()}` : `user ${userId}`
}

/** A name as it was typed, for a log: as long as a login can be. */
export function shownName(typed: string): string {
  return typed.slice(0, 60)
}
