import type { Caller } from './caller.js'
import { saveUpload, type SavedFile, type SaveOptions } from './save-upload.js'
import { RestError } from './rest-error.js'
import type { UploadContent } from './upload-content.js'

/**
 * A file of a `multipart/form-data` body: `request.file('poster')`. A small one is in memory, a larger one in a
 * temporary file, which is removed when the request has ended: after the response was sent, and after its deferred
 * work.
 */
export interface UploadedFile {
  /**
   * The client's name of the file, as WordPress stores it (`sanitize_file_name`): without folders, and safe on every file system.
   * `unnamed-file` where nothing is left of it.
   */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The media type that the client has sent, without parameters; `''` for none. It is not verified. */
  readonly type: string
  /** The bytes, which are read as the stream is consumed. May be called several times. */
  stream(): ReadableStream<Uint8Array>
  /**
   * All bytes at once.
   * @param limit how many bytes are held in memory at most. Default 1 MiB (1,048,576).
   * @throws RestError 413 `rest_upload_too_large` for a larger file.
   */
  bytes(limit?: number): Promise<Uint8Array>
  /** The text of a file in UTF-8, without a byte order mark. @param limit in bytes. @throws as `bytes`. */
  text(limit?: number): Promise<string>
  /**
   * Stores the file in the folder of the option `uploads`: `await file.save(file.name)`. It appears whole or not at
   * all. Missing folders are made.
   *
   * @param path below the folder; `/` separates folders.
   * @throws RestError 400 `rest_upload_path_invalid` for a path that leads out of the folder, also by a symbolic link,
   *   for a hidden one, and for one that the file system does not take.
   * @throws RestError 409 `rest_upload_exists` when there is such a file, and `overwrite` is not set.
   */
  save(path: string, options?: SaveOptions): Promise<SavedFile>
}

const defaultLimit = 1_048_576

/** The argument of a permission function: the file and the user who wants to read it. */
export interface UploadRead {
  /** Below the folder of uploads: `posters/jazz.png`. */
  readonly path: string
  readonly user: Caller
}

/** Who may read stored uploads: `public`, a capability, null for every user who is logged in, or a function. */
export type UploadPermission = 'public' | (string & {}) | null | ((read: UploadRead) => boolean | Promise<boolean>)

/** The path below which stored uploads are served, relative to the address of the site. */
export const uploadsPath = '/uploads/'

/** What the files of a request get from the service. */
export interface UploadContext {
  /** The name under which a file may be stored. @param clientName without folders. */
  nameOf(clientName: string): string
  /** An absolute path: where files are stored by default. Null without the option `uploads`. */
  readonly folder: string | null
  /** The URL of a file below the folder. */
  addressOf(path: string): string
}

/** The {@link UploadedFile} that the parser of `multipart/form-data` creates. */
export class ReceivedFile implements UploadedFile {
  readonly type: string
  readonly #clientName: string
  readonly #content: UploadContent
  #context: UploadContext | null = null

  /** @param clientName without folders. */
  constructor(clientName: string, type: string, content: UploadContent) {
    this.type = type
    this.#clientName = clientName
    this.#content = content
  }

  /** Set before a handler sees the file: a body may be decoded before the service knows the request. */
  set context(context: UploadContext) {
    this.#context = context
  }

  get name(): string {
    return this.#context?.nameOf(this.#clientName) ?? this.#clientName
  }

  get size(): number {
    return this.#content.size
  }

  stream(): ReadableStream<Uint8Array> {
    let opened: Promise<AsyncIterator<Uint8Array>> | null = null
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          opened ??= this.#chunks()
          const { done, value } = await (await opened).next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        // Also when the file is being opened.
        cancel: async () => void (await (await opened?.catch(() => null))?.return?.()),
      },
      { highWaterMark: 0 },
    )
  }

  async bytes(limit = defaultLimit): Promise<Uint8Array> {
    if (this.size > limit) throw tooLarge(this.name, limit)
    const bytes = new Uint8Array(this.size)
    let length = 0
    for await (const chunk of this.stream() as unknown as AsyncIterable<Uint8Array>) {
      bytes.set(chunk, length)
      length += chunk.length
    }
    return bytes
  }

  async text(limit?: number): Promise<string> {
    return new TextDecoder().decode(await this.bytes(limit))
  }

  save(path: string, { folder, overwrite = false }: SaveOptions = {}): Promise<SavedFile> {
    const context = this.#context
    const target = folder ?? context?.folder ?? null
    if (target === null) throw new Error("file.save: name a folder, { folder }, or set the option 'uploads'.")
    const addressOf = folder === undefined && context !== null ? context.addressOf : null
    return saveUpload({ name: this.name, content: this.#content, stream: () => this.stream() }, path, {
      folder: target,
      overwrite,
      addressOf,
    })
  }

  async #chunks(): Promise<AsyncIterator<Uint8Array>> {
    try {
      return await this.#content.chunks()
    } catch (error) {
      throw new Error(`The uploaded file '${this.name}' cannot be read.`, { cause: error })
    }
  }
}

function tooLarge(name: string, limit: number): RestError {
  const message = `The file '${name}' is larger than the ${limit.toLocaleString('en')} bytes that are accepted.`
  return new RestError('rest_upload_too_large', message, { status: 413 })
}
