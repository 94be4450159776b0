import { arrayOf, entriesOf } from '../php/array-shape.js'
import { toText } from '../php/cast.js'
import { absint } from './numbers.js'
import { sanitizeTitle } from './title.js'

/** PHP's array: a list, or a map when keys are missing in between. */
export type ListOf<Value> = Value[] | Record<string, Value>

/**
 * `wp_parse_list`: the parts of a text between commas and white space. Of a list or map the scalar items, under their
 * own keys.
 */
export function parseList(value: unknown): ListOf<unknown> {
  if (typeof value !== 'object' || value === null) return splitList(toText(value))
  return arrayOf(entriesOf(value).filter(([, item]) => isScalar(item)))
}

/** `wp_parse_id_list`: {@link parseList} as integers from 0 up. The first of equal ones stays, under its own key. */
export function parseIdList(value: unknown): ListOf<number> {
  return uniqueOf(parseList(value), absint)
}

/** `wp_parse_slug_list`: {@link parseList} as slugs. The first of equal ones stays, under its own key. */
export function parseSlugList(value: unknown): ListOf<string> {
  return uniqueOf(parseList(value), (item) => sanitizeTitle(item))
}

/** The parts of a text between commas and white space, none of them empty. */
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
