import { isMap } from '../php/array-shape.js'

/**
 * Whether no two items are equal. Values of different types differ (`1` and `"1"`); the order of keys is irrelevant.
 * The function takes linear time.
 */
export function areUnique(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>()
  const structures = new Set<string>()
  for (const item of items) {
    const seenKeys: Set<unknown> = typeof item === 'object' && item !== null ? structures : scalars
    const key = seenKeys === structures ? textOf(item) : item
    if (seenKeys.has(key)) return false
    seenKeys.add(key)
  }
  return true
}

/** A text that is the same for two values exactly when the values are equal. */
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
