import { toText } from '../php/cast.js'
import { isUtf8 } from '../php/text.js'
import { phpTrim } from '../php/trim.js'
import { escapeLessThan } from './escape-less-than.js'
import { removePercentTriplets } from './percent-triplets.js'
import { stripAllTags } from './strip-all-tags.js'

/**
 * `sanitize_text_field`: one line of plain text. Removes tags and percent-encoded bytes, and turns white space into
 * single spaces. The result is empty for lists, maps and text that is not UTF-8.
 */
export function sanitizeTextField(value: unknown): string {
  return withoutPercentTriplets(phpTrim(plainText(value).replace(/[\r\n\t ]+/g, ' ')))
}

/** `sanitize_textarea_field`: the same as {@link sanitizeTextField}, except that inner white space stays unchanged. */
export function sanitizeTextareaField(value: unknown): string {
  return withoutPercentTriplets(phpTrim(plainText(value)))
}

/** The value as text without tags; empty for lists, maps and text that is not UTF-8. */
function plainText(value: unknown): string {
  const text = typeof value === 'object' ? '' : toText(value)
  if (!isUtf8(text)) return ''
  if (!text.includes('<')) return text
  // A later step that removes the line feed would join `<` and the text after it to a tag.
  return stripAllTags(escapeLessThan(text)).replaceAll('<\n', '&lt;\n')
}

/** The text without percent-encoded bytes, and without the repeated spaces that their removal leaves behind. */
function withoutPercentTriplets(text: string): string {
  const remaining = removePercentTriplets(text)
  return remaining === text ? text : phpTrim(remaining.replace(/ {2,}/g, ' '))
}
