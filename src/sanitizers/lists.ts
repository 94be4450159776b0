import { arrayOf, entriesOf } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { absint } from './numbers.js'
import { sanitizeTitle } from './title.js'

/** A PHP array with integer keys: a list, or a map when its keys are not `0 … n-1` in order. */
export type ListOf<Value> = Value[] | Record<string, Value>

/**
 * `wp_parse_list`: splits a text at commas and white space. For a list or map, the result has its scalar items under
 * their original keys.
 */
export function parseList(value: unknown): ListOf<unknown> {
  if (typeof value !== 'object' || value === null) return splitList(toText(value))
  return arrayOf(entriesOf(value).filter(([, item]) => isScalar(item)))
}

/** `wp_parse_id_list`: {@link parseList} as integers from 0 up. Of equal integers only the first is in the result. */
export function parseIdList(value: unknown): ListOf<number> {
  return uniqueOf(parseList(value), absint)
}

/** `wp_parse_slug_list`: {@link parseList} as slugs. Of equal slugs only the first is in the result. */
export function parseSlugList(value: unknown): ListOf<string> {
  return uniqueOf(parseList(value), (item) => sanitizeTitle(item))
}

/**
 * Maximum number of items in a text that a request sends for a list, and in a value for `wp_parse_list` and its variants.
 * PHP has no such limit. A text of 1 MB has up to half a million items, which would block all other requests for seconds.
 */
export const maxListItems = 10_000

/** Whether a value has more than {@link maxListItems} items: parts of a text, or members of a list or map. */
export function hasTooManyItems(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > maxListItems
  const parts = /[^ \t\n\v\f\r,]+/g
  const text = toText(value)
  for (let count = 0; count <= maxListItems; count += 1) if (!parts.test(text)) return false
  return true
}

/** The non-empty parts of a text between commas and white space. */
export function splitList(text: string): string[] {
  return text.split(/[ \t\n\v\f\r,]+/).filter((part) => part !== '')
}

function uniqueOf<Value>(list: ListOf<unknown>, convert: (item: unknown) => Value): ListOf<Value> {
  const seen = new Set<Value>()
  const entries: [string, Value][] = []
  for (const [key, item] of entriesOf(list)) {
    const value = convert(item)
    if (seen.has(value)) continue
    seen.add(value)
    entries.push([key, value])
  }
  return arrayOf(entries)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
