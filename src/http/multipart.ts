import { RestError } from './rest-error.js'
import { decodeBytes } from '../php/text.js'
import { maximumVariables, nameTooDeep, tooManyVariables } from './query.js'
import { bagOf, Variables, type Bag } from './variables.js'

/** A `multipart/form-data` body. */
export interface MultipartForm {
  readonly fields: Bag
  /**
   * In the shape of PHP's `$_FILES`: by field name, a map of `name`, `type`, `size`, `error` and `bytes`. For fields
   * `f[]` and `f[k]`, each of the five is a list or map in turn. `name` has no folders. `error` is 0 for a complete
   * file, 3 for a truncated one, or 4 when no file was selected; `bytes` is empty for 3 and 4.
   */
  readonly files: Bag
  /** An error with status 400 when a limit is exceeded; otherwise null. */
  readonly problem: RestError | null
}

/** Maximum number of files in one body, as PHP's `max_file_uploads`. */
const maximumFiles = 20
/** Maximum size of the headers of one part. */
const maximumHeaderBytes = 8192
/** Maximum length of a boundary in characters (RFC 2046, section 5.1.1). */
const maximumBoundary = 70

/**
 * Decodes a `multipart/form-data` body as PHP does. Without a usable boundary the form is empty. A part without a
 * `Content-Disposition` is skipped. A part whose disposition has no name ends the form. A truncated field has the bytes
 * that were received.
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
    // Parts without a name count too: each takes time out of proportion to its few bytes.
    if ((name === null || filename === null) && ++fieldCount > maximumVariables) return tooManyVariables()
    if (name === null && filename === null && part.hasDisposition) return null
    if (name === null) continue
    if (filename === null) {
      if (!fields.add(name, decodeBytes(part.bytes))) return nameTooDeep()
    } else {
      if (++fileCount > maximumFiles) return tooManyFiles()
      if (!addFile(files, name, filename, part)) return nameTooDeep()
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
  const bracket = name.indexOf('[')
  const [base, rest] = bracket === -1 ? [name, ''] : [name.slice(0, bracket), name.slice(bracket)]
  return Object.entries(file).every(([key, value]) => files.add(`${base}[${key}]${rest}`, value))
}

interface PartHeaders {
  readonly hasDisposition: boolean
  readonly name: string | null
  readonly filename: string | null
  /** The media type without parameters; empty when the part has none. */
  readonly type: string
}

interface Part extends PartHeaders {
  readonly bytes: Uint8Array
  /** False when the body ends before the part does. */
  readonly isWhole: boolean
}

/** The parts in order; null for a part whose headers are too long. Takes linear time. */
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
    // A part without a name has no data either: the next line may be the delimiter.
    const partEnd = body.indexOf(delimiter, headers.name === null ? dataStart - 1 : dataStart)
    const dataEnd = partEnd === -1 ? body.length - partialLength(body, delimiter, dataStart) : partEnd
    yield { ...headers, bytes: bytesBetween(body, dataStart, dataEnd), isWhole: partEnd !== -1 }
    start = partEnd === -1 ? -1 : nextPart(body, delimiter, partEnd)
  }
}

/**
 * Start of the headers of the first part; -1 without a part. A delimiter at the start of the body has no line end
 * before it.
 */
function firstPart(body: Buffer, delimiter: Buffer): number {
  const isFirst = body.subarray(0, delimiter.length - 1).equals(delimiter.subarray(1))
  const start = isFirst ? lineEnd(body, delimiter.length - 1) : -1
  return start === -1 ? nextPart(body, delimiter, 0) : start
}

/** Start of the headers after the next line that consists of a delimiter; -1 when there is none. */
function nextPart(body: Buffer, delimiter: Buffer, from: number): number {
  for (let index = body.indexOf(delimiter, from); index !== -1; index = body.indexOf(delimiter, index + 1)) {
    const start = lineEnd(body, index + delimiter.length)
    if (start !== -1) return start
  }
  return -1
}

/** The bytes of a part, without a carriage return before the line feed of the delimiter. */
function bytesBetween(body: Buffer, start: number, end: number): Uint8Array {
  const isReturn = end < body.length && body[end - 1] === 0x0d
  return new Uint8Array(body.buffer, body.byteOffset + start, Math.max(0, (isReturn ? end - 1 : end) - start))
}

/** Length of the incomplete delimiter at the end of the body, from `start` on; 0 when there is none. */
function partialLength(body: Buffer, delimiter: Buffer, start: number): number {
  for (let length = Math.min(delimiter.length - 1, body.length - start); length > 0; length -= 1) {
    if (body.subarray(body.length - length).equals(delimiter.subarray(0, length))) return length
  }
  return 0
}

/** Start of the next line when there is a line end at `index`; otherwise -1. */
function lineEnd(body: Buffer, index: number): number {
  if (body[index] === 0x0a) return index + 1
  return body[index] === 0x0d && body[index + 1] === 0x0a ? index + 2 : -1
}

/** Start of the data after the empty line; -1 when there is no empty line before `limit`. */
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

/**
 * A line without a colon, or with white space at its start, continues the line above. The first header of a name is
 * used.
 */
function headersOf(text: string): PartHeaders {
  const headers: { name: string; value: string }[] = []
  for (const line of text.split(/\r?\n/)) {
    const colon = /^[ \t]/.test(line) ? -1 : line.indexOf(':')
    const last = headers.at(-1)
    if (colon !== -1) headers.push({ name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1) })
    else if (last) last.value += line
  }
  const valueOf = (headerName: string) => headers.find(({ name }) => name === headerName)?.value
  const disposition = valueOf('content-disposition')
  const parameters = parametersOf(disposition ?? '')
  return {
    hasDisposition: disposition !== undefined,
    name: parameters.get('name') ?? null,
    filename: parameters.get('filename') ?? null,
    type: (valueOf('content-type')?.split(';', 1)[0] ?? '').trim(),
  }
}

/**
 * Matches the text between two semicolons. Semicolons in single or double quotes are part of it, and so is an escaped
 * quote.
 */
const parameterPattern = /(?:"(?:\\"|[^"])*"?|'(?:\\'|[^'])*'?|[^;"'])+/g

/** The parameters of a header by lower-case name. The last parameter of a name is used. A value ends at a NUL. */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [parameter] of header.matchAll(parameterPattern)) {
    const equals = parameter.indexOf('=')
    const name = parameter.slice(0, Math.max(equals, 0)).trimStart().toLowerCase()
    if (equals !== -1) parameters.set(name, unquoted(parameter.slice(equals).replace(/^=+\s*/, '')))
  }
  return parameters
}

/** The text of a value up to its closing quote; for a value without quotes, up to white space. */
function unquoted(value: string): string {
  const [text = ''] = value.split('\0', 1)
  const [, double, single] = /^(?:"((?:\\[\\"]|[^"])*)|'((?:\\[\\']|[^'])*))/.exec(text) ?? []
  if (double !== undefined) return double.replaceAll(/\\([\\"])/g, '$1')
  if (single !== undefined) return single.replaceAll(/\\([\\'])/g, '$1')
  return (text.split(/\s/, 1)[0] ?? '').replaceAll('\\\\', '\\')
}

/**
 * The boundary in a `Content-Type` header; empty without one. As in PHP, the word `boundary` may occur anywhere in the
 * header, and white space around the value is part of it.
 */
function boundaryOf(contentType: string): string {
  const exact = contentType.indexOf('boundary')
  const wordIndex = exact === -1 ? contentType.toLowerCase().indexOf('boundary') : exact
  const equals = wordIndex === -1 ? -1 : contentType.indexOf('=', wordIndex)
  if (equals === -1) return ''
  const value = contentType.slice(equals + 1)
  if (!value.startsWith('"')) return value.split(/[,;]/, 1)[0] ?? ''
  const closingQuote = value.indexOf('"', 1)
  return closingQuote === -1 ? '' : value.slice(1, closingQuote)
}

function malformed(message: string): RestError {
  return new RestError('rest_invalid_multipart', `Invalid multipart body passed. ${message}`, { status: 400 })
}

function tooManyFiles(): RestError {
  const message = `Too many files: at most ${maximumFiles} are accepted in one body.`
  return new RestError('rest_too_many_files', message, { status: 400 })
}

/** The result for a body without a form. */
export function noForm(): MultipartForm {
  return { fields: bagOf(), files: bagOf(), problem: null }
}
