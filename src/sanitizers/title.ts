import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { stripTags } from '../php/strip-tags.js'
import { isUtf8 } from '../php/text.js'
import { trimCharacters } from '../php/trim.js'
import { encodedUpTo, lowerCaseOf } from './percent-encoding.js'
import { removeAccents } from './remove-accents.js'
import { withoutReferences } from './references.js'
import { removedFromSlug, replacedByDash } from './title-characters.js'

/** Maximum length of a slug in bytes, before the characters that a slug cannot contain are removed. */
const maxSlugLength = 200

/**
 * `sanitize_title`: the slug of a title in lower-case ASCII, with dashes for spaces and other characters
 * percent-encoded. The result is empty for lists and maps.
 * @param context `save` (the default) removes accents and turns typographic dashes into `-`; `query` percent-encodes
 * both.
 */
export function sanitizeTitle(value: unknown, context: 'save' | 'query' = 'save'): string {
  const text = typeof value === 'object' ? '' : toText(value)
  return slugOf(context === 'save' ? removeAccents(text) : text, context)
}

/** `sanitize_title_with_dashes`: the slug of a text, with accented letters percent-encoded. */
export function slugOf(text: string, context: 'save' | 'query'): string {
  const plain = withoutLonePercents(stripTags(text))
  const encoded = asciiLowerCase(isUtf8(plain) ? encodedUpTo(lowerCaseOf(plain), maxSlugLength) : plain)
  const dashed = context === 'save' ? withPlainPunctuation(encoded) : encoded
  const slug = withoutReferences(dashed)
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
  return trimCharacters(slug.replace(/[ -]+/g, '-'), '-')
}

function withPlainPunctuation(encoded: string): string {
  if (!/[%&/]/.test(encoded)) return encoded
  return encoded.replace(replacedByDash, '-').replace(removedFromSlug, '').replaceAll('%c3%97', 'x')
}

/**
 * Removes each `%` that does not start a percent-encoded byte. Like WordPress, it writes such a byte as `---e9---`
 * meanwhile, so a title that contains `---e9---` gets `%e9`.
 */
function withoutLonePercents(text: string): string {
  const marked = text.replace(/%([a-f\d]{2})/gi, '---$1---').replaceAll('%', '')
  return marked.replace(/---([a-f\d]{2})---/gi, '%$1')
}
