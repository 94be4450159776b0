import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { stripTags } from '../php/strip-tags.js'
import { isUtf8 } from '../php/text.js'
import { trimCharacters } from '../php/trim.js'
import { encodedUpTo, lowerCaseOf } from './percent-encoding.js'
import { removeAccents } from './remove-accents.js'
import { withoutReferences } from './references.js'
import { dashes, dropped } from './title-characters.js'

/** The bytes a slug may have, counted before the characters that it cannot hold are dropped. */
const maxSlugLength = 200

/**
 * `sanitize_title`: the slug of a title, lower-case ASCII with dashes, everything else percent-encoded. Lists and maps
 * give nothing.
 * @param context `save` (the default) writes accented letters plainly and turns typographic dashes into dashes; `query`
 * leaves them encoded.
 * Rules: docs/wire.md#slugs-of-titles.
 */
export function sanitizeTitle(value: unknown, context: 'save' | 'query' = 'save'): string {
  const text = typeof value === 'object' ? '' : toText(value)
  return slugOf(context === 'save' ? removeAccents(text) : text, context)
}

/** `sanitize_title_with_dashes`: the slug of a text whose accents stay. */
export function slugOf(text: string, context: 'save' | 'query'): string {
  const plain = withoutLonePercents(stripTags(text))
  const encoded = asciiLowerCase(isUtf8(plain) ? encodedUpTo(lowerCaseOf(plain), maxSlugLength) : plain)
  const dashed = context === 'save' ? withPlainPunctuation(encoded) : encoded
  const kept = withoutReferences(dashed)
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
  return trimCharacters(kept.replace(/[ -]+/g, '-'), '-')
}

function withPlainPunctuation(encoded: string): string {
  if (!/[%&/]/.test(encoded)) return encoded
  return encoded.replace(dashes, '-').replace(dropped, '').replaceAll('%c3%97', 'x')
}

/** Percent-encoded bytes stay; a title may also spell them `---e9---`, as WordPress does meanwhile. */
function withoutLonePercents(text: string): string {
  const marked = text.replace(/%([a-f\d]{2})/gi, '---$1---').replaceAll('%', '')
  return marked.replace(/---([a-f\d]{2})---/gi, '%$1')
}
