import { addHeader, headerName, isHost } from '../connection/incoming.js'

type Headers = Readonly<Record<string, string | undefined>>

/** A request that arrived in one chunk. */
export interface SimpleRequest {
  readonly method: string
  /** Percent-encoded, beginning with `/`. */
  readonly path: string
  /** Without the question mark; `''` when there is none. */
  readonly query: string
  /** By lower-case name, without a prototype. */
  readonly headers: Headers
  /** Empty when the request has none. */
  readonly body: Uint8Array
}

const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/[!"$-~]*) HTTP\/1\.1\r\n/
/** Header lines in ASCII, each with its line end. */
const headerLines = /^(?:[A-Za-z0-9-]+:[\t -~]*\r\n)+$/
/** Headers about the end of a message or of the connection. `node:http` handles them. */
const framing: ReadonlySet<string> = new Set(
  'connection expect http2-settings proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)
const keepAlive = /^keep-alive$/i
/** The value of `Content-Length`, with one optional space before it. Some versions of `node:http` refuse a tab. */
const size = /^ ?\d{1,9}$/
/** Request lines of RTSP and ICE, which the parser of `node:http` accepts and reports as HTTP/1.0. */
const otherProtocol = /^[\r\n]*[^\r\n]* (?:RTSP|ICE)\/\d\.\d\r?\n/
/** Maximum size of the request line and the headers, in bytes. Larger ones are rare. */
const maxHeadBytes = 8192
/** Maximum size of a request whose headers are remembered for the next request of its connection, in bytes. */
const maxRememberedBytes = 2048
const noBody = new Uint8Array(0)

/** The headers of the latest request of a connection. Most clients send the same headers with each request. */
export class LatestHeaders {
  #lines = ''
  /** The parsed headers, once the same lines have arrived twice. Frozen, because several requests share them. */
  #headers: Headers | null = null

  /** As {@link headersIn}. @param isRemembered whether the lines are compared with those of the next request. */
  read(lines: string, isRemembered: boolean): Headers | null {
    if (lines === this.#lines) return (this.#headers ??= Object.freeze(headersIn(lines)))
    this.#lines = isRemembered ? lines : ''
    this.#headers = null
    return headersIn(lines)
  }
}

/**
 * Reads a simple request, as nearly every request is: complete, alone in its chunk, with a head in ASCII in the strictest
 * form of HTTP, one host, no headers about the connection, and a body of the announced length. Null for any other, also
 * a valid one, which `node:http` then reads.
 * @param bytes as they came from the socket. @param bodyLimit bytes; a longer body is left to `node:http` as well.
 * @param latest of the connection.
 */
export function readSimpleRequest(
  bytes: Buffer,
  bodyLimit: number,
  latest = new LatestHeaders(),
): SimpleRequest | null {
  const start = bytes.toString('latin1', 0, Math.min(bytes.length, maxHeadBytes))
  const headEnd = start.indexOf('\r\n\r\n') + 2
  if (headEnd < 2) return null
  const text = start.slice(0, headEnd)
  const [line, method, target] = requestLine.exec(text) ?? []
  if (line === undefined || method === undefined || target === undefined) return null
  const headers = latest.read(text.slice(line.length), bytes.length <= maxRememberedBytes)
  if (headers === null || headers['host'] === undefined) return null
  const length = headers['content-length']
  const bodyLength = bytes.length - headEnd - 2
  if (bodyLength > bodyLimit || bodyLength !== (length === undefined ? 0 : Number(length))) return null
  // `splitTarget` also reads the other forms of a target, and is slower.
  const mark = target.indexOf('?')
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    body: bodyLength === 0 ? noBody : bytes.subarray(headEnd + 2),
  }
}

/** Null when a line is not simple, or the host or the length of the body occurs twice. */
function headersIn(lines: string): Headers | null {
  if (!headerLines.test(lines)) return null
  const headers = Object.create(null) as Record<string, string | undefined>
  for (let start = 0; start < lines.length;) {
    const colon = lines.indexOf(':', start)
    const end = lines.indexOf('\r', colon)
    const name = headerName(lines.slice(start, colon))
    const text = lines.slice(colon + 1, end)
    const value = text.trim()
    if (framing.has(name) && !(name === 'connection' && keepAlive.test(value))) return null
    if (name === 'content-length' && !size.test(text)) return null
    if (name === 'host' && !isHost(value)) return null
    if ((name === 'host' || name === 'content-length') && headers[name] !== undefined) return null
    addHeader(headers, name, value)
    start = end + 2
  }
  return headers
}

/** Whether the request line is one of RTSP or ICE. */
export function isOtherProtocol(bytes: Buffer): boolean {
  return otherProtocol.test(bytes.toString('latin1', 0, Math.min(bytes.length, maxHeadBytes)))
}
