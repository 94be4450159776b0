/**
 * A deep copy of a declaration, so that a later change of the original changes no route. Maps and lists are copied, other
 * values are not. Cycles are preserved.
 */
export function snapshotOf(declared: unknown, copies: Map<object, unknown> = new Map()): unknown {
  if (typeof declared !== 'object' || declared === null) return declared
  const known = copies.get(declared)
  if (known !== undefined) return known
  if (Array.isArray(declared)) {
    const list: unknown[] = []
    copies.set(declared, list)
    for (const item of declared as unknown[]) list.push(snapshotOf(item, copies))
    return list
  }
  const prototype: unknown = Object.getPrototypeOf(declared)
  if (prototype !== Object.prototype && prototype !== null) return declared
  const map: Record<string, unknown> = prototype === null ? (Object.create(null) as Record<string, unknown>) : {}
  copies.set(declared, map)
  for (const name of Object.keys(declared)) {
    const value = snapshotOf((declared as Record<string, unknown>)[name], copies)
    // An assignment would not create an own key `__proto__`.
    if (name !== '__proto__') map[name] = value
    else Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return map
}
