import { toInteger } from './cast.js'

/**
 * PHP's `intval`. Base 10 and values other than text are cast by `toInteger`.
 * @param base 2 to 36; 0 takes the base from the prefix of the text (`0x`, `0b`, `0`), and 10 without one.
 */
export function integerInBase(value: unknown, base = 10): number {
  if (base === 10 || typeof value !== 'string') return toInteger(value)
  const [, sign = '', prefixed = ''] = /^[ \t\n\v\f\r]*([-+]?)([^]*)$/.exec(value) ?? []
  const actualBase = base === 0 ? baseOf(prefixed) : base
  const digits = actualBase === 2 ? prefixed.replace(/^0b/i, '') : prefixed
  // `parseInt` would skip white space and a second sign here; PHP does not.
  const integer = /^[\da-z]/i.test(digits) ? parseInt(digits, actualBase) : NaN
  if (Number.isNaN(integer)) return 0
  return (sign === '-' ? -1 : 1) * Math.min(integer, 2 ** 63) + 0
}

function baseOf(digits: string): number {
  if (/^0x/i.test(digits)) return 16
  if (/^0b/i.test(digits)) return 2
  return digits.startsWith('0') ? 8 : 10
}
