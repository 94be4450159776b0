import { matchesEntityTag } from '../http/entity-tag.js'
import { policyOfType } from '../http/file-below.js'
import type { OutgoingResponse } from '../http/exchange.js'
import type { HeaderLine } from './page-responses.js'
import type { PageRequest } from './page-request.js'
import type { PublicFile } from './public-files.js'

const policyOfPages = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"

const policyLines = (policy: string | null): readonly HeaderLine[] =>
  policy === null ? [] : [['Content-Security-Policy', policy]]

/**
 * The response for a file, with the validators of RFC 9110. 304 when the client has the current version, 405 for
 * methods other than GET and HEAD.
 * @param cacheControl value of the header.
 */
export async function publicFileResponse(
  request: PageRequest,
  file: PublicFile,
  cacheControl: string,
): Promise<OutgoingResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: [['Allow', 'GET, HEAD']], body: '' }
  const validators: readonly HeaderLine[] = [
    ['ETag', file.etag],
    ['Last-Modified', file.modified.toUTCString()],
    ['Cache-Control', cacheControl],
  ]
  if (isNotModified(request, file)) return { status: 304, headers: validators, body: '' }
  const policy = file.type.startsWith('text/html') ? policyOfPages : policyOfType(file.type)
  const body = await file.read()
  const length: readonly HeaderLine[] = request.method === 'HEAD' ? [['Content-Length', String(body.length)]] : []
  return {
    status: 200,
    headers: [
      ...length,
      ['Content-Type', file.type],
      ['X-Content-Type-Options', 'nosniff'],
      ...validators,
      ...policyLines(policy),
    ],
    body,
  }
}

/** `If-Modified-Since` is used only without `If-None-Match`: RFC 9110, 13.2.2. */
function isNotModified({ incoming: { headers } }: PageRequest, { etag, modified }: PublicFile): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesEntityTag(etag, tags)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(modified.getTime() / 1000) * 1000 <= since
}
