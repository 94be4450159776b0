import { byteLength } from './text.js'

/** The path and the query of a URL. */
export interface UrlParts {
  /** Empty for none. */
  readonly path: string
  /** Without the question mark; empty for none. */
  readonly query: string
}

/**
 * The path and the query of a URL or of a part of one, as WordPress's `wp_parse_url` finds them. The URL may begin with a
 * scheme, with `//` and a host, or with a host and a port: `localhost:80/shop`. Percent-encoding stays. Control
 * characters become `_`.
 * @returns null for a URL that PHP does not parse: without a host after `//`, or with a port above 65535.
 */
export function urlParts(url: string): UrlParts | null {
  if (url.startsWith('//')) return partsAfterHost(url.slice(2))
  const colon = url.indexOf(':')
  // A scheme, or a host with a port, unless other characters show that it is the beginning of a path.
  const start = url.slice(0, Math.max(colon, 0))
  if (url.startsWith('/') || colon === -1 || /[?#]/.test(start)) return partsOf(url)
  const rest = url.slice(colon + 1)
  const port = /^\d{1,5}(?=\/|$)/.exec(rest)?.[0]
  if (url === ':' || (port !== undefined && !isPort(port))) return null
  if (!/^[a-z\d+.-]+$/i.test(start)) return port === undefined ? partsOf(url) : partsAfterHost(url)
  if (rest.startsWith('//')) return start.toLowerCase() === 'file' ? partsOfFile(rest) : partsAfterHost(rest.slice(2))
  return port === undefined ? partsOf(rest) : partsAfterHost(url)
}

/** @param rest begins with `//`. */
function partsOfFile(rest: string): UrlParts | null {
  if (!rest.startsWith('///')) return partsAfterHost(rest.slice(2))
  // In `file:///c:/a` the path begins with the letter of the drive.
  return partsOf(rest.slice(rest[4] === ':' ? 3 : 2))
}

/** @param text begins with the host. */
function partsAfterHost(text: string): UrlParts | null {
  const [authority = ''] = /^[^/?#]*/.exec(text) ?? []
  const address = authority.slice(authority.lastIndexOf('@') + 1)
  const colon = /^\[.*\]$/s.test(address) ? -1 : address.lastIndexOf(':')
  const host = colon === -1 ? address : address.slice(0, colon)
  const port = colon === -1 ? '' : address.slice(colon + 1)
  if (host === '' || !isPort(port)) return null
  return partsOf(text.slice(authority.length))
}

/** Whether PHP reads the text after a colon as a port, from the digits at its beginning; also when it is empty. */
function isPort(text: string): boolean {
  if (text === '') return true
  if (byteLength(text) > 5) return false
  const port = Number(/^\s*[-+]?\d+/.exec(text)?.[0] ?? NaN)
  return port >= 0 && port <= 65_535
}

/** @param text begins with the path. */
function partsOf(text: string): UrlParts {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(text) ?? []
  return { path: withoutControls(path), query: withoutControls(query) }
}

function withoutControls(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, '_')
}
