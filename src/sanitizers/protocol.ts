import { asciiLowerCase } from '../php/ascii-case.js'
import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { decodeReferences } from './character-references.js'
import { withoutControls } from './control-characters.js'

/** A colon, also as a character reference. */
const colon = /:|&#0*58;|&#x0*3a;|&colon;/i
const unfinishedColon = /(&#0*58(?![;\d])|&#x0*3a(?![;a-f\d]))/gi

/**
 * The URL without any scheme that is not allowed, however often one hides behind another: `javascript:x` is `x`. An
 * allowed scheme is written in lower case. Of what still changes after six rounds nothing is left.
 * Rules: docs/wire.md#attributes-and-styles.
 */
export function withoutBadProtocol(url: string, protocols: ReadonlySet<string>): string {
  let current = withoutControls(url).replace(/(?<!\\)\\+0+/g, '')
  for (let round = 0; round < 6; round += 1) {
    const next = checkedOnce(current, protocols, 0)
    if (next === current) return current
    current = next
  }
  return ''
}

function checkedOnce(url: string, protocols: ReadonlySet<string>, outerFeeds: number): string {
  const text = url.replace(unfinishedColon, '$1;')
  const separator = colon.exec(text)
  const scheme = text.slice(0, separator?.index)
  if (separator === null || scheme.includes('/?')) return text
  const rest = phpTrim(text.slice(separator.index + separator[0].length))
  const name = schemeName(scheme)
  if (!protocols.has(name)) return rest
  if (name !== 'feed') return `${name}:${rest}`
  // The address of a feed is a URL that has a scheme of its own.
  const address = outerFeeds < 2 ? checkedOnce(rest, protocols, outerFeeds + 1) : ''
  return toBoolean(address) ? `feed:${address}` : address
}

/** The scheme as a browser reads it: references decoded, white space and controls ignored. */
function schemeName(scheme: string): string {
  // No scheme is anywhere near as long, and the text before a colon can be all of a large value.
  if (scheme.length > 1000) return ''
  return asciiLowerCase(withoutControls(decodeReferences(scheme).replace(/[ \t\n\v\f\r]/g, '')))
}
