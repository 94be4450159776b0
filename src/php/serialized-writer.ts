import { entriesOf, isIntegerKey } from './array-shape.js'
import { floatsOf } from './float-members.js'
import { floatText } from './float-text.js'
import { byteLength } from './text.js'

/**
 * Maximum number of levels of nested lists and maps. A deeper value is rejected, because it could overflow the stack.
 */
export const serializedDepth = 512

/** A serialised value that is kept as text, because JavaScript has no value for it. */
export class SerializedFragment {
  /** @param number the nearest number, if it is one. */
  constructor(
    readonly text: string,
    readonly number: number | null = null,
  ) {}
}

/** A number, also one that is kept as text; null for any other value. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value
  return value instanceof SerializedFragment ? value.number : null
}

/**
 * Encodes a value in PHP's serialization format, as PHP's `serialize` does: `{ a: 1 }` becomes `a:1:{s:1:"a";i:1;}`. It
 * encodes the values that JSON can hold: text, numbers, booleans, null, lists and maps, and `undefined` as null. Whole
 * numbers are written as integers, unless `markFloats` has recorded them as floats, and other numbers as floats. Keys that
 * PHP holds as integers (`"5"`) are written as integers. Lengths are in bytes.
 * A {@link SerializedFragment} is written unchanged.
 * @throws TypeError for any other value, such as a function or an instance of a class.
 * @throws RangeError when lists and maps have more than {@link serializedDepth} levels, or contain themselves.
 */
export function serialize(value: unknown): string {
  return serializeWithin(value, serializedDepth)
}

/** @param depth the number of levels that the value may have. @param isFloat whether a whole number is a float for PHP. */
function serializeWithin(value: unknown, depth: number, isFloat = false): string {
  if (value === null || value === undefined) return 'N;'
  if (typeof value === 'string') return serializeText(value)
  if (typeof value === 'boolean') return value ? 'b:1;' : 'b:0;'
  if (typeof value === 'number') return serializeNumber(value, isFloat)
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} cannot be serialised.`)
  if (value instanceof SerializedFragment) return value.text
  if (depth === 0) throw new RangeError(`A value with more than ${serializedDepth} levels cannot be serialised.`)
  const floats = floatsOf(value)
  if (Array.isArray(value)) {
    const items = value.map((item, index) => `i:${index};${serializeWithin(item, depth - 1, floats?.has(index))}`)
    return `a:${items.length}:{${items.join('')}}`
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError(`An instance of ${value.constructor.name} cannot be serialised.`)
  }
  const entries = entriesOf(value).map(
    ([key, item]) => serializeKey(key) + serializeWithin(item, depth - 1, floats?.has(key)),
  )
  return `a:${entries.length}:{${entries.join('')}}`
}

function serializeText(text: string): string {
  return `s:${byteLength(text)}:"${text}";`
}

function serializeNumber(number: number, isFloat: boolean): string {
  const isInteger = Number.isSafeInteger(number) && !Object.is(number, -0) && !isFloat
  return isInteger ? `i:${number};` : `d:${floatText(number)};`
}

function serializeKey(key: string): string {
  return isIntegerKey(key) ? `i:${key};` : serializeText(key)
}
