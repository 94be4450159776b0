import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { normalizeReferences } from './character-references.js'

const escapes: readonly (readonly [character: string, reference: string])[] = [
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#039;'],
]

/**
 * `esc_html`: the text with `& < > " '` escaped, character references that are there already left alone. Text that is
 * not UTF-8 gives nothing.
 */
export function escHtml(value: unknown): string {
  const text = toText(value)
  if (!isUtf8(text)) return ''
  let escaped = normalizeReferences(text)
  // Most texts have none of them, and engines look for one character many times as fast as for one of several.
  for (const [character, reference] of escapes)
    if (escaped.includes(character)) escaped = escaped.replaceAll(character, reference)
  return escaped
}

/** `esc_attr`: the text as the value of an attribute in either kind of quotes; the same as {@link escHtml}. */
export function escAttr(value: unknown): string {
  return escHtml(value)
}
