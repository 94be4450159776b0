import { addHeader, headerName } from './incoming.js'

/** A request without a body, as far as its bytes tell. */
export interface SimpleRequest {
  readonly method: 'GET' | 'HEAD'
  /** Path and query, beginning with `/`. */
  readonly target: string
  /** By lower-case name, without a prototype. */
  readonly headers: Record<string, string | undefined>
}

const requestLine = /^(GET|HEAD) (\/[!"$-~]*) HTTP\/1\.1\r\n/
/** ASCII throughout, each line with its end, and nothing behind the empty one. */
const headerLines = /^(?:[A-Za-z0-9-]+:[\t -~]*\r\n)+\r\n$/
/** Headers that say how long a message is, or what becomes of the connection: for a parser that knows all about them. */
const framing: ReadonlySet<string> = new Set(
  'connection content-length expect http2-settings te trailer transfer-encoding upgrade'.split(' '),
)
const keepAlive = /^keep-alive$/i
/** Bytes; longer requests are rare. */
const longest = 8192

/**
 * Reads what nearly every request without a body looks like: whole, alone, in ASCII, in the strictest spelling that HTTP
 * has, for one host, and silent about its connection. Null for anything else, however valid: `node:http` reads that.
 * @param bytes as they came from the socket.
 */
export function readSimpleRequest(bytes: Buffer): SimpleRequest | null {
  if (bytes.length > longest) return null
  const text = bytes.toString('latin1')
  const [line, method, target] = requestLine.exec(text) ?? []
  if (line === undefined || target === undefined) return null
  const block = text.slice(line.length)
  if (!headerLines.test(block)) return null
  const headers = Object.create(null) as Record<string, string | undefined>
  for (let start = 0; start < block.length - 2;) {
    const colon = block.indexOf(':', start)
    const end = block.indexOf('\r', colon)
    const name = headerName(block.slice(start, colon))
    const value = block.slice(colon + 1, end).trim()
    if (framing.has(name) && !(name === 'connection' && keepAlive.test(value))) return null
    if (name === 'host' && headers['host'] !== undefined) return null
    addHeader(headers, name, value)
    start = end + 2
  }
  return headers['host'] === undefined ? null : { method: method === 'HEAD' ? 'HEAD' : 'GET', target, headers }
}
