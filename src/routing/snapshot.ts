/**
 * A copy of what was declared, so that changing the original later changes no route: maps and lists are copied, at any
 * depth, everything else is kept as it is. Parts that contain themselves stay so.
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
    // A map may have a key `__proto__` of its own, which an assignment would not make.
    if (name !== '__proto__') map[name] = value
    else Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return map
}
