import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'
import { phpTrimStart } from '../php/trim.js'
import { normalizeReferences } from './character-references.js'
import { removePercentTriplets } from './percent-triplets.js'
import { withoutBadProtocol } from './protocol.js'
import { allowedProtocols } from './tables/protocols.js'

// eslint-disable-next-line no-control-regex -- every control character is outside of what a URL may hold
const forbidden = /[\x00-\x20"<>\\^`{}\x7f]/g

/**
 * `sanitize_url`, also known as `esc_url_raw`: the URL fit to be stored or requested. Characters that a URL cannot hold
 * go, `http://` is put before what has no scheme, and a scheme that is not allowed leaves nothing.
 * @param protocols the allowed schemes, WordPress's own list by default.
 * Source: WIRE 5.
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
  const url = withEncodedBrackets(escaped(hasStart(plain) ? plain : `http://${plain}`))
  if (url.startsWith('/')) return url
  const checked = withoutBadProtocol(url, protocols)
  return asciiLowerCase(checked) === asciiLowerCase(url) ? checked : ''
}

/** Whether the URL has a scheme, or is relative in a way that shows: a path, a query, a fragment or a PHP file. */
function hasStart(url: string): boolean {
  return url.includes(':') || /^[/#?]/.test(url) || /^[a-z\d-]+\.php/i.test(url)
}

/** Square brackets are for IPv6 addresses in the authority; anywhere else they are encoded. */
function withEncodedBrackets(url: string): string {
  const authority = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i.exec(url)?.[0] ?? ''
  return authority + url.slice(authority.length).replaceAll('[', '%5B').replaceAll(']', '%5D')
}
