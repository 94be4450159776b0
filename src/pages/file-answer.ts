import { matchesEntityTag } from '../http/entity-tag.js'
import type { OutgoingResponse } from '../http/exchange.js'
import type { HeaderLine } from './answers.js'
import type { PageRequest } from './page-request.js'
import type { PublicFile } from './public-files.js'

/** Pictures of this kind may hold scripts, which run when the picture is opened by itself. */
const pictureWithScripts = /^image\/svg\+xml|xml\b/

/** A file with what a browser needs to keep it; 304 when it has it, 405 for anything but reading (RFC 9110, 13.2.2). */
export async function fileAnswer(request: PageRequest, file: PublicFile, caching: string): Promise<OutgoingResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: [['Allow', 'GET, HEAD']], body: '' }
  const validators: readonly HeaderLine[] = [
    ['ETag', file.etag],
    ['Last-Modified', file.modified.toUTCString()],
    ['Cache-Control', caching],
  ]
  if (isKnown(request, file)) return { status: 304, headers: validators, body: '' }
  const policy: readonly HeaderLine[] = pictureWithScripts.test(file.type)
    ? [['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox"]]
    : file.type.startsWith('text/html')
      ? [['Content-Security-Policy', "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"]]
      : []
  return {
    status: 200,
    headers: [['Content-Type', file.type], ['X-Content-Type-Options', 'nosniff'], ...validators, ...policy],
    body: await file.read(),
  }
}

/** A tag says more than a date: a date counts only where no tag was sent. */
function isKnown({ incoming: { headers } }: PageRequest, { etag, modified }: PublicFile): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesEntityTag(etag, tags)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(modified.getTime() / 1000) * 1000 <= since
}
