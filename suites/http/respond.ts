import type { IncomingRequest, OutgoingResponse } from '../../src/http/exchange.js'

const sharedHeaders = Object.freeze([['X-Shared', 'é'] as const])
const headerMemo = {}

/** Responses of every shape, by path. */
const responses: Readonly<Record<string, OutgoingResponse>> = {
  '/bytes': { status: 200, headers: [['Content-Type', 'image/x']], body: Uint8Array.of(0, 255, 13, 10) },
  '/unicode': { status: 201, headers: [['X-A', 'é\r\nSet-Cookie: a=b']], requestId: 'id', body: 'é€😀' },
  '/memo': { status: 200, headers: sharedHeaders, headerMemo, body: 'x', isAscii: true },
  '/dated': { status: 200, headers: [['date', 'Wed, 11 Jan 1984 05:00:00 GMT']], body: 'x' },
  '/nothing': { status: 404, headers: [], body: '' },
  '/204': { status: 204, headers: [['X-A', '']], body: 'never' },
  '/205': { status: 205, headers: [], body: 'never' },
  '/304': { status: 304, headers: [['ETag', '"a"']], body: 'never' },
  '/306': { status: 306, headers: [], body: 'reserved' },
  '/large': { status: 200, headers: [], body: 'large '.repeat(40_000), isAscii: true },
}

/** Paths with a response of their own; `/later` gets its response some turns of the event loop later. */
export const paths: readonly string[] = [...Object.keys(responses), '/later']

/** Every other path is answered with what was read of the request. */
export function respond(request: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> {
  const { method, path, query, headers, body } = request
  const text = JSON.stringify([method, path, query, headers, Buffer.from(body).toString('latin1')])
  const echo = { status: 200, headers: [['Content-Type', 'application/json'] as const], body: text }
  return path === '/later' ? later(echo) : (responses[path] ?? echo)
}

async function later(outgoing: OutgoingResponse): Promise<OutgoingResponse> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return outgoing
}
