import { constants } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { fileBelow, isMissing, tagOfFile } from '../http/file-below.js'
import { mediaTypeOfName } from '../http/media-types.js'
import type { PublicFile, PublicFiles } from './public-files.js'
import { SharedContents } from './shared-contents.js'

/** Maximum size of a file in bytes. A file is held in memory while it is sent, so larger ones need a web server. */
export const maxFileSize = 16 * 1024 * 1024

const maxPathLength = 1024

/**
 * The files below a folder. Hidden files, files larger than {@link maxFileSize} and files outside the folder to which a
 * symbolic link leads are treated as missing.
 */
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
      const real = await fileBelow(root, names)
      if (real === null) return null
      const stats = await stat(real)
      if (!stats.isFile() || stats.size > maxFileSize) return null
      const etag = tagOfFile(stats)
      return {
        type: mediaTypeOfName(names.at(-1) ?? ''),
        etag,
        modified: stats.mtime,
        read: () => this.#contents.get(`${etag} ${real}`, () => contentOf(real)),
      }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** The result is not cached after an error: the folder may be created or its disk mounted later. */
  #realRoot(): Promise<string> {
    return (this.#root ??= realpath(this.folder).catch((error: unknown) => {
      this.#root = null
      throw error
    }))
  }
}

/** The decoded segments of a path; null when the path cannot be that of a public file. */
function namesIn(path: string): readonly string[] | null {
  if (path.length > maxPathLength || !path.startsWith('/') || path.endsWith('/')) return null
  try {
    return path.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

async function contentOf(path: string): Promise<Uint8Array> {
  // The file may have been replaced since it was checked. The flags do not follow a symbolic link or wait for a pipe.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    return await readAtMost(file, maxFileSize)
  } finally {
    await file.close()
  }
}

/** Reads at most `limit` bytes, even when the file grows while it is read. */
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
