import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OutgoingResponse } from '../../http/exchange.js'
import { sentHeader } from '../../http/header-text.js'
import { linger } from './connections.js'

/** Sends a whole response. */
export function send(response: ServerResponse, method: string, outgoing: OutgoingResponse): void {
  const body = writeHead(response, method, outgoing)
  if (body === null) response.end()
  else response.end(body, 'latin1')
}

/**
 * Responds to a request whose body is still arriving, and goes on reading for a moment. Otherwise a client that is
 * writing would find the connection broken and never see the response.
 */
export function sendEarly(request: IncomingMessage, response: ServerResponse, outgoing: OutgoingResponse): void {
  const content = writeHead(response, request.method ?? 'GET', {
    ...outgoing,
    headers: [...outgoing.headers, ['Connection', 'close']],
    headerMemo: undefined,
  })
  if (content === null) response.flushHeaders()
  else response.write(content, 'latin1')
  const end = setTimeout(() => response.end(), linger)
  const now = () => {
    clearTimeout(end)
    response.end()
  }
  request.once('end', now)
  request.once('close', now)
  request.resume()
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
    response.writeHead(status, flat)
    return null
  }
  const content = status === 205 ? '' : body
  const size = isAscii ? content.length : Buffer.byteLength(content)
  flat.push('Content-Length', String(size))
  response.writeHead(status, flat)
  // Node sends the headers in the encoding of a text that follows. Only ASCII leaves their bytes unchanged.
  return typeof content === 'string' && size > content.length ? Buffer.from(content) : content
}

/** Names and values in turn. */
function flatHeaders(headers: OutgoingResponse['headers']): readonly string[] {
  return headers.flatMap(([name, value]) => [name, sentHeader(value)])
}
