import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OutgoingResponse } from '../../request/exchange.js'
import { sentHeader } from '../header-text.js'
import { linger } from './connections.js'

/** Sends an answer and ends it. */
export function send(response: ServerResponse, method: string, answer: OutgoingResponse): void {
  const body = writeHead(response, method, answer)
  if (body === null) response.end()
  else response.end(body)
}

/**
 * Answers a request whose body is still on its way, and goes on reading for a moment: a client that is writing would
 * else find the connection broken and never see the answer.
 */
export function sendEarly(request: IncomingMessage, response: ServerResponse, answer: OutgoingResponse): void {
  const { status, headers, body } = answer
  const content = writeHead(response, request.method ?? 'GET', {
    status,
    headers: [...headers, ['Connection', 'close']],
    body,
  })
  if (content === null) response.flushHeaders()
  else response.write(content)
  const end = setTimeout(() => response.end(), linger)
  const now = () => {
    clearTimeout(end)
    response.end()
  }
  request.once('end', now)
  request.once('close', now)
  request.resume()
}

/** @returns the bytes to send; null for none. */
function writeHead(
  response: ServerResponse,
  method: string,
  { status, headers, body }: OutgoingResponse,
): string | Uint8Array | null {
  const flat: string[] = []
  for (const [name, value] of headers) flat.push(name, sentHeader(value))
  const bodiless = status === 204 || status === 304
  const content = bodiless || method === 'HEAD' ? null : status === 205 ? '' : body
  if (content !== null) flat.push('Content-Length', String(Buffer.byteLength(content)))
  response.writeHead(status, flat)
  return content
}
