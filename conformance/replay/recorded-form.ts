import { isMap } from '../../src/php/array-shape.js'
import { encodeText, isUtf8 } from '../../src/php/text.js'
import { type Problem, RestError } from '../../src/http/rest-error.js'

/**
 * A value as the recording writes it: PHP's empty array as `[]`, an array with the keys 0 … n-1 as a list, and the
 * marks `$hex`, `$float` and `$error` for what JSON has no words for. Two values that PHP cannot tell apart come out
 * equal; so do `5` and `5.0`, which `JSON.parse` cannot tell apart.
 */
export function recordedForm(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'string') return isUtf8(value) ? value : { $hex: hexOf(value) }
  if (typeof value === 'number') return recordedNumber(value)
  if (value instanceof RestError) return { $error: recordedForm({ ...errorOf(value) }) }
  if (Array.isArray(value)) return value.map(recordedForm)
  if (!isMap(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (entries.every(([key], index) => key === String(index))) return entries.map(([, inner]) => recordedForm(inner))
  return Object.fromEntries(entries.map(([key, inner]) => [key, recordedForm(inner)]))
}

/** An error as WordPress's error object prints. */
export function errorOf({ code, message, data }: Problem): {
  readonly code: string
  readonly message: string
  readonly data: unknown
} {
  return { code, message, data }
}

function hexOf(text: string): string {
  return Buffer.from(encodeText(text)).toString('hex')
}

function recordedNumber(number: number): unknown {
  if (Object.is(number, -0)) return { $float: '-0' }
  if (Number.isFinite(number)) return number
  return { $float: Number.isNaN(number) ? 'NAN' : number > 0 ? 'INF' : '-INF' }
}

/** Text as it comes over the wire: one character for each byte. */
export function bytesAsText(text: string): string {
  return Buffer.from(encodeText(text)).toString('latin1')
}
