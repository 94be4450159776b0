import { arrayOf, entriesOf } from '../php/array-shape.js'
import { asciiLowerCase } from '../php/ascii-case.js'
import { toBoolean, toFloat, toInteger, toText } from '../php/cast.js'
import { integerInBase } from '../php/integer-in-base.js'
import { phpTrim } from '../php/trim.js'
import { trimList } from '../php/trim-range.js'
import { restSanitizeBoolean } from './boolean.js'
import { parseDate } from './date.js'
import { isEmail, sanitizeEmail } from './email.js'
import { escAttr, escHtml } from './escape-html.js'
import { sanitizeFileName } from './file-name.js'
import { parseHexColor, sanitizeHexColor } from './hex-color.js'
import { sanitizeHtmlClass } from './html-class.js'
import { isIpAddress } from './ip-address.js'
import { sanitizeKey } from './key.js'
import { ksesData, ksesPost } from './kses.js'
import { parseIdList, parseList, parseSlugList } from './lists.js'
import { sanitizeMimeType } from './mime-type.js'
import { absint } from './numbers.js'
import { stripAllTags } from './strip-all-tags.js'
import { sanitizeTextareaField, sanitizeTextField } from './text-field.js'
import { sanitizeTitle } from './title.js'
import { allowedProtocols } from './protocols.js'
import { escUrl, sanitizeUrl } from './url.js'
import { sanitizeUser } from './user.js'
import { isUuid } from './uuid.js'

/** A PHP function of which all arguments but the first are optional. */
export type WordpressFunction = (value: unknown, ...otherArguments: readonly unknown[]) => unknown

const functions: Readonly<Record<string, WordpressFunction>> = {
  absint: (value) => absint(value),
  boolval: (value) => toBoolean(value),
  esc_attr: (value) => escAttr(value),
  esc_html: (value) => escHtml(value),
  esc_url: (value, protocols, context = 'display') =>
    context === 'display' ? escUrl(value, protocolsOf(protocols)) : sanitizeUrl(value, protocolsOf(protocols)),
  esc_url_raw: (value, protocols) => sanitizeUrl(value, protocolsOf(protocols)),
  floatval: (value) => toFloat(value),
  intval: (value, base) => integerInBase(value, toInteger(base ?? 10)),
  is_email: (value) => isEmail(value) && value,
  rest_is_ip_address: (value) => isIpAddress(value) && value,
  rest_parse_date: (value, ignoresZone) => parseDate(value, toBoolean(ignoresZone)) ?? false,
  rest_parse_hex_color: (value) => parseHexColor(value) ?? false,
  rest_sanitize_boolean: (value) => restSanitizeBoolean(value),
  sanitize_email: (value) => sanitizeEmail(value),
  sanitize_file_name: (value) => sanitizeFileName(value),
  sanitize_hex_color: (value) => sanitizeHexColor(value),
  // As in WordPress, the fallback does not apply to the items of a list.
  sanitize_html_class: (value, fallback) =>
    typeof value === 'object' && value !== null
      ? eachText(value, (name) => sanitizeHtmlClass(name))
      : sanitizeHtmlClass(value, toText(fallback)),
  sanitize_key: (value) => sanitizeKey(value),
  sanitize_mime_type: (value) => eachText(value, sanitizeMimeType),
  sanitize_text_field: (value) => sanitizeTextField(value),
  sanitize_textarea_field: (value) => sanitizeTextareaField(value),
  sanitize_title: (value, fallback, context = 'save') =>
    sanitizeTitle(value, context === 'save' ? 'save' : 'query') || toText(fallback),
  sanitize_url: (value, protocols) => sanitizeUrl(value, protocolsOf(protocols)),
  sanitize_user: (value, strict) => sanitizeUser(value, toBoolean(strict)),
  strtolower: (value) => asciiLowerCase(toText(value)),
  strval: (value) => toText(value),
  trim: (value, list) => (list === undefined ? phpTrim(toText(value)) : trimList(toText(value), toText(list))),
  wp_is_uuid: (value, version) => isUuid(value, version ?? null),
  wp_kses_data: (value) => eachText(value, ksesData),
  wp_kses_post: (value) => eachText(value, ksesPost),
  wp_parse_id_list: (value) => parseIdList(value),
  wp_parse_list: (value) => parseList(value),
  wp_parse_slug_list: (value) => parseSlugList(value),
  wp_strip_all_tags: (value, joinLines) => stripAllTags(value, toBoolean(joinLines)),
}

/**
 * WordPress's and PHP's functions by name, with their optional arguments and their results. A check such as `is_email`
 * returns its argument, or false.
 */
export const wordpressFunctions: ReadonlyMap<string, WordpressFunction> = new Map(Object.entries(functions))

function protocolsOf(list: unknown): ReadonlySet<string> {
  return Array.isArray(list) ? new Set(list.map(toText)) : allowedProtocols
}

/** Applies a function to the text of a value, or to the text of each item of a list or map. */
function eachText(value: unknown, convert: (text: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return convert(toText(value))
  return arrayOf(entriesOf(value).map(([key, item]) => [key, convert(toText(item))]))
}
