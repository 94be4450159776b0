import { isEmail } from '../sanitizers/email.js'
import { sanitizeUser } from '../sanitizers/user.js'

/** Longer than any login or e-mail address; a longer name is nobody's and not worth looking at. */
const longestName = 254

/** What was typed where a login belongs, in the form in which WordPress looks it up and shows it: no tags, no accents. */
export function cleanName(typed: string): string {
  return typed.length > longestName ? '' : sanitizeUser(typed)
}

/**
 * The logins that may be meant, most likely first: as typed, then in WordPress's clean form, under which its database
 * finds accented logins too.
 */
export function* loginSpellings(typed: string): Iterable<string> {
  if (typed.length > longestName) return
  const trimmed = typed.trim()
  if (trimmed !== '') yield trimmed
  const clean = cleanName(typed)
  if (clean !== '' && clean !== trimmed) yield clean
}

/** Whether a name is an e-mail address in WordPress's eyes. */
export function isEmailName(typed: string): boolean {
  return typed.length <= longestName && isEmail(cleanName(typed))
}

/** What attempts are counted under: the user where there is one, so that all his names are one account. */
export function countedAs(userId: number | undefined, typed: string): string {
  return userId === undefined ? `name ${cleanName(typed).toLowerCase()}` : `user ${userId}`
}
