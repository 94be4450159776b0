import { entriesOf } from '../php/array-shape.js'

/** Parameters have less nesting than this. */
const maxDepth = 64

/**
 * A text that two values share only when they are equal, including the order of keys. The text is JSON.
 * @returns null for a value that JSON cannot represent exactly, such as a Map, a Date or a bigint.
 */
export function canonicalText(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : null
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object' || depth > maxDepth) return null
  return Array.isArray(value) ? listText(value, depth) : mapText(value, depth)
}

function listText(list: readonly unknown[], depth: number): string | null {
  const parts: string[] = []
  for (const item of list) {
    const text = canonicalText(item, depth + 1)
    if (text === null) return null
    parts.push(text)
  }
  return `[${parts.join(',')}]`
}

function mapText(map: object, depth: number): string | null {
  const prototype: unknown = Object.getPrototypeOf(map)
  if ((prototype !== null && prototype !== Object.prototype) || Object.getOwnPropertySymbols(map).length > 0)
    return null
  const parts: string[] = []
  for (const [key, item] of entriesOf(map)) {
    const text = canonicalText(item, depth + 1)
    if (text === null) return null
    parts.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${parts.join(',')}}`
}
