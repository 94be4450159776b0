import type { ListOf } from './lists.js'
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
export { stripAllTags } from './strip-all-tags.js'
export { sanitizeTextareaField, sanitizeTextField } from './text-field.js'
export { sanitizeTitle } from './title.js'
export { escUrl, sanitizeUrl } from './url.js'
export { sanitizeUser } from './user.js'
export { isUuid } from './uuid.js'

/**
 * What each sanitiser makes of a value, by the name that a declaration gives in `sanitize_callback`. An application adds
 * its own by merging into this interface.
 */
export interface SanitizerTypes {
  absint: number
  boolval: boolean
  esc_attr: string
  esc_html: string
  esc_url: string
  esc_url_raw: string
  floatval: number
  intval: number
  is_email: string | false
  rest_is_ip_address: string | false
  rest_parse_date: number | false
  rest_parse_hex_color: string | false
  rest_sanitize_boolean: boolean
  sanitize_email: string
  sanitize_file_name: string
  sanitize_hex_color: string | null
  sanitize_html_class: string
  sanitize_key: string
  sanitize_mime_type: string
  sanitize_text_field: string
  sanitize_textarea_field: string
  sanitize_title: string
  sanitize_url: string
  sanitize_user: string
  strtolower: string
  strval: string
  trim: string
  wp_is_uuid: boolean
  wp_kses_data: string
  wp_kses_post: string
  wp_parse_id_list: ListOf<number>
  wp_parse_list: ListOf<unknown>
  wp_parse_slug_list: ListOf<string>
  wp_strip_all_tags: string
}

/** A sanitiser as a declaration names it: it gets the value and nothing else. */
export type NamedSanitizer = (value: unknown) => unknown

/** The sanitisers that a declaration can name, by WordPress's names. Source: WIRE 5. */
export const namedSanitizers: ReadonlyMap<string, NamedSanitizer> = new Map(
  Array.from(wordpressFunctions, ([name, call]) => [name, (value: unknown) => call(value)]),
)
