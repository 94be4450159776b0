import { RestError } from './rest-error.js'
import { decodeBytes } from '../php/text.js'
import { maximumVariables, tooDeep, tooMany } from './query.js'
import { bagOf, Variables, type Bag } from './variables.js'

/** A `multipart/form-data` body. */
export interface MultipartForm {
  readonly fields: Bag
  /**
   * In the shape of PHP's `$_FILES`: by field name, a map of `name`, `type`, `size`, `error` and `bytes`; for fields
   * `f[]` and `f[k]` each of the five is a list or map in turn. `name` is without folders. `error` is 0, 3 for a file
   * that was cut off, or 4 when no file was chosen; `bytes` is empty then.
   */
  readonly files: Bag
  /** Status 400 when a limit was passed. */
  readonly problem: RestError | null
}

/** Files in one body, as PHP's `max_file_uploads`. */
const maximumFiles = 20
const maximumHeaderBytes = 8192
/** RFC 2046, 5.1.1. */
const maximumBoundary = 70

/**
 * Decodes a whole `multipart/form-data` body as PHP does: without a usable boundary it says nothing, a part without a
 * disposition is skipped, one whose disposition names nothing ends the form, a field that is cut off has what there is of
 * it. Rules: docs/wire.md#multipart-bodies.
 * @param contentType the header with its parameters.
 */
export function parseMultipart(body: Uint8Array, contentType: string): MultipartForm {
  const fields = new Variables()
  const files = new Variables()
  const problem = collect(body, boundaryOf(contentType), fields, files)
  return { fields: fields.bag(), files: files.bag(), problem }
}

function collect(body: Uint8Array, boundary: string, fields: Variables, files: Variables): RestError | null {
  if (boundary === '') return null
  if (boundary.length > maximumBoundary) return malformed(`The boundary has more than ${maximumBoundary} characters.`)
  let fieldCount = 0
  let fileCount = 0
  for (const part of partsOf(Buffer.from(body.buffer, body.byteOffset, body.length), boundary)) {
    if (part === null) return malformed(`The headers of a part have more than ${maximumHeaderBytes} bytes.`)
    const { name, filename } = part
    // Parts that say nothing cost time too, and more than their few bytes are worth.
    if ((name === null || filename === null) && ++fieldCount > maximumVariables) return tooMany()
    if (name === null && filename === null && part.hasDisposition) return null
    if (name === null) continue
    if (filename === null) {
      if (!fields.add(name, decodeBytes(part.bytes))) return tooDeep()
    } else {
      if (++fileCount > maximumFiles) return tooManyFiles()
      if (!addFile(files, name, filename, part)) return tooDeep()
    }
  }
  return null
}

function addFile(files: Variables, name: string, filename: string, part: Part): boolean {
  if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(name)) return true
  const error = filename === '' ? 4 : part.isWhole ? 0 : 3
  const bytes = error === 0 ? part.bytes : new Uint8Array()
  const file = {
    name: filename.replace(/^[^]*[/\\]/, ''),
    type: error === 0 ? part.type : '',
    size: bytes.length,
    error,
    bytes,
  }
  const open = name.indexOf('[')
  const [base, rest] = open === -1 ? [name, ''] : [name.slice(0, open), name.slice(open)]
  return Object.entries(file).every(([key, value]) => files.add(`${base}[${key}]${rest}`, value))
}

interface PartHeaders {
  readonly hasDisposition: boolean
  readonly name: string | null
  readonly filename: string | null
  /** Without parameters; `''` when the part does not say. */
  readonly type: string
}

interface Part extends PartHeaders {
  readonly bytes: Uint8Array
  /** `false` when the body ends before the part does. */
  readonly isWhole: boolean
}

/** The parts in order; `null` for one whose headers are too long. Each byte is looked at a fixed number of times. */
function* partsOf(body: Buffer, boundary: string): Generator<Part | null> {
  const delimiter = Buffer.from(`\n--${boundary}`, 'latin1')
  let start = firstPart(body, delimiter)
  while (start !== -1) {
    const limit = Math.min(body.length, start + maximumHeaderBytes)
    const dataStart = headerEnd(body, start, limit)
    if (dataStart === -1) {
      if (limit < body.length) yield null
      return
    }
    const headers = headersOf(decodeBytes(body.subarray(start, dataStart)))
    // A part that says nothing of itself has no data either: the next line may be the delimiter.
    const found = body.indexOf(delimiter, headers.name === null ? dataStart - 1 : dataStart)
    const dataEnd = found === -1 ? body.length - partialLength(body, delimiter, dataStart) : found
    yield { ...headers, bytes: bytesBetween(body, dataStart, dataEnd), isWhole: found !== -1 }
    start = found === -1 ? -1 : nextPart(body, delimiter, found)
  }
}

/** Where the headers of the first part begin; -1 when there is none. Only a body's first line needs no line end before. */
function firstPart(body: Buffer, delimiter: Buffer): number {
  const isFirst = body.subarray(0, delimiter.length - 1).equals(delimiter.subarray(1))
  const start = isFirst ? lineEnd(body, delimiter.length - 1) : -1
  return start === -1 ? nextPart(body, delimiter, 0) : start
}

/** Where the headers begin after the next line that is a delimiter and nothing else; -1 when there is none. */
function nextPart(body: Buffer, delimiter: Buffer, from: number): number {
  for (let found = body.indexOf(delimiter, from); found !== -1; found = body.indexOf(delimiter, found + 1)) {
    const start = lineEnd(body, found + delimiter.length)
    if (start !== -1) return start
  }
  return -1
}

/** Without the carriage return that belongs to the delimiter's line feed. */
function bytesBetween(body: Buffer, start: number, end: number): Uint8Array {
  const isReturn = end < body.length && body[end - 1] === 0x0d
  return new Uint8Array(body.buffer, body.byteOffset + start, Math.max(0, (isReturn ? end - 1 : end) - start))
}

/** How much of a delimiter the body ends with, beginning at `start` or later. */
function partialLength(body: Buffer, delimiter: Buffer, start: number): number {
  for (let length = Math.min(delimiter.length - 1, body.length - start); length > 0; length -= 1) {
    if (body.subarray(body.length - length).equals(delimiter.subarray(0, length))) return length
  }
  return 0
}

/** Where the next line begins, when nothing but a line end stands at `index`; otherwise -1. */
function lineEnd(body: Buffer, index: number): number {
  if (body[index] === 0x0a) return index + 1
  return body[index] === 0x0d && body[index + 1] === 0x0a ? index + 2 : -1
}

/** Where the data begins, after the empty line; -1 when there is none before `limit`. */
function headerEnd(body: Buffer, start: number, limit: number): number {
  for (let line = start; line < limit;) {
    const next = lineEnd(body, line)
    if (next !== -1) return next
    const newline = body.indexOf(0x0a, line)
    if (newline === -1) return -1
    line = newline + 1
  }
  return -1
}

/** A line without a colon, or with a blank before it, belongs to the line above. Of headers of one name the first counts. */
function headersOf(text: string): PartHeaders {
  const headers: { name: string; value: string }[] = []
  for (const line of text.split(/\r?\n/)) {
    const colon = /^[ \t]/.test(line) ? -1 : line.indexOf(':')
    const last = headers.at(-1)
    if (colon !== -1) headers.push({ name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1) })
    else if (last) last.value += line
  }
  const valueOf = (wanted: string) => headers.find(({ name }) => name === wanted)?.value
  const disposition = valueOf('content-disposition')
  const parameters = parametersOf(disposition ?? '')
  return {
    hasDisposition: disposition !== undefined,
    name: parameters.get('name') ?? null,
    filename: parameters.get('filename') ?? null,
    type: (valueOf('content-type')?.split(';', 1)[0] ?? '').trim(),
  }
}

/** Between semicolons, but for those in quotes of either kind; a backslash before the closing one is part of the text. */
const words = /(?:"(?:\\"|[^"])*"?|'(?:\\'|[^'])*'?|[^;"'])+/g

/** The parameters of a header by lower-case name; the last of a name, each up to a NUL. */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [word] of header.matchAll(words)) {
    const equals = word.indexOf('=')
    const name = word.slice(0, Math.max(equals, 0)).trimStart().toLowerCase()
    if (equals !== -1) parameters.set(name, unquoted(word.slice(equals).replace(/^=+\s*/, '')))
  }
  return parameters
}

/** What a value says up to its closing quote, or up to a blank where there is none. */
function unquoted(value: string): string {
  const [text = ''] = value.split('\0', 1)
  const [, double, single] = /^(?:"((?:\\[\\"]|[^"])*)|'((?:\\[\\']|[^'])*))/.exec(text) ?? []
  if (double !== undefined) return double.replaceAll(/\\([\\"])/g, '$1')
  if (single !== undefined) return single.replaceAll(/\\([\\'])/g, '$1')
  return (text.split(/\s/, 1)[0] ?? '').replaceAll('\\\\', '\\')
}

/** `''` for none. The word may stand anywhere in the header; blanks around the boundary are part of it. */
function boundaryOf(contentType: string): string {
  const exact = contentType.indexOf('boundary')
  const word = exact === -1 ? contentType.toLowerCase().indexOf('boundary') : exact
  const equals = word === -1 ? -1 : contentType.indexOf('=', word)
  if (equals === -1) return ''
  const value = contentType.slice(equals + 1)
  if (!value.startsWith('"')) return value.split(/[,;]/, 1)[0] ?? ''
  const close = value.indexOf('"', 1)
  return close === -1 ? '' : value.slice(1, close)
}

function malformed(message: string): RestError {
  return new RestError('rest_invalid_multipart', `Invalid multipart body passed. ${message}`, { status: 400 })
}

function tooManyFiles(): RestError {
  const message = `Too many files: at most ${maximumFiles} are accepted in one body.`
  return new RestError('rest_too_many_files', message, { status: 400 })
}

/** What a body without a form says. */
export function noForm(): MultipartForm {
  return { fields: bagOf(), files: bagOf(), problem: null }
}
