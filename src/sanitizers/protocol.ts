import { asciiLowerCase } from '../php/ascii-case.js'
import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { decodeReferences } from './character-references.js'
import { withoutControls } from './control-characters.js'

/** A colon, written plainly or as a character reference. */
const colon = /:|&#0*58;|&#x0*3a;|&colon;/i
/** A character reference of the colon without its semicolon. Browsers accept it. */
const unterminatedColon = /(&#0*58(?![;\d])|&#x0*3a(?![;a-f\d]))/gi

/**
 * `wp_kses_bad_protocol`: the URL without schemes that are not allowed: `javascript:x` becomes `x`. Removing a scheme
 * may reveal another one, so the check is repeated. An allowed scheme is written in lower case.
 * @returns the empty string when the URL still changes in the sixth round.
 */
export function withoutBadProtocol(url: string, protocols: ReadonlySet<string>): string {
  // Removes `\0`, which PHP may unescape to NUL. The lookbehind keeps long runs of backslashes in linear time.
  let current = withoutControls(url).replace(/(?<!\\)\\+0+/g, '')
  if (isAllowedHttpUrl(current, protocols)) return current
  for (let round = 0; round < 6; round += 1) {
    const next = withoutBadProtocolOnce(current, protocols, 0)
    if (next === current) return current
    current = next
  }
  return ''
}

/** Whether the URL starts with an allowed `http://` or `https://`. As in WordPress, such a URL stays unchanged. */
function isAllowedHttpUrl(url: string, protocols: ReadonlySet<string>): boolean {
  return (url.startsWith('https://') && protocols.has('https')) || (url.startsWith('http://') && protocols.has('http'))
}

/**
 * `wp_kses_bad_protocol_once`: the URL without its first scheme, unless that scheme is allowed.
 * @param outerFeeds number of `feed:` schemes before the URL.
 */
function withoutBadProtocolOnce(url: string, protocols: ReadonlySet<string>, outerFeeds: number): string {
  const text = url.replace(unterminatedColon, '$1;')
  const separator = colon.exec(text)
  const scheme = text.slice(0, separator?.index)
  // As in WordPress, a colon after `/?` belongs to a query.
  if (separator === null || scheme.includes('/?')) return text
  const rest = phpTrim(text.slice(separator.index + separator[0].length))
  const name = schemeName(scheme)
  if (!protocols.has(name)) return rest
  if (name !== 'feed') return `${name}:${rest}`
  // `feed:` is followed by a URL with its own scheme.
  const address = outerFeeds < 2 ? withoutBadProtocolOnce(rest, protocols, outerFeeds + 1) : ''
  // WordPress checks for an empty URL with PHP's `empty`, which is also true for `0`.
  return toBoolean(address) ? `feed:${address}` : address
}

/** The scheme as a browser reads it: character references decoded, white space and control characters removed. */
function schemeName(scheme: string): string {
  // No scheme is this long. The limit saves decoding a large value whose only colon is at its end.
  if (scheme.length > 1000) return ''
  return asciiLowerCase(withoutControls(decodeReferences(scheme).replace(/[ \t\n\v\f\r]/g, '')))
}
