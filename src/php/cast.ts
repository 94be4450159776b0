import { floatText14 } from './float-text.js'
import { leadingNumberOf } from './numeric-text.js'

/**
 * PHP's `(int)`: the number at the start of a text, truncated towards zero; 1 for true and for a list or map with
 * entries; otherwise 0. Text saturates at ±2^63. A float beyond ±2^63 wraps modulo 2^64. NaN, infinity and text that
 * overflows to infinity (`'1e400'`) are 0. The number 2^63 itself is returned unchanged: it stands for PHP's largest
 * integer, which is either saturated text or `9223372036854775807` from JSON.
 */
export function toInteger(value: unknown): number {
  if (typeof value === 'number') return wrapped(value)
  if (typeof value === 'string') return saturated(leadingNumber(value))
  return toBoolean(value) ? 1 : 0
}

/** PHP's `(float)`: the number at the start of a text; 1 for true and for a list or map with entries; otherwise 0. */
export function toFloat(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return leadingNumber(value)
  return toBoolean(value) ? 1 : 0
}

/**
 * PHP's `(string)`: `1` for true, the empty string for false and null, `Array` for a list or map. Floats have 14
 * significant digits. Whole numbers within 64 bits count as integers and have all their digits.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value)
    return isLargeInteger(value) ? String(BigInt(value)) : floatText14(value)
  }
  if (typeof value === 'boolean') return value ? '1' : ''
  return value === null || value === undefined ? '' : 'Array'
}

/** PHP's `(bool)`: false for false, null, 0, `''`, `'0'` and an empty list or map. */
export function toBoolean(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value === '0' ? false : Number.isNaN(value) || value)
}

function leadingNumber(text: string): number {
  const firstCode = text.charCodeAt(0)
  // `Number` agrees with PHP, or is NaN, when the text starts with 1 to 9. This excludes `0x1A` and `Infinity`.
  const number = firstCode >= 0x31 && firstCode <= 0x39 ? Number(text) : NaN
  return Number.isNaN(number) ? Number(leadingNumberOf(text) ?? 0) : number
}

const twoTo63 = 2 ** 63

/**
 * Whether this is a whole number beyond ±(2^53 - 1) and within 64 bits, which PHP's JSON decoder reads as an integer.
 */
function isLargeInteger(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) > 2 ** 53 - 1 && number >= -twoTo63 && number < twoTo63
}

function saturated(number: number): number {
  if (!Number.isFinite(number)) return 0
  return Math.min(Math.max(Math.trunc(number), -twoTo63), twoTo63) + 0
}

function wrapped(number: number): number {
  if (!Number.isFinite(number)) return 0
  const integer = Math.trunc(number)
  if (Math.abs(integer) <= twoTo63) return integer + 0
  return Number(BigInt.asIntN(64, BigInt(integer)))
}
