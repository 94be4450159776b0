import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { phpTrimStart } from '../php/trim.js'
import { normalizeReferences } from './character-references.js'
import { removePercentTriplets } from './percent-triplets.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols } from './protocols.js'

/** Characters that are removed from a URL. */
// eslint-disable-next-line no-control-regex -- a URL cannot contain control characters
const forbiddenCharacters = /[\x00-\x20"<>\\^`{}\x7f]/g

/**
 * `sanitize_url`, also known as `esc_url_raw`: a URL to be stored or requested. Removes the characters that a URL
 * cannot contain. A URL without a scheme gets `http://`, or `https://` when that is the first allowed scheme.
 * @param protocols the allowed schemes; WordPress's own list by default.
 * @returns the empty string when the scheme is not allowed.
 */
export function sanitizeUrl(value: unknown, protocols: ReadonlySet<string> = allowedProtocols): string {
  return cleanUrl(value, protocols, (url) => url)
}

/** `esc_url`: a URL for an HTML attribute. Does the same as {@link sanitizeUrl}, and escapes `&` and `'`. */
export function escUrl(value: unknown, protocols: ReadonlySet<string> = allowedProtocols): string {
  return cleanUrl(value, protocols, (url) =>
    normalizeReferences(url).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;'),
  )
}

/**
 * The steps that {@link sanitizeUrl} and {@link escUrl} share.
 * @param escape is applied before the scheme is checked.
 */
function cleanUrl(value: unknown, protocols: ReadonlySet<string>, escape: (url: string) => string): string {
  const text = typeof value === 'object' ? '' : phpTrimStart(toText(value)).replaceAll(' ', '%20')
  const cleaned = text.replace(forbiddenCharacters, '')
  if (cleaned === '') return ''
  const isMail = /^mailto:/i.test(cleaned)
  // Encoded line breaks (`%0a`, `%0d`) could split a header that holds the URL. A `mailto:` URL may have them in its
  // body.
  const singleLine = isMail ? cleaned : removePercentTriplets(cleaned, /%0[ad]/i)
  // WordPress corrects the typing error `http;//`.
  const corrected = singleLine.replaceAll(';//', '://')
  const [firstProtocol] = protocols
  const scheme = firstProtocol === 'https' ? 'https://' : 'http://'
  const url = withEncodedBrackets(escape(hasSchemeOrIsRelative(corrected) ? corrected : scheme + corrected))
  if (url.startsWith('/')) return url
  const allowedUrl = withoutBadProtocol(url, protocols)
  // A URL that loses its scheme is rejected. A scheme in upper case is only rewritten.
  return asciiLowerCase(allowedUrl) === asciiLowerCase(url) ? allowedUrl : ''
}

/** Whether the URL contains a colon or is recognisably relative: a path, a query, a fragment or a PHP file. */
function hasSchemeOrIsRelative(url: string): boolean {
  return url.includes(':') || /^[/#?]/.test(url) || /^[a-z\d-]+\.php/i.test(url)
}

/**
 * The URL with encoded square brackets, except in the authority, where they enclose an IPv6 address.
 *
 * The steps are those of WordPress. All occurrences of the start of the URL (scheme and authority) are removed. Where
 * the remaining text occurs in the URL, its brackets are encoded. A URL that contains its own start a second time does
 * not contain the remaining text, and keeps its brackets. A path without an authority has the start `//`, and `mailto:a` has
 * `mailto://`.
 */
function withEncodedBrackets(url: string): string {
  if (!/[[\]]/.test(url)) return url
  const [, beforeHost = '', host = ''] = /^((?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#]*@)?)([^/?#]*)/i.exec(url) ?? []
  const authority = hostAndPort(host)
  const [, scheme] = /^([a-z][a-z\d+.-]*):(?!\/\/)/i.exec(url) ?? []
  const startWithoutHost = scheme === undefined ? (url.startsWith('/') ? '//' : '') : `${scheme}://`
  const urlStart = authority === '' ? startWithoutHost : beforeHost + authority
  const rest = urlStart === '' ? url : url.replaceAll(urlStart, '')
  return rest === '' ? url : url.replaceAll(rest, () => rest.replaceAll('[', '%5B').replaceAll(']', '%5D'))
}

/**
 * The host, and the port up to its first character that is not a digit. Empty when the port has more than five
 * characters or no leading digit. The colons within `[…]`, an IPv6 address, do not begin a port.
 */
function hostAndPort(host: string): string {
  const colon = /^\[.*\]$/s.test(host) ? -1 : host.lastIndexOf(':')
  if (colon === -1) return host
  const port = host.slice(colon + 1)
  if (port === '') return host.slice(0, colon)
  const digits = port.length > 5 ? null : /^\d+/.exec(port)
  return digits === null ? '' : `${host.slice(0, colon)}:${digits[0]}`
}
