import { entriesOf, isIntegerKey } from './array-shape.js'
import { floatText } from './float-text.js'
import { byteLength } from './text.js'

/** How many lists and maps may lie inside each other; beyond it a value is refused rather than the stack spent. */
export const serializedDepth = 512

/**
 * PHP's `serialize` of a value as the wire decodes it: text, numbers, booleans, null, lists and maps. Whole numbers
 * are integers, others floats; keys that PHP holds as integers (`"5"`) are written as integers. Lengths are in bytes.
 * @throws TypeError for anything else, such as a function or an instance of a class.
 * @throws RangeError when lists and maps lie more than 512 deep, or contain themselves.
 * Rules: docs/wire.md#stored-values.
 */
export function serialize(value: unknown): string {
  return serializeWithin(value, serializedDepth)
}

function serializeWithin(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'N;'
  if (typeof value === 'string') return serializeText(value)
  if (typeof value === 'boolean') return value ? 'b:1;' : 'b:0;'
  if (typeof value === 'number') return serializeNumber(value)
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} cannot be serialised.`)
  if (depth === 0) throw new RangeError(`A value with more than ${serializedDepth} levels cannot be serialised.`)
  if (Array.isArray(value)) {
    const items = value.map((item, index) => `i:${index};${serializeWithin(item, depth - 1)}`)
    return `a:${items.length}:{${items.join('')}}`
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError(`An instance of ${value.constructor.name} cannot be serialised.`)
  }
  const entries = entriesOf(value).map(([key, item]) => serializeKey(key) + serializeWithin(item, depth - 1))
  return `a:${entries.length}:{${entries.join('')}}`
}

function serializeText(text: string): string {
  return `s:${byteLength(text)}:"${text}";`
}

function serializeNumber(number: number): string {
  return Number.isSafeInteger(number) && !Object.is(number, -0) ? `i:${number};` : `d:${floatText(number)};`
}

function serializeKey(key: string): string {
  return isIntegerKey(key) ? `i:${key};` : serializeText(key)
}
