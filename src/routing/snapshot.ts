import { isStandardSchema } from '../validation/standard-schema.js'

/**
 * A deep copy of a declaration, so that a later change of the original changes no route. Maps and lists are copied, other
 * values are not. Cycles are preserved.
 */
export function snapshotOf(value: unknown, copies: Map<object, unknown> = new Map()): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy = copies.get(value)
  if (copy !== undefined) return copy
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    for (const item of value as unknown[]) list.push(snapshotOf(item, copies))
    return list
  }
  // The schemas of some libraries are plain objects whose functions refer to the object itself.
  if (isStandardSchema(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const map: Record<string, unknown> = prototype === null ? (Object.create(null) as Record<string, unknown>) : {}
  copies.set(value, map)
  for (const name of Object.keys(value)) {
    const member = snapshotOf((value as Record<string, unknown>)[name], copies)
    // An assignment would not create an own key `__proto__`.
    if (name !== '__proto__') map[name] = member
    else Object.defineProperty(map, name, { value: member, enumerable: true, writable: true, configurable: true })
  }
  return map
}
