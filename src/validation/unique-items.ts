import { isMap } from '../php/array-shape.js'

/**
 * Whether no two items are equal: the type counts (`1` is not `"1"`), the order of keys does not (docs/wire.md#types).
 * Each item is looked at once, however many there are.
 */
export function areUnique(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>()
  const structures = new Set<string>()
  for (const item of items) {
    const seen: Set<unknown> = typeof item === 'object' && item !== null ? structures : scalars
    const key = seen === structures ? textOf(item) : item
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}

/** A text that two values have in common exactly when they are equal. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  if (isMap(value)) {
    const names = Object.keys(value).sort()
    // A map with the keys 0 … n-1 is a list; the empty map is the empty list.
    if (names.every((_, index) => Object.hasOwn(value, index))) return textOf(names.map((_, index) => value[index]))
    return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`).join(',')}}`
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
