import { isDeepStrictEqual } from 'node:util'
import { isMap } from '../src/php/array-shape.js'

/** Where two JSON values first differ, and how; null when they are equal. The order of keys does not count. */
export function difference(actual: unknown, expected: unknown, at = ''): string | null {
  if (isDeepStrictEqual(actual, expected)) return null
  for (const [key, path] of sharedPlaces(actual, expected, at)) {
    const inside = difference(member(actual, key), member(expected, key), path)
    if (inside !== null) return inside
  }
  return `${at === '' ? '(whole)' : at}: ${shortened(JSON.stringify(actual))}, expected ${shortened(JSON.stringify(expected))}`
}

/** The keys to look into, when both are maps or both are lists. */
function sharedPlaces(actual: unknown, expected: unknown, at: string): [key: string, path: string][] {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const longer = actual.length > expected.length ? actual : expected
    return longer.map((_, index) => [String(index), `${at}[${index}]`])
  }
  if (!isMap(actual) || !isMap(expected)) return []
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].map((key) => [key, `${at}.${key}`])
}

function member(container: unknown, key: string): unknown {
  return Object.hasOwn(container as object, key) ? (container as Record<string, unknown>)[key] : undefined
}

/** @param text undefined stands for what is not there. */
export function shortened(text: string | undefined): string {
  if (text === undefined) return '(nothing)'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
