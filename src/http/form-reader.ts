import { createHash, type Hash } from 'node:crypto'
import type { IncomingRequest } from './exchange.js'
import { FormCollector, maxFiles, type MultipartForm } from './multipart.js'
import type { TemporaryFile, TemporaryFiles } from './temporary-files.js'

/** A `multipart/form-data` body that was read while it arrived. */
export interface ReceivedForm extends MultipartForm {
  /** Of the body, in bytes. */
  readonly bodySize: number
  /** SHA-256 of the parts, whatever their boundary; null for a request without `Idempotency-Key`. */
  readonly digest: Uint8Array | null
  /** Adds a user of the form, which must call `release`. The temporary files stay until all users have called it. */
  retain(): void
  /** Ends one use of the form. The last call removes its temporary files. */
  release(): void
}

/** How a server reads forms with files. */
export interface FormOptions {
  readonly temporaryFiles: TemporaryFiles
  /** The largest number of files that a form of any route may have. */
  readonly maxFiles: number
}

/** The digest of a form that is held in memory, as that of a {@link ReceivedForm}. */
export function formDigest(body: Uint8Array, contentType: string): Uint8Array {
  const hash = createHash('sha256')
  const collector = new FormCollector(contentType, { files: maxFiles, createFile: null, hash })
  void collector.push(body)
  collector.end()
  return hash.digest()
}

/** Reads a `multipart/form-data` body while it arrives. Large files go to temporary files. */
export class FormReader {
  readonly #collector: FormCollector
  readonly #hash: Hash | null
  #bodySize = 0

  constructor({ headers }: Pick<IncomingRequest, 'headers'>, { temporaryFiles, maxFiles: files }: FormOptions) {
    this.#hash = headers['idempotency-key'] === undefined ? null : createHash('sha256')
    this.#collector = new FormCollector(headers['content-type'] ?? '', {
      files,
      createFile: () => temporaryFiles.create(),
      hash: this.#hash,
    })
  }

  /**
   * Takes the next piece of the body.
   * @returns a promise to wait for before the next piece, which never rejects; null when there is nothing to wait for.
   */
  push(piece: Uint8Array): Promise<void> | null {
    this.#bodySize += piece.length
    return this.#collector.push(piece)
  }

  /** The body is complete. @returns null when a temporary file could not be written, which was reported. */
  async end(): Promise<ReceivedForm | null> {
    const form = this.#collector.end()
    const files = this.#collector.temporaryFiles
    await Promise.all(files.map((file) => file.end()))
    if (files.some(({ hasFailed }) => hasFailed)) {
      this.abort()
      return null
    }
    return new CollectedForm(form, this.#bodySize, this.#hash?.digest() ?? null, files)
  }

  /** Removes the temporary files of a body that will not be completed. */
  abort(): void {
    for (const file of this.#collector.temporaryFiles) void file.remove()
  }
}

class CollectedForm implements ReceivedForm {
  readonly fields: MultipartForm['fields']
  readonly files: MultipartForm['files']
  readonly fileCount: number
  readonly problem: MultipartForm['problem']
  #users = 1

  constructor(
    { fields, files, fileCount, problem }: MultipartForm,
    readonly bodySize: number,
    readonly digest: Uint8Array | null,
    readonly temporaryFiles: readonly TemporaryFile[],
  ) {
    this.fields = fields
    this.files = files
    this.fileCount = fileCount
    this.problem = problem
  }

  retain(): void {
    this.#users += 1
  }

  release(): void {
    this.#users -= 1
    if (this.#users === 0) for (const file of this.temporaryFiles) void file.remove()
  }
}
