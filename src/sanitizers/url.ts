import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { phpTrimStart } from '../php/trim.js'
import { normalizeReferences } from './character-references.js'
import { removePercentTriplets } from './percent-triplets.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols } from './protocols.js'

// eslint-disable-next-line no-control-regex -- a URL cannot contain control characters
const forbidden = /[\x00-\x20"<>\\^`{}\x7f]/g

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

function cleanUrl(value: unknown, protocols: ReadonlySet<string>, escape: (url: string) => string): string {
  const spaced = typeof value === 'object' ? '' : phpTrimStart(toText(value)).replaceAll(' ', '%20')
  const cleaned = spaced.replace(forbidden, '')
  if (cleaned === '') return ''
  const isMail = /^mailto:/i.test(cleaned)
  const plain = (isMail ? cleaned : removePercentTriplets(cleaned, /%0[ad]/i)).replaceAll(';//', '://')
  const [firstProtocol] = protocols
  const scheme = firstProtocol === 'https' ? 'https://' : 'http://'
  const url = withEncodedBrackets(escape(hasSchemeOrIsRelative(plain) ? plain : scheme + plain))
  if (url.startsWith('/')) return url
  const checked = withoutBadProtocol(url, protocols)
  return asciiLowerCase(checked) === asciiLowerCase(url) ? checked : ''
}

/** Whether the URL contains a colon or is recognisably relative: a path, a query, a fragment or a PHP file. */
function hasSchemeOrIsRelative(url: string): boolean {
  return url.includes(':') || /^[/#?]/.test(url) || /^[a-z\d-]+\.php/i.test(url)
}

/**
 * Encodes square brackets outside of the authority, where they enclose an IPv6 address. Like WordPress, it removes all
 * occurrences of the start of the URL (scheme and authority) and encodes the brackets only where the remaining text
 * occurs in the URL unbroken. A URL that repeats its start in the query therefore keeps its brackets. A path without an
 * authority has the start `//`.
 */
function withEncodedBrackets(url: string): string {
  if (!/[[\]]/.test(url)) return url
  const [, beforeHost = '', host = ''] = /^((?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#]*@)?)([^/?#]*)/i.exec(url) ?? []
  const authority = hostAndPort(host)
  const urlStart = authority === '' ? (url.startsWith('/') ? '//' : '') : beforeHost + authority
  const rest = urlStart === '' ? url : url.replaceAll(urlStart, '')
  return rest === '' ? url : url.replaceAll(rest, () => rest.replaceAll('[', '%5B').replaceAll(']', '%5D'))
}

/** The host with the leading digits of its port; empty when the port is invalid. A closing `]` ends the host. */
function hostAndPort(host: string): string {
  const colon = /^\[.*\]$/s.test(host) ? -1 : host.lastIndexOf(':')
  if (colon === -1) return host
  const port = host.slice(colon + 1)
  if (port === '') return host.slice(0, colon)
  const digits = port.length > 5 ? null : /^\d+/.exec(port)
  return digits === null ? '' : `${host.slice(0, colon)}:${digits[0]}`
}
