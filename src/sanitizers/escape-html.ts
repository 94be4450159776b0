import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { normalizeReferences } from './character-references.js'
import { replaceText } from './replace-text.js'

/** Texts and the character references that replace them, in the order of replacement. */
type Escapes = readonly (readonly [plain: string, reference: string])[]

const tagEscapes: Escapes = [
  // PHP escapes for HTML 4, where `&apos;` is no character reference but plain text.
  ['&apos;', '&amp;apos;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]

const escapes: Escapes = [...tagEscapes, ['"', '&quot;'], ["'", '&#039;']]

/**
 * `esc_html`: the text with `& < > " '` escaped. Existing character references are not escaped again, except
 * `&apos;`. The result is empty for text that is not UTF-8.
 */
export function escHtml(value: unknown): string {
  return escaped(toText(value), escapes)
}

/** `_wp_specialchars` with its default `ENT_NOQUOTES`: the same as {@link escHtml}, but quotation marks stay. */
export function escHtmlTags(text: string): string {
  return escaped(text, tagEscapes)
}

function escaped(text: string, characters: Escapes): string {
  if (!isUtf8(text)) return ''
  let result = normalizeReferences(text)
  // Most texts have none of these characters, and a search for one character is many times as fast as for a set.
  for (const [plain, reference] of characters) result = replaceText(result, plain, reference)
  return result
}

/**
 * `esc_attr`: escapes a text for a quoted attribute value, with single or double quotes. Does the same as
 * {@link escHtml}.
 */
export function escAttr(value: unknown): string {
  return escHtml(value)
}
