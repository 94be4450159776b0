import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { phpTrim } from '../php/trim.js'
import { escapeLessThan } from './escape-less-than.js'
import { stripAllTags } from './strip-all-tags.js'

/**
 * `sanitize_text_field`: one line of plain text. Tags and percent-encoded bytes go, white space becomes single spaces;
 * lists, maps and text that is not UTF-8 give nothing.
 * Source: WIRE 5.
 */
export function sanitizeTextField(value: unknown): string {
  return withoutPercentEncoding(phpTrim(plainText(value).replace(/[\r\n\t ]+/g, ' ')))
}

/** `sanitize_textarea_field`: as {@link sanitizeTextField}, with line breaks and other white space inside kept. */
export function sanitizeTextareaField(value: unknown): string {
  return withoutPercentEncoding(phpTrim(plainText(value)))
}

function plainText(value: unknown): string {
  const text = typeof value === 'object' ? '' : toText(value)
  if (!isUtf8(text)) return ''
  return text.includes('<') ? stripAllTags(escapeLessThan(text)).replaceAll('<\n', '&lt;\n') : text
}

function withoutPercentEncoding(text: string): string {
  const decoded = removePercentTriplets(text)
  return decoded === text ? text : phpTrim(decoded.replace(/ {2,}/g, ' '))
}

/**
 * The text without `%` and two hexadecimal digits, also where removing one leaves another. Triplets cannot overlap, so
 * the order does not matter and one pass with a stack does what repeated replacing does.
 */
function removePercentTriplets(text: string): string {
  if (!/%[a-f\d]{2}/i.test(text)) return text
  const kept: string[] = []
  for (const character of text) {
    kept.push(character)
    if (kept.at(-3) === '%' && isHexadecimal(kept.at(-2)) && isHexadecimal(character)) kept.length -= 3
  }
  return kept.join('')
}

function isHexadecimal(character: string | undefined): boolean {
  return character !== undefined && /^[a-f\d]$/i.test(character)
}
