import { STATUS_CODES } from 'node:http'
import type { HeaderMemo, OutgoingResponse } from '../../http/exchange.js'
import { sentHeader } from '../../http/header-text.js'

/**
 * The head of a response, one character for each byte.
 * @param length of the body in bytes; null for a response without `Content-Length`.
 * @param ending the header lines about the connection, each with its line end.
 */
export function headText(
  { status, headers, headerMemo, requestId }: OutgoingResponse,
  length: number | null,
  ending: string,
): string {
  const { lines, isDated } = (headerMemo && (headerMemo.text ??= linesOf(headers))) ?? linesOf(headers)
  let text = `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n${lines}`
  if (requestId !== undefined) text += `X-Request-Id: ${requestId}\r\n`
  if (length !== null) text += `Content-Length: ${length}\r\n`
  return isDated ? `${text}${ending}\r\n` : `${text}Date: ${dateText()}\r\n${ending}\r\n`
}

/** The text after a status. `node:http` knows none for 306, which WordPress sends as `Reserved`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Reserved'
}

function linesOf(headers: OutgoingResponse['headers']): NonNullable<HeaderMemo['text']> {
  // `join` makes one flat text. A text made by `+=` holds each of its pieces, which takes three times the memory.
  const lines = headers.map(([name, value]) => `${name}: ${sentHeader(value)}\r\n`).join('')
  return { lines, isDated: headers.some(([name]) => name.toLowerCase() === 'date') }
}

let date = ''
let dateSecond = 0

/** The current second as an HTTP date. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(second * 1000).toUTCString()
  }
  return date
}
