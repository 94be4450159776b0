import { toText } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { withoutReferences } from './references.js'
import { removeAccents } from './remove-accents.js'
import { stripAllTags } from './strip-all-tags.js'

/**
 * `sanitize_user`: a login name without tags, accents, percent-encoded bytes and character references. Each run of
 * white space becomes one space. The result is empty for lists and maps.
 * @param strict removes all characters but ASCII letters, digits and ` _.-@`.
 */
export function sanitizeUser(value: unknown, strict = false): string {
  const text = typeof value === 'object' ? '' : toText(value)
  const plain = withoutReferences(removeAccents(stripAllTags(text)).replace(/%[a-f\d]{2}/gi, ''))
  const allowed = strict ? plain.replace(/[^a-z0-9 _.@-]/gi, '') : plain
  return phpTrim(allowed).replace(/[ \t\n\v\f\r]+/g, ' ')
}
