import type { IncomingRequest, OutgoingResponse, OutgoingStream, Respond } from '../http/exchange.js'
import type { TrustedProxies } from '../http/trusted-proxies.js'
import { receivedHeader, sentHeader } from '../http/header-text.js'
import { FormReader, type FormOptions, type ReceivedForm } from '../http/form-reader.js'
import { isMultipartForm } from '../http/form-body.js'
import { notWritten, tooLarge, unreadable, type RefusedRequest } from '../http/refusal.js'

/** What a `Request` object does not tell about its sender. */
export interface Sender {
  /** The address of the peer: the client, or a proxy. Default `127.0.0.1`. */
  readonly address?: string
  /** Whether the request came over TLS. Default: whether its URL begins with `https:`. */
  readonly secure?: boolean
}

export interface FetchOptions {
  /** Maximum size of a body, in bytes. With `bodyLimitOf`, the smallest limit that it returns. */
  readonly bodyLimit: number
  readonly bodyLimitOf?: BodyLimitOf
  readonly forms: FormOptions
  readonly trustedProxies: TrustedProxies
  /** Called for each request that does not reach the service. Must not throw. */
  readonly onRefused: (refused: RefusedRequest) => void
}

/** Returns the maximum size of the body of a request, in bytes. */
export type BodyLimitOf = (head: Pick<IncomingRequest, 'method' | 'path' | 'query' | 'headers'>) => number

/** Responds to a `Request`. @param respond must not throw: it sends an error response instead. */
export async function handleFetch(
  request: Request,
  sender: Sender,
  respond: Respond,
  { bodyLimit, bodyLimitOf, forms, trustedProxies, onRefused }: FetchOptions,
): Promise<Response> {
  const { pathname, search, protocol } = new URL(request.url)
  // `Request` changes some methods to upper case, but not `patch`.
  const method = request.method.toUpperCase()
  const headers = headersOf(request.headers)
  const head = { method, path: pathname, query: search.slice(1), headers }
  const reader = request.body && isMultipartForm(method, headers['content-type']) ? new FormReader(head, forms) : null
  const body = await bodyOf(request, request.body && bodyLimitOf ? bodyLimitOf(head) : bodyLimit, reader)
  const address = sender.address ?? '127.0.0.1'
  if ('status' in body) {
    onRefused({ method, path: pathname, status: body.status, address })
    return responseOf(body)
  }
  const secure = sender.secure ?? protocol === 'https:'
  const { signal } = request
  const client = {
    get destroyed() {
      return signal.aborted
    },
    readableEnded: false,
    once(event: 'end' | 'close', listener: () => void) {
      if (event === 'close') signal.addEventListener('abort', listener, { once: true })
    },
    off: (_event: 'end' | 'close', listener: () => void) => signal.removeEventListener('abort', listener),
  }
  const origin = trustedProxies.originOf(trustedProxies.peerOf(address), secure, headers)
  const outgoing = await new Promise<OutgoingResponse>((send) => respond({ ...head, ...body, client, ...origin }, send))
  const { stream } = outgoing
  if (stream !== undefined) {
    const cancel = (): void => stream.cancel()
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel)
    stream.whenEnded(() => signal.removeEventListener('abort', cancel))
  }
  return responseOf(outgoing)
}

function headersOf(received: Headers): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of received) headers[name] = receivedHeader(name, value)
  return headers
}

interface ReceivedBody {
  readonly body: Uint8Array
  readonly form?: ReceivedForm
}

/** The body, or the response to one that is too large or incomplete. @param reader of a form with files. */
async function bodyOf(
  request: Request,
  limit: number,
  reader: FormReader | null,
): Promise<ReceivedBody | OutgoingResponse> {
  if (!request.body) return { body: noBody }
  const chunks: Uint8Array[] = []
  let size = 0
  const refused = (response: OutgoingResponse): OutgoingResponse => {
    reader?.abort()
    return response
  }
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<unknown>) {
      // A stream may hold values that are not bytes. `request.text()` refuses them as well.
      if (!(chunk instanceof Uint8Array)) return refused(unreadable)
      size += chunk.length
      if (size > limit) return refused(tooLarge(limit))
      if (reader === null) chunks.push(chunk)
      else await reader.push(chunk)
    }
  } catch {
    return refused(unreadable)
  }
  if (reader === null) return { body: Buffer.concat(chunks) }
  const form = await reader.end()
  return form === null ? notWritten : { body: noBody, form }
}

const noBody = new Uint8Array(0)

/** The statuses with which `Response` accepts no body. */
const bodiless = new Set([204, 205, 304])

/** The response of the service as a `Response`. */
export function responseOf({ status, headers, requestId, body, stream }: OutgoingResponse): Response {
  const list = new Headers()
  for (const [name, value] of headers) list.append(name, sentHeader(value))
  if (requestId !== undefined) list.append('X-Request-Id', requestId)
  if (stream !== undefined) return new Response(streamOf(stream), { status, headers: list })
  const content = typeof body === 'string' ? Buffer.from(body) : body
  return new Response(bodiless.has(status) || content.length === 0 ? null : content, { status, headers: list })
}

/** The body is read chunk by chunk, when its reader pulls. */
function streamOf(stream: OutgoingStream): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await stream.next()
        if (chunk === null) controller.close()
        else controller.enqueue(chunk)
      },
      cancel() {
        stream.cancel()
      },
    },
    { highWaterMark: 0 },
  )
}
