/** Whether a value is an object and no list, whatever its keys: of what is decoded from the wire, those are the maps. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const orders = new WeakMap<object, readonly string[]>()

/**
 * Remembers the order of a map's keys where it is not JavaScript's, which has integers first and in ascending order. It
 * counts as long as the map has these keys.
 */
export function keepOrder(map: object, keys: readonly string[]): void {
  if (Object.keys(map).some((key, position) => key !== keys[position])) orders.set(map, keys)
}

/** Gives a map made of another one's members that one's order. Costs next to nothing where none was kept. */
export function copyOrder(from: object, to: object): void {
  const kept = orders.get(from)
  if (kept !== undefined)
    keepOrder(
      to,
      kept.filter((key) => hasKey(to, key)),
    )
}

/** The keys of {@link entriesOf}. */
export function keysOf(array: object): readonly string[] {
  const present = Object.keys(array)
  const kept = orders.get(array)
  return kept?.length === present.length && kept.every((key) => hasKey(array, key)) ? kept : present
}

/** The entries of a list or map in PHP's order, as far as {@link keepOrder} was told it; the positions of a list as keys. */
export function entriesOf(array: object): [string, unknown][] {
  const values = array as Readonly<Record<string, unknown>>
  return keysOf(array).map((key) => [key, values[key]])
}

/** The values of {@link entriesOf}. */
export function valuesOf(array: object): unknown[] {
  return Array.isArray(array) ? [...(array as unknown[])] : entriesOf(array).map(([, value]) => value)
}

/** Whether a list or map has this key. The `length` of a list is none. */
export function hasKey(array: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(array, key)
}

/** Deeper, JSON says that it cannot. */
const maxDepth = 512

/**
 * With lists where PHP has them, at any depth: for maps with the keys 0 … n-1, and for those without keys. What says of
 * itself how it becomes JSON stays what it is.
 */
export function asArrays(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return value
  return arrayOf(entriesOf(value).map(([key, inner]) => [key, asArrays(inner, depth + 1)]))
}

/** PHP's array with these entries: a list when the keys are `0 … n-1` in order, else a map without a prototype. */
export function arrayOf<Value>(entries: readonly (readonly [string, Value])[]): Value[] | Record<string, Value> {
  if (entries.every(([key], position) => key === String(position))) return entries.map(([, value]) => value)
  const map = Object.create(null) as Record<string, Value>
  let hasInteger = false
  for (const [key, value] of entries) {
    map[key] = value
    hasInteger ||= isIntegerKey(key)
  }
  // Only integers change places.
  if (hasInteger)
    keepOrder(
      map,
      entries.map(([key]) => key),
    )
  return map
}

const greatestInteger = 2n ** 63n - 1n

/** Whether PHP makes an integer of this key: decimal, no leading zero, no `+`, no `-0`, within 64 bits. */
export function isIntegerKey(key: string): boolean {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(key)) return false
  if (key.length < 19) return true
  const integer = BigInt(key)
  return integer <= greatestInteger && integer >= -greatestInteger - 1n
}
