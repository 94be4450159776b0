import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from '../base/make-folder.js'
import { isSafeName } from './file-below.js'
import { mediaTypeOfName } from './media-types.js'
import { RestError } from './rest-error.js'
import type { UploadContent } from './upload-content.js'

export interface SaveOptions {
  /**
   * Absolute path or `file:` URL. Default: the folder of the option `uploads`. The file cannot be stored outside of it,
   * whatever the path.
   */
  readonly folder?: string | URL
  /** Whether a file of this path is replaced. Default false. */
  readonly overwrite?: boolean
}

/** A stored file. */
export interface SavedFile {
  /** Below the folder; `/` separates folders. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** The media type by the extension of the path, with which the file is served. */
  readonly type: string
  /** The address of the file; null when it was stored outside of the folder of the option `uploads`. */
  readonly url: string | null
}

interface Upload {
  readonly name: string
  readonly content: UploadContent
  stream(): ReadableStream<Uint8Array>
}

interface SaveTarget {
  readonly folder: string | URL
  readonly overwrite: boolean
  /** The URL of a file below the folder; null where it is not served. */
  readonly addressOf: ((path: string) => string) | null
}

/** See `UploadedFile.save`. */
export async function saveUpload(
  upload: Upload,
  path: string,
  { folder, overwrite, addressOf }: SaveTarget,
): Promise<SavedFile> {
  const names = path.split('/')
  if (!names.every(isSafeName)) throw pathInvalid(path)
  const root = typeof folder === 'string' ? folder : fileURLToPath(folder)
  try {
    const parent = await parentOf(root, names)
    if (parent === null) throw pathInvalid(path)
    // Hidden, so that no server delivers the incomplete file.
    const unfinished = join(parent, `.${randomUUID()}`)
    try {
      await write(upload, unfinished)
      await publish(unfinished, join(parent, names.at(-1) ?? ''), overwrite)
    } finally {
      await rm(unfinished, { force: true })
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw exists(path)
    // For example, a folder has the name of the file, or a file has the name of a folder in the path.
    if (code !== null && unusableCodes.has(code)) throw pathInvalid(path)
    throw error
  }
  return { path, size: upload.content.size, type: mediaTypeOfName(path), url: addressOf?.(path) ?? null }
}

const unusableCodes = new Set(['ENAMETOOLONG', 'EISDIR', 'ENOTDIR', 'EINVAL', 'ELOOP'])

/** Creates the folder of the file, and resolves its symbolic links. @returns null when it is outside of the root. */
async function parentOf(root: string, names: readonly string[]): Promise<string | null> {
  makeFolder(root)
  const real = await realpath(root)
  let parent = real
  // One folder at a time: `mkdir` of a whole path would follow a symbolic link out of the root, and make folders there.
  for (const name of names.slice(0, -1)) {
    const next = join(parent, name)
    await mkdir(next).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    parent = await realpath(next)
    if (!parent.startsWith(real.endsWith(sep) ? real : real + sep)) return null
  }
  return parent
}

/** Writes the file, and makes it durable. A temporary file on the same file system is not copied. */
async function write({ content, stream }: Upload, path: string): Promise<void> {
  const temporary = content.file?.path ?? null
  if (temporary !== null) {
    try {
      await link(temporary, path)
    } catch {
      // Another file system, or one without links.
      await copyFile(temporary, path, constants.COPYFILE_EXCL)
    }
    const file = await open(path, 'r+')
    await file.datasync().finally(() => file.close())
    return
  }
  const file = await open(path, 'wx')
  try {
    for await (const chunk of stream() as unknown as AsyncIterable<Uint8Array>) await file.appendFile(chunk)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Gives the complete file its name. @throws EEXIST */
async function publish(unfinished: string, path: string, overwrite: boolean): Promise<void> {
  if (overwrite) return rename(unfinished, path)
  try {
    await link(unfinished, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    // A file system without links: an empty file takes the name, and the complete one takes its place.
    await (await open(path, 'wx')).close()
    await rename(unfinished, path)
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

function pathInvalid(path: string): RestError {
  return new RestError('rest_upload_path_invalid', `A file cannot be stored as '${path.slice(0, 100)}'.`, {
    status: 400,
  })
}

function exists(path: string): RestError {
  return new RestError('rest_upload_exists', `There is a file '${path}' already.`, { status: 409 })
}
