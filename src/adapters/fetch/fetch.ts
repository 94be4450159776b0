import type { IncomingRequest, OutgoingResponse } from '../../request/exchange.js'

/** What a `Request` cannot say about its sender. */
export interface Sender {
  /** The caller's address. Default `127.0.0.1`. */
  readonly address?: string
  /** The request came over TLS. Default: what the URL says. */
  readonly secure?: boolean
}

/** A `Request` as the service takes it. */
export async function incomingOf(request: Request, sender: Sender, bodyLimit: number): Promise<IncomingRequest | null> {
  const url = new URL(request.url)
  const headers: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of request.headers) headers[name] = value
  const body = await bodyOf(request, bodyLimit)
  if (!body) return null
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers,
    body,
    address: sender.address ?? '127.0.0.1',
    secure: sender.secure ?? url.protocol === 'https:',
    local: sender.address === undefined,
  }
}

/** `null` when it is larger than the limit. */
async function bodyOf(request: Request, limit: number): Promise<Uint8Array | null> {
  if (!request.body) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The service's answer as a `Response`. */
export function responseOf({ status, headers, body }: OutgoingResponse): Response {
  const bodiless = status === 204 || status === 304 || status < 200
  const list = new Headers()
  for (const [name, value] of headers) list.append(name, value)
  return new Response(bodiless || body.length === 0 ? null : typeof body === 'string' ? body : Buffer.from(body), {
    status,
    headers: list,
  })
}
