import { STATUS_CODES } from 'node:http'
import type { OutgoingResponse } from '../../http/exchange.js'
import { sentHeader } from '../../http/header-text.js'

/**
 * The bytes of an answer, one character each, up to its body.
 * @param length of the body in bytes; null for an answer that has none to speak of.
 * @param ending lines about the connection, each with its end.
 */
export function headText(
  { status, headers, requestId }: OutgoingResponse,
  length: number | null,
  ending: string,
): string {
  const { lines, isDated } = linesOf(headers)
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}`
  if (requestId !== undefined) text += `X-Request-Id: ${requestId}\r\n`
  if (length !== null) text += `Content-Length: ${length}\r\n`
  return isDated ? `${text}${ending}\r\n` : `${text}Date: ${dateText()}\r\n${ending}\r\n`
}

interface HeaderLines {
  readonly lines: string
  /** One of them says the date. */
  readonly isDated: boolean
}

const known = new WeakMap<OutgoingResponse['headers'], HeaderLines>()

/** Made once for a list that comes again. */
function linesOf(headers: OutgoingResponse['headers']): HeaderLines {
  const present = known.get(headers)
  if (present !== undefined) return present
  let lines = ''
  for (const [name, value] of headers) lines += `${name}: ${sentHeader(value)}\r\n`
  const made = { lines, isDated: headers.some(([name]) => name.toLowerCase() === 'date') }
  if (Object.isFrozen(headers)) known.set(headers, made)
  return made
}

let date = ''
let dateSecond = 0

/** As HTTP spells the present second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(second * 1000).toUTCString()
  }
  return date
}
