import { toInteger } from './cast.js'

const prefixes: ReadonlyMap<number, RegExp> = new Map([
  [2, /^0b/i],
  [8, /^0/],
  [16, /^0x/i],
])

/**
 * PHP's `intval`: the integer of a value, see `toInteger`; a text in another base may have that base's prefix.
 * @param base 2 to 36, or 0 to let the prefix decide.
 */
export function integerInBase(value: unknown, base = 10): number {
  if (base === 10 || typeof value !== 'string') return toInteger(value)
  const [, sign = '', prefixed = ''] = /^[ \t\n\v\f\r]*([-+]?)([^]*)$/.exec(value) ?? []
  const actualBase = base === 0 ? baseOf(prefixed) : base
  const digits = prefixed.replace(prefixes.get(actualBase) ?? '', '')
  // JavaScript would read on behind blanks, a second sign and a second `0x`.
  const isReadAlike = /^[\da-z]/i.test(digits) && !(actualBase === 16 && /^0x/i.test(digits))
  const integer = isReadAlike ? parseInt(digits, actualBase) : NaN
  if (Number.isNaN(integer)) return 0
  return (sign === '-' ? -1 : 1) * Math.min(integer, 2 ** 63) + 0
}

function baseOf(digits: string): number {
  for (const base of [16, 2, 8]) if (prefixes.get(base)?.test(digits)) return base
  return 10
}
