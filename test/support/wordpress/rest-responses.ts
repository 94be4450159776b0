import { request } from 'node:http'
import type { StartedService } from '../start-service.js'
import type { WordPressSite } from './wordpress-site.js'

/** A request as its bytes are sent: nothing in `path` is encoded or resolved. */
export interface SentRequest {
  readonly method: string
  /** From the root of the server, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RestResponse {
  readonly status: number
  /** Those of HTTP itself and of one of the two servers are left out. */
  readonly headers: Readonly<Record<string, unknown>>
  /** JSON, with slashes as they are. */
  readonly body: string
}

/** What PHP answers to a request, and what the service answers. @param shared what to compare of a decoded body. */
export function responsesOf(
  { site, service }: { readonly site: WordPressSite; readonly service: StartedService },
  sent: SentRequest,
  shared: (body: unknown) => unknown = (body) => body,
): Promise<readonly RestResponse[]> {
  return Promise.all([site.url, service.url].map((root) => responseOf(root, sent, shared)))
}

/** What newer versions than 6.1 answer: hints in links, addresses by SHA-256 at Gravatar, an `app_id` that may be empty, a title. */
export const withoutNewerMembers = (text: string): string =>
  text
    .replaceAll(/,\s*"targetHints":\s*\{\s*"allow":\s*\[[^\]]*\]\s*\}/g, '')
    .replaceAll(/https?:\/\/\w+\.gravatar\.com\/avatar\/[0-9a-f]+/g, '<gravatar>')
    .replaceAll('"oneOf":[{"type":"string","format":"uuid"},{"type":"string","enum":[""]}]', '"format":"uuid"')
    .replaceAll(/"app_id":"app_id [^"]*"/g, '"app_id":"<refused>"')
    .replaceAll(/"app_id":\{"code":"rest_[^}]*\}/g, '"app_id":"<refused>"')
    .replaceAll('"title":"","description":""', '"description":""')

/** Headers of HTTP itself and of one of the two servers. */
export const ofServers: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-powered-by',
  'x-request-id',
])

function responseOf(
  root: string,
  { method, path, headers, body }: SentRequest,
  shared: (body: unknown) => unknown,
): Promise<RestResponse> {
  const { hostname, port } = new URL(root)
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, ...length }, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject).on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: comparable(response.headers),
            body: withoutNewerMembers(decoded(text, shared).replaceAll('\\/', '/')),
          }),
        )
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** WordPress marks answers with `no-store, private` since 6.3. */
function comparable(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(headers).filter(([name]) => !ofServers.has(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'cache-control' ? String(value).replace(', no-store, private', '') : value,
    ]),
  )
}

/** The text with what is compared of its JSON, which may be the argument of a JSONP callback. */
function decoded(text: string, shared: (body: unknown) => unknown): string {
  const [, before = '', json = '', after = ''] = /^(\/\*\*\/[\w.]+\(|)(.*?)(\)|)$/s.exec(text) ?? []
  try {
    return before + JSON.stringify(shared(JSON.parse(json))) + after
  } catch {
    // A response to HEAD has no body.
    return text
  }
}
