import type { ServerResponse } from 'node:http'
import type { OutgoingResponse, OutgoingStream } from '../../http/exchange.js'
import { sentHeader } from '../../http/header-text.js'
import { reasonPhrase } from './response-text.js'

/** Maximum length of a body that is joined with its head to one string, in characters. */
export const maxJoinedLength = 65_536

/** Sends a whole response. */
export function send(response: ServerResponse, method: string, outgoing: OutgoingResponse): void {
  const body = writeHead(response, method, outgoing)
  if (body === null) response.end()
  // Node joins a text of this encoding with the head: a copy of a large one for each response. `ascii` is not joined.
  else response.end(body, body.length > maxJoinedLength ? 'ascii' : 'latin1')
}

/** Sends a response after which the connection ends, also when the body of its request is still arriving. */
export function sendLast(response: ServerResponse, method: string, outgoing: OutgoingResponse): void {
  const headers = [...outgoing.headers, ['Connection', 'close'] as const]
  send(response, method, { ...outgoing, headers, headerMemo: undefined })
}

/** Sends the head of a response whose body is a stream. `node:http` chunks a body without a length. */
export function writeStreamHead(
  response: ServerResponse,
  { status, headers, requestId }: OutgoingResponse,
  { size }: OutgoingStream,
): void {
  const flat = [...flatHeaders(headers)]
  if (requestId !== undefined) flat.push('X-Request-Id', requestId)
  if (size !== null) flat.push('Content-Length', String(size))
  response.writeHead(status, reasonPhrase(status), flat)
  // Otherwise the head waits for the first chunk.
  response.flushHeaders()
}

/** @returns the body to send, a string of ASCII or bytes; null for none. */
function writeHead(
  response: ServerResponse,
  method: string,
  { status, headers, headerMemo, requestId, body, isAscii }: OutgoingResponse,
): string | Uint8Array | null {
  const flat = [...((headerMemo && (headerMemo.flat ??= flatHeaders(headers))) ?? flatHeaders(headers))]
  if (requestId !== undefined) flat.push('X-Request-Id', requestId)
  const bodiless = status === 204 || status === 304
  if (bodiless || method === 'HEAD') {
    response.writeHead(status, reasonPhrase(status), flat)
    return null
  }
  const content = status === 205 ? '' : body
  const size = isAscii ? content.length : Buffer.byteLength(content)
  flat.push('Content-Length', String(size))
  response.writeHead(status, reasonPhrase(status), flat)
  // Node sends the headers in the encoding of a text that follows. Only ASCII leaves their bytes unchanged.
  return typeof content === 'string' && size > content.length ? Buffer.from(content) : content
}

/** Names and values in turn. */
function flatHeaders(headers: OutgoingResponse['headers']): readonly string[] {
  return headers.flatMap(([name, value]) => [name, sentHeader(value)])
}
