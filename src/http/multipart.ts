import type { Hash } from 'node:crypto'
import { RestError } from './rest-error.js'
import { decodeBytes } from '../php/text.js'
import { boundaryOf, type PartHead } from './multipart-head.js'
import { maxHeadBytes, MultipartScanner, type PartSink } from './multipart-scanner.js'
import { maxVariables, nameTooDeep, tooManyVariables } from './query.js'
import type { TemporaryFile } from './temporary-files.js'
import { UploadContent } from './upload-content.js'
import { ReceivedFile } from './uploaded-file.js'
import { parameterMap, Variables, type ParameterMap } from './variables.js'

/** A `multipart/form-data` body. */
export interface MultipartForm {
  readonly fields: ParameterMap
  /**
   * In the shape of PHP's `$_FILES`: by field name, a map of `name`, `type`, `size`, `error` and `file`. For fields
   * `f[]` and `f[k]`, each of the five is a list or map in turn. `name` has no folders. `error` is 0 for a complete
   * file, 3 for a truncated one, or 4 when no file was selected; `file` is a {@link ReceivedFile}, and null for 3 and 4.
   */
  readonly files: ParameterMap
  /** The number of parts with a file name. */
  readonly fileCount: number
  /** An error when a limit is exceeded; otherwise null. */
  readonly problem: RestError | null
}

/** Maximum number of files in a body whose route declares no `max_files`, as PHP's `max_file_uploads`. */
export const defaultMaxFiles = 20
/** The largest `max_files` that a route may declare. */
export const maxFiles = 1000
/** Maximum length of a boundary in characters (RFC 2046, section 5.1.1). */
const maxBoundary = 70
/** Maximum size of all fields together, in bytes: they are held in memory, whatever the limit of the body. */
const maxFieldBytes = 1_048_576
/** Maximum size of a file in memory, in bytes. A larger file is written to a temporary file. */
const maxBytesInMemory = 65_536
/** Maximum size of all files in memory together, in bytes. A file that would exceed it is written to a temporary file. */
const maxBytesOfAll = 1_048_576

/**
 * Decodes a `multipart/form-data` body as PHP does. Without a usable boundary the form is empty. A part without a
 * `Content-Disposition` is skipped. A part whose disposition has no name ends the form. A truncated field has the bytes
 * that were received.
 * @param contentType the header with its parameters. @param files the maximum number of files.
 */
export function parseMultipart(body: Uint8Array, contentType: string, files = maxFiles): MultipartForm {
  const collector = new FormCollector(contentType, { files, createFile: null })
  void collector.push(body)
  return collector.end()
}

export interface CollectorOptions {
  /** The maximum number of files. */
  readonly files: number
  /** Creates a temporary file. Null: all files stay in memory, where the whole body is already. */
  readonly createFile: (() => TemporaryFile) | null
  /** Gets the parts, so that two forms have one digest if they differ in their boundary alone. Default: null. */
  readonly hash?: Hash | null
}

/** Collects the fields and files of a body that comes in pieces. */
export class FormCollector {
  readonly #sink: FormSink
  readonly #scanner: MultipartScanner | null

  /** @param contentType the header with its parameters. */
  constructor(contentType: string, options: CollectorOptions) {
    const boundary = boundaryOf(contentType)
    this.#sink = new FormSink(options)
    if (boundary.length > maxBoundary)
      this.#sink.problem = malformed(`The boundary has more than ${maxBoundary} characters.`)
    this.#scanner = boundary === '' || this.#sink.problem !== null ? null : new MultipartScanner(boundary, this.#sink)
  }

  /** The temporary files so far. */
  get temporaryFiles(): readonly TemporaryFile[] {
    return this.#sink.temporaryFiles
  }

  /** @returns a promise for the writes to temporary files, which never rejects; null when nothing is written. */
  push(piece: Uint8Array): Promise<void> | null {
    this.#sink.writing = null
    this.#scanner?.push(piece)
    return this.#sink.writing
  }

  end(): MultipartForm {
    this.#scanner?.end()
    return this.#sink.form()
  }
}

class FormSink implements PartSink {
  problem: RestError | null = null
  writing: Promise<void> | null = null
  readonly temporaryFiles: TemporaryFile[] = []
  readonly #options: CollectorOptions
  readonly #fields = new Variables()
  readonly #files = new Variables()
  #fieldCount = 0
  #fileCount = 0
  #fieldBytes = 0
  #bytesInMemory = 0
  #head: PartHead | null = null
  /** The data of the part; null where they do not matter. */
  #content: UploadContent | null = null
  /** The length of what the hash has got for the head of the part, and for its data. */
  #hashedHead = 0
  #hashedData = 0

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  form(): MultipartForm {
    return {
      fields: this.#fields.toMap(),
      files: this.#files.toMap(),
      fileCount: this.#fileCount,
      problem: this.problem,
    }
  }

  begin(head: PartHead): boolean {
    const { name, filename } = head
    this.#hashHead(head)
    // Parts without a name count too: each takes time out of proportion to its few bytes.
    if ((name === null || filename === null) && ++this.#fieldCount > maxVariables) return this.#fail(tooManyVariables())
    if (name === null && filename === null && head.hasDisposition) return false
    if (name !== null && filename !== null && ++this.#fileCount > this.#options.files)
      return this.#fail(tooManyFiles(this.#options.files))
    this.#head = head
    this.#content = name === null || (filename !== null && !isKept(name, filename)) ? null : new UploadContent()
    return true
  }

  data(bytes: Uint8Array): void {
    const content = this.#content
    this.#hashedData += bytes.length
    this.#options.hash?.update(bytes)
    if (content === null || this.problem !== null) return
    if (this.#head?.filename === null) {
      this.#fieldBytes += bytes.length
      if (this.#fieldBytes > maxFieldBytes) this.#fail(tooManyFieldBytes())
      else content.add(bytes)
    } else this.#addToFile(content, bytes)
  }

  end(isWhole: boolean): boolean {
    // The lengths tell where head and data begin.
    this.#options.hash?.update(`${this.#hashedHead} ${this.#hashedData} ${isWhole}\n`)
    if (this.problem !== null) return false
    const head = this.#head
    const content = this.#content
    if (head === null || head.name === null) return true
    const isAdded =
      head.filename === null
        ? this.#fields.add(head.name, decodeBytes(content?.bytes ?? new Uint8Array()))
        : this.#addFile(head.name, head.filename, head.type, content, isWhole)
    return isAdded || this.#fail(nameTooDeep())
  }

  headTooLong(): void {
    this.#fail(malformed(`The headers of a part have more than ${maxHeadBytes} bytes.`))
  }

  #hashHead(head: PartHead): void {
    const { hash } = this.#options
    if (!hash) return
    const text = JSON.stringify(head)
    hash.update(text)
    this.#hashedHead = Buffer.byteLength(text)
    this.#hashedData = 0
  }

  #addToFile(content: UploadContent, bytes: Uint8Array): void {
    const { createFile } = this.#options
    if (createFile !== null && content.isInMemory) {
      const isLarge = content.size + bytes.length > maxBytesInMemory
      if (isLarge || this.#bytesInMemory + bytes.length > maxBytesOfAll) {
        this.#bytesInMemory -= content.size
        const file = createFile()
        this.temporaryFiles.push(file)
        void content.moveTo(file)
      } else this.#bytesInMemory += bytes.length
    }
    this.writing = content.add(bytes) ?? this.writing
  }

  #addFile(name: string, filename: string, type: string, content: UploadContent | null, isWhole: boolean): boolean {
    if (!filePattern.test(name)) return true
    const error = filename === '' ? 4 : isWhole ? 0 : 3
    if (content?.file) this.writing = content.file.end()
    const clientName = filename.replace(/^[^]*[/\\]/, '')
    const file = error === 0 && content !== null ? new ReceivedFile(clientName, type, content) : null
    const members = { name: clientName, type: file?.type ?? '', size: file?.size ?? 0, error, file }
    const bracket = name.indexOf('[')
    const [base, rest] = bracket === -1 ? [name, ''] : [name.slice(0, bracket), name.slice(bracket)]
    return Object.entries(members).every(([key, value]) => this.#files.add(`${base}[${key}]${rest}`, value))
  }

  /** @returns false: the rest of the body does not matter. */
  #fail(problem: RestError): false {
    this.problem ??= problem
    return false
  }
}

/** The names of fields with files, as PHP takes them. */
const filePattern = /^[^[\]]+(?:\[[^[\]]*\])*$/

const isKept = (name: string, filename: string): boolean => filename !== '' && filePattern.test(name)

function malformed(message: string): RestError {
  return new RestError('rest_invalid_multipart', `Invalid multipart body passed. ${message}`, { status: 400 })
}

function tooManyFieldBytes(): RestError {
  const size = maxFieldBytes.toLocaleString('en')
  return new RestError(
    'rest_invalid_multipart',
    `Invalid multipart body passed. The fields have more than ${size} bytes.`,
    {
      status: 400,
    },
  )
}

/** @param limit the number of files that are accepted. */
export function tooManyFiles(limit: number): RestError {
  const message = `Too many files: at most ${limit} are accepted in one body.`
  return new RestError('rest_too_many_files', message, { status: 400 })
}

/** The result for a body without a form. */
export function noForm(): MultipartForm {
  return { fields: parameterMap(), files: parameterMap(), fileCount: 0, problem: null }
}
