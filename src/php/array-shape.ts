import { copyFloats } from './float-members.js'

/** Whether a value is an object other than an array. Among values decoded from the wire, these are the maps. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const keyOrders = new WeakMap<object, readonly string[]>()

/**
 * Records the order of a map's keys when it differs from JavaScript's, which puts integer keys first and in ascending
 * order. The recorded order applies as long as the map has exactly these keys.
 */
export function keepOrder(map: object, keys: readonly string[]): void {
  if (Object.keys(map).some((key, position) => key !== keys[position])) keyOrders.set(map, keys)
}

/** Copies the recorded key order of one map to another, for the keys that both have. */
export function copyOrder(from: object, to: object): void {
  const order = keyOrders.get(from)
  if (order !== undefined)
    keepOrder(
      to,
      order.filter((key) => hasKey(to, key)),
    )
}

/** The keys of a list or map, in the order of {@link entriesOf}. */
export function keysOf(array: object): readonly string[] {
  const currentKeys = Object.keys(array)
  const order = keyOrders.get(array)
  return order?.length === currentKeys.length && order.every((key) => hasKey(array, key)) ? order : currentKeys
}

/**
 * The entries of a list or map, in the order recorded by {@link keepOrder} or else in JavaScript's. The keys of a list
 * are its positions.
 */
export function entriesOf(array: object): [string, unknown][] {
  const values = array as Readonly<Record<string, unknown>>
  return keysOf(array).map((key) => [key, values[key]])
}

/** The values of a list or map, in the order of {@link entriesOf}. */
export function valuesOf(array: object): unknown[] {
  return Array.isArray(array) ? [...(array as unknown[])] : entriesOf(array).map(([, value]) => value)
}

/** Whether a list or map has this key. The `length` of a list is not a key. */
export function hasKey(array: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(array, key)
}

/** Deeper values are returned unchanged. The JSON encoder rejects them. */
const maxDepth = 512

/**
 * Turns each map that PHP holds as a list into a list, at any depth: maps with the keys 0 … n-1, and maps without keys.
 * A value with a `toJSON` method is returned unchanged. Members that are floats for PHP stay marked.
 */
export function asArrays(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return value
  const array = arrayOf(entriesOf(value).map(([key, inner]) => [key, asArrays(inner, depth + 1)]))
  copyFloats(value, array)
  return array
}

/** A PHP array with these entries: a list when the keys are `0 … n-1` in order, else a map without a prototype. */
export function arrayOf<Value>(entries: readonly (readonly [string, Value])[]): Value[] | Record<string, Value> {
  if (entries.every(([key], position) => key === String(position))) return entries.map(([, value]) => value)
  const map = Object.create(null) as Record<string, Value>
  let hasIntegerKey = false
  for (const [key, value] of entries) {
    map[key] = value
    hasIntegerKey ||= isIntegerKey(key)
  }
  // JavaScript reorders integer keys only.
  if (hasIntegerKey)
    keepOrder(
      map,
      entries.map(([key]) => key),
    )
  return map
}

const maxInteger = 2n ** 63n - 1n

/** Whether PHP converts this key to an integer: decimal, no leading zero, no `+`, no `-0`, within 64 bits. */
export function isIntegerKey(key: string): boolean {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(key)) return false
  if (key.length < 19) return true
  const integer = BigInt(key)
  return integer <= maxInteger && integer >= -maxInteger - 1n
}
