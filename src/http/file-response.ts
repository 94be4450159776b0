import { constants, type Stats } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { byteRange, type ByteRange } from './byte-range.js'
import { matchesEntityTag } from './entity-tag.js'
import { FileBody } from './file-body.js'
import { fileBelow, isMissing, policyOfType, tagOfFile } from './file-below.js'
import { mediaTypeOfName } from './media-types.js'
import { RestError } from './rest-error.js'
import type { AnyRequest } from './rest-request.js'
import { RestResponse } from './rest-response.js'

export interface FileResponseOptions {
  /** Value of `Content-Type`. Default: by the extension of the name, else `application/octet-stream`. */
  readonly type?: string
  /** The name under which a browser saves the file instead of showing it. Default: it is shown. */
  readonly download?: string
}

/** What a response with a file depends on; any request has it. */
export type FileRequest = Pick<AnyRequest, 'method' | 'get_header'>

/**
 * The response with a file, read while it is sent: `return fileResponse(request, folder, name)`. `Range` with one range is
 * a 206, `If-None-Match` and `If-Modified-Since` of the current file are a 304. A file that may contain scripts, such as HTML
 * or SVG, is shown without running them.
 *
 * @param folder absolute path or `file:` URL. Files outside of it cannot be sent, whatever the name.
 * @param name of the file below the folder; `/` separates folders. It may come from a request.
 * @throws RestError 404 `rest_file_not_found` for a name that is no file: unknown, hidden (with a dot in front), a folder,
 *   or outside of the folder, also by a symbolic link.
 */
export async function fileResponse(
  request: FileRequest,
  folder: string | URL,
  name: string,
  { type = mediaTypeOfName(name), download }: FileResponseOptions = {},
): Promise<RestResponse> {
  const file = await openFile(typeof folder === 'string' ? folder : fileURLToPath(folder), name)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw notFound()
    const response = responseOf(request, file, stats)
    const policy = policyOfType(type)
    response.header('Content-Type', type).header('Accept-Ranges', 'bytes')
    response.header('ETag', tagOfFile(stats)).header('Last-Modified', stats.mtime.toUTCString())
    if (download !== undefined) response.header('Content-Disposition', attachment(download))
    else if (policy !== null) response.header('Content-Security-Policy', policy)
    if (!(response.body instanceof FileBody)) await file.close()
    return response
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openFile(folder: string, name: string): Promise<FileHandle> {
  // The flags do not follow a symbolic link that took the place of the file meanwhile, and do not wait for a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  try {
    const path = await fileBelow(await realpath(folder), name.split('/'))
    if (path === null) throw notFound()
    return await open(path, flags)
  } catch (error) {
    if (isMissing(error)) throw notFound()
    throw error
  }
}

function responseOf(request: FileRequest, file: FileHandle, stats: Stats): RestResponse {
  const { size } = stats
  if (isNotModified(request, stats)) return new RestResponse(null, 304)
  const range = rangeOf(request, stats)
  if (range === 'unsatisfiable') return new RestResponse(null, 416, { 'Content-Range': `bytes */${size}` })
  if (range === null) return new RestResponse(new FileBody(file, 0, size))
  const { start, end } = range
  const headers = { 'Content-Range': `bytes ${start}-${end}/${size}` }
  return new RestResponse(new FileBody(file, start, end - start + 1), 206, headers)
}

/** `If-Modified-Since` is used only without `If-None-Match`: RFC 9110, 13.2.2. */
function isNotModified(request: FileRequest, stats: Stats): boolean {
  const tags = request.get_header('If-None-Match')
  if (tags !== null) return matchesEntityTag(tagOfFile(stats), tags)
  return modifiedAt(stats) <= Date.parse(request.get_header('If-Modified-Since') ?? '')
}

/** `If-Range` is for the file of which the client has a part already: RFC 9110, 13.1.5. */
function rangeOf(request: FileRequest, stats: Stats): ByteRange | 'unsatisfiable' | null {
  const header = request.get_header('Range')
  if (header === null || request.method !== 'GET') return null
  const condition = request.get_header('If-Range')
  const isCurrent = condition === null || condition === tagOfFile(stats) || Date.parse(condition) === modifiedAt(stats)
  return isCurrent ? byteRange(header, stats.size) : null
}

/** The time of the last change in milliseconds since 1970, rounded down to seconds as in the header `Last-Modified`. */
const modifiedAt = ({ mtimeMs }: Stats): number => Math.floor(mtimeMs / 1000) * 1000

/** RFC 6266: a plain name for old clients, and the name in UTF-8. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}

const notFound = (): RestError => new RestError('rest_file_not_found', 'There is no such file.', { status: 404 })
