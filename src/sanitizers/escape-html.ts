import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { normalizeReferences } from './character-references.js'

const escapes: readonly (readonly [plain: string, reference: string])[] = [
  // PHP escapes by HTML 4, which does not define this reference.
  ['&apos;', '&amp;apos;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#039;'],
]

/**
 * `esc_html`: the text with `& < > " '` escaped. Existing character references are not escaped again, except
 * `&apos;`. The result is empty for text that is not UTF-8.
 */
export function escHtml(value: unknown): string {
  const text = toText(value)
  if (!isUtf8(text)) return ''
  let escaped = normalizeReferences(text)
  // Most texts have none of these characters, and a search for one character is many times as fast as for a set.
  for (const [plain, reference] of escapes) if (escaped.includes(plain)) escaped = escaped.replaceAll(plain, reference)
  return escaped
}

/**
 * `esc_attr`: escapes a text for a quoted attribute value, with single or double quotes. Does the same as
 * {@link escHtml}.
 */
export function escAttr(value: unknown): string {
  return escHtml(value)
}
