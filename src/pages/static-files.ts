import { constants } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { PublicFile, PublicFiles } from './public-files.js'
import { mediaTypeOfName } from './media-types.js'
import { SharedContents } from './shared-contents.js'

/** A larger file is for a server of files: it would be held in memory for each request. */
export const largestFile = 16 * 1024 * 1024

const maxPathLength = 1024

/** A name of a file or folder in an address: nothing hidden, no way up, nothing that another system reads otherwise. */
// eslint-disable-next-line no-control-regex -- control characters are what is refused
const safeName = /^[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]*$/

/** The files below a folder. What is hidden, lies elsewhere (also by a symbolic link) or is too large does not exist. */
export class StaticFiles implements PublicFiles {
  #root: Promise<string> | null = null
  readonly #contents = new SharedContents()

  /** @param folder absolute. */
  constructor(readonly folder: string) {}

  async find(path: string): Promise<PublicFile | null> {
    const names = namesIn(path)
    if (names === null) return null
    try {
      const root = await this.#realRoot()
      const real = await realpath(join(root, ...names))
      if (!isPublic(real, root)) return null
      const found = await stat(real)
      if (!found.isFile() || found.size > largestFile) return null
      const etag = `"${found.size.toString(16)}-${Math.floor(found.mtimeMs).toString(16)}"`
      return {
        type: mediaTypeOfName(names.at(-1) ?? ''),
        etag,
        modified: found.mtime,
        read: () => this.#contents.get(`${etag} ${real}`, () => contentOf(real)),
      }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Asked again after a fault: a folder may be made, or its disk come back, later. */
  #realRoot(): Promise<string> {
    return (this.#root ??= realpath(this.folder).catch((error: unknown) => {
      this.#root = null
      throw error
    }))
  }
}

/** Below the root, and nothing hidden on the way: links, and the short names of Windows, lead to other names. */
function isPublic(real: string, root: string): boolean {
  const start = root.endsWith(sep) ? root : root + sep
  return (
    real.startsWith(start) &&
    !real
      .slice(start.length)
      .split(sep)
      .some((name) => name.startsWith('.'))
  )
}

/** The decoded names between the slashes of a path; null when it is no path of a public file. */
function namesIn(path: string): readonly string[] | null {
  if (path.length > maxPathLength || !path.startsWith('/') || path.endsWith('/')) return null
  try {
    const names = path.slice(1).split('/').map(decodeURIComponent)
    return names.every((name) => safeName.test(name)) ? names : null
  } catch {
    return null
  }
}

/** Bounded even when the file grows while it is read. */
async function contentOf(path: string): Promise<Uint8Array> {
  // A link or a pipe put in its place meanwhile is not followed or waited for.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    return await readAtMost(file, largestFile)
  } finally {
    await file.close()
  }
}

async function readAtMost(file: FileHandle, limit: number): Promise<Uint8Array> {
  const { size } = await file.stat()
  const content = Buffer.alloc(Math.min(size, limit))
  let length = 0
  while (length < content.length) {
    const { bytesRead } = await file.read(content, length, content.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return content.subarray(0, length)
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'EINVAL'])

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && missing.has(String(error.code))
}
