import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import type { TrustedProxies } from '../http/trusted-proxies.js'
import { receivedHeader, sentHeader } from '../http/header-text.js'
import { tooLarge, unreadable, type Refused } from '../http/refusal.js'

/** What a `Request` cannot say about its sender. */
export interface Sender {
  /** The address at the other end of the connection: the caller's, or that of a proxy. Default `127.0.0.1`. */
  readonly address?: string
  /** The request came over TLS. Default: what the URL says. */
  readonly secure?: boolean
}

export interface FetchOptions {
  /** Bytes. */
  readonly bodyLimit: number
  readonly forwarding: TrustedProxies
  /** Told of each request that is answered without the service. Must not throw. */
  readonly onRefused: (refused: Refused) => void
}

/** Answers a `Request`. @param respond must not throw: what goes wrong inside is its own answer. */
export async function answerFetch(
  request: Request,
  sender: Sender,
  respond: (request: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>,
  { bodyLimit, forwarding, onRefused }: FetchOptions,
): Promise<Response> {
  const body = await bodyOf(request, bodyLimit)
  const { pathname, search, protocol } = new URL(request.url)
  // `Request` makes some of them upper case, and leaves `patch` as it is.
  const method = request.method.toUpperCase()
  const address = sender.address ?? '127.0.0.1'
  if (!(body instanceof Uint8Array)) {
    onRefused({ method, path: pathname, status: body.status, address })
    return responseOf(body)
  }
  const headers = headersOf(request.headers)
  const secure = sender.secure ?? protocol === 'https:'
  return responseOf(
    await respond({
      method,
      path: pathname,
      query: search.slice(1),
      headers,
      body,
      ...forwarding.originOf(forwarding.peerOf(address), secure, headers),
    }),
  )
}

function headersOf(received: Headers): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of received) headers[name] = receivedHeader(name, value)
  return headers
}

/** Why not, for a body that is too large or breaks off. */
async function bodyOf(request: Request, limit: number): Promise<Uint8Array | OutgoingResponse> {
  if (!request.body) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<unknown>) {
      // A stream can hold anything; `request.text()` would refuse it too.
      if (!(chunk instanceof Uint8Array)) return unreadable
      size += chunk.length
      if (size > limit) return tooLarge(limit)
      chunks.push(chunk)
    }
  } catch {
    return unreadable
  }
  return Buffer.concat(chunks)
}

/** Answers that a `Response` takes no body for. */
const bodiless = new Set([204, 205, 304])

/** The service's answer as a `Response`. */
export function responseOf({ status, headers, requestId, body }: OutgoingResponse): Response {
  const list = new Headers()
  for (const [name, value] of headers) list.append(name, sentHeader(value))
  if (requestId !== undefined) list.append('X-Request-Id', requestId)
  const content = typeof body === 'string' ? Buffer.from(body) : body
  return new Response(bodiless.has(status) || content.length === 0 ? null : content, { status, headers: list })
}
