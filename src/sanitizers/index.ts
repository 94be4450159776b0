import { wordpressFunctions } from './wordpress-functions.js'

export { restSanitizeBoolean } from './boolean.js'
export { parseDate } from './date.js'
export { isEmail, sanitizeEmail } from './email.js'
export { escAttr, escHtml } from './escape-html.js'
export { sanitizeFileName } from './file-name.js'
export { parseHexColor, sanitizeHexColor } from './hex-color.js'
export { sanitizeHtmlClass } from './html-class.js'
export { isIpAddress } from './ip-address.js'
export { sanitizeKey } from './key.js'
export { ksesData, ksesPost } from './kses/kses.js'
export { parseIdList, parseList, parseSlugList, splitList, type ListOf } from './lists.js'
export { sanitizeMimeType } from './mime-type.js'
export { absint } from './numbers.js'
export { removeAccents } from './remove-accents.js'
export type { SanitizerTypes } from './sanitizer-types.js'
export { stripAllTags } from './strip-all-tags.js'
export { sanitizeTextareaField, sanitizeTextField } from './text-field.js'
export { sanitizeTitle } from './title.js'
export { escUrl, sanitizeUrl } from './url.js'
export { sanitizeUser } from './user.js'
export { isUuid } from './uuid.js'

/** A sanitiser as a declaration names it: it gets the value and nothing else. */
export type NamedSanitizer = (value: unknown) => unknown

/** The sanitisers that a declaration can name, by WordPress's names. Source: WIRE 5. */
export const namedSanitizers: ReadonlyMap<string, NamedSanitizer> = new Map(
  Array.from(wordpressFunctions, ([name, call]) => [name, (value: unknown) => call(value)]),
)
