import { isJsonType, mediaTypeOf } from './content-type.js'
import { FileBody } from './file-body.js'
import type { RestResponse } from './rest-response.js'

/** A body that is sent unchanged, and not as JSON. */
export type RawBody = RawText | RawBytes | RawStream

interface RawText {
  readonly kind: 'text'
  readonly text: string
  readonly type: string
}

interface RawBytes {
  readonly kind: 'bytes'
  readonly bytes: Uint8Array
  readonly type: string
}

interface RawStream {
  readonly kind: 'stream'
  readonly source: StreamSource
  /** In bytes; null when it is not known. */
  readonly size: number | null
  readonly type: string
}

/** The source of a stream of bytes. Its chunks are bytes or text. */
export type StreamSource = ReadableStream<unknown> | AsyncIterable<unknown>

const unknownType = 'application/octet-stream'

/**
 * Whether a value is sent as it is, whatever the headers: bytes, a `Blob`, or a stream or async iterable without `toJSON`.
 */
export function isRaw(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Symbol.asyncIterator in value) return typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Blob
}

/** Whether the body of a response is sent as it is: a raw value, or text whose own content type is not JSON. */
export function hasRawBody({ body, headers }: RestResponse): boolean {
  return typeof body === 'string' ? textTypeIn(headers) !== null : isRaw(body)
}

/**
 * The body that is sent as it is; null for one that is sent as JSON. `type` is the value of `Content-Type`: that of the
 * response, else that of the `Blob`, else `application/octet-stream`. Text is sent as UTF-8; `; charset=UTF-8` is added to a type
 * `text/…` without one.
 */
export function rawBodyOf({ body, headers }: RestResponse): RawBody | null {
  if (typeof body === 'string') {
    const type = textTypeIn(headers)
    return type === null ? null : { kind: 'text', text: body, type: withCharset(type) }
  }
  if (!isRaw(body)) return null
  const type = headerIn(headers, 'content-type') ?? (body instanceof Blob && body.type !== '' ? body.type : unknownType)
  if (body instanceof FileBody) return { kind: 'stream', source: body, size: body.size, type }
  if (body instanceof Blob) return { kind: 'stream', source: body.stream(), size: body.size, type }
  const bytes = bytesIn(body)
  return bytes === null
    ? { kind: 'stream', source: body as StreamSource, size: null, type }
    : { kind: 'bytes', bytes, type }
}

/** The size of a body in bytes; null when it is not known before the end of a stream. */
export function sizeOf(raw: RawBody): number | null {
  if (raw.kind === 'text') return Buffer.byteLength(raw.text)
  return raw.kind === 'bytes' ? raw.bytes.length : raw.size
}

/** The bytes of a buffer or of a view of one; null for any other value. */
export function bytesIn(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : null
}

/** The content type of text that is not written as a JSON string; null for one that is. */
function textTypeIn(headers: ReadonlyMap<string, string>): string | null {
  if (headers.size === 0) return null
  const type = headerIn(headers, 'content-type')
  return type === null || isJsonType(mediaTypeOf(type)) ? null : type
}

function headerIn(headers: ReadonlyMap<string, string>, lowerName: string): string | null {
  for (const [name, value] of headers) if (name.toLowerCase() === lowerName) return value
  return null
}

/** Without a charset, a browser guesses the encoding of a text by the language of its user. */
function withCharset(type: string): string {
  return /^text\//i.test(type) && !/;\s*charset=/i.test(type) ? `${type}; charset=UTF-8` : type
}
