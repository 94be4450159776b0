import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { phpTrimStart } from '../php/trim.js'
import { normalizeReferences } from './character-references.js'
import { removePercentTriplets } from './percent-triplets.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols } from './protocols.js'

// eslint-disable-next-line no-control-regex -- every control character is outside of what a URL may hold
const forbidden = /[\x00-\x20"<>\\^`{}\x7f]/g

/**
 * `sanitize_url`, also known as `esc_url_raw`: the URL fit to be stored or requested. Characters that a URL cannot hold
 * go, what has no scheme gets `http://`, or `https://` when the allowed ones begin with it, and a scheme that is not
 * allowed leaves nothing.
 * @param protocols the allowed schemes, WordPress's own list by default.
 * Rules: docs/wire.md#urls.
 */
export function sanitizeUrl(value: unknown, protocols: ReadonlySet<string> = allowedProtocols): string {
  return cleanUrl(value, protocols, (url) => url)
}

/** `esc_url`: the URL fit to be printed into an attribute; as {@link sanitizeUrl}, with `&` and `'` escaped. */
export function escUrl(value: unknown, protocols: ReadonlySet<string> = allowedProtocols): string {
  return cleanUrl(value, protocols, (url) =>
    normalizeReferences(url).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;'),
  )
}

function cleanUrl(value: unknown, protocols: ReadonlySet<string>, escaped: (url: string) => string): string {
  const spaced = typeof value === 'object' ? '' : phpTrimStart(toText(value)).replaceAll(' ', '%20')
  const allowed = spaced.replace(forbidden, '')
  if (allowed === '') return ''
  const isMail = /^mailto:/i.test(allowed)
  const plain = (isMail ? allowed : removePercentTriplets(allowed, /%0[ad]/i)).replaceAll(';//', '://')
  const [first] = protocols
  const scheme = first === 'https' ? 'https://' : 'http://'
  const url = withEncodedBrackets(escaped(hasStart(plain) ? plain : scheme + plain))
  if (url.startsWith('/')) return url
  const checked = withoutBadProtocol(url, protocols)
  return asciiLowerCase(checked) === asciiLowerCase(url) ? checked : ''
}

/** Whether the URL has a scheme, or is relative in a way that shows: a path, a query, a fragment or a PHP file. */
function hasStart(url: string): boolean {
  return url.includes(':') || /^[/#?]/.test(url) || /^[a-z\d-]+\.php/i.test(url)
}

/**
 * Square brackets are for IPv6 addresses in the authority; anywhere else they are encoded, but not when the front of the
 * URL stands between the rest of it once more, as in an address within the query. The front of a path alone is `//`.
 */
function withEncodedBrackets(url: string): string {
  if (!/[[\]]/.test(url)) return url
  const [, start = '', host = ''] = /^((?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#]*@)?)([^/?#]*)/i.exec(url) ?? []
  const authority = hostAndPort(host)
  const front = authority === '' ? (url.startsWith('/') ? '//' : '') : start + authority
  const rest = front === '' ? url : url.replaceAll(front, '')
  return rest === '' ? url : url.replaceAll(rest, () => rest.replaceAll('[', '%5B').replaceAll(']', '%5D'))
}

/** A host with the digits of its port; nothing when that is no port. Only an IPv6 address may end in what is none. */
function hostAndPort(host: string): string {
  const colon = /^\[.*\]$/s.test(host) ? -1 : host.lastIndexOf(':')
  if (colon === -1) return host
  const port = host.slice(colon + 1)
  if (port === '') return host.slice(0, colon)
  const digits = port.length > 5 ? null : /^\d+/.exec(port)
  return digits === null ? '' : `${host.slice(0, colon)}:${digits[0]}`
}
