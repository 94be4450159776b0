import { floatText14 } from './float-text.js'
import { leadingNumberOf } from './numeric-text.js'

/**
 * PHP's `(int)`: the number at the start of a text, truncated; 1 for a list or map with something in it, else 0.
 * Text saturates at ±2^63, a float beyond that wraps modulo 2^64, infinity (be it `'1e400'`) and NaN are 0. The number
 * 2^63 itself stays, since it stands for PHP's largest integer: what saturated, or `9223372036854775807` in JSON.
 * Rules: docs/wire.md#coercion.
 */
export function toInteger(value: unknown): number {
  if (typeof value === 'number') return wrapped(value)
  if (typeof value === 'string') return saturated(leadingNumber(value))
  return toBoolean(value) ? 1 : 0
}

/** PHP's `(float)`: the number at the start of a text; 1 for a list or map with something in it, else 0. */
export function toFloat(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return leadingNumber(value)
  return toBoolean(value) ? 1 : 0
}

/**
 * PHP's `(string)`: `1` for true, nothing for false and null, `Array` for a list or map. Floats have 14 significant
 * digits; whole numbers within 64 bits are taken for integers and have all of them.
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

/** PHP's `(bool)`: false for false, null, 0, `''`, `'0'` and a list or map with nothing in it. */
export function toBoolean(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value === '0' ? false : Number.isNaN(value) || value)
}

function leadingNumber(text: string): number {
  const first = text.charCodeAt(0)
  // Behind such a digit JavaScript reads what PHP reads, or nothing: no `0x1A`, no `Infinity`.
  const whole = first >= 0x31 && first <= 0x39 ? Number(text) : NaN
  return Number.isNaN(whole) ? Number(leadingNumberOf(text) ?? 0) : whole
}

const twoTo63 = 2 ** 63

/** Whether PHP had an integer of this number when it came as JSON, as far as the number tells. */
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
