import { entriesOf } from '../php/array-shape.js'
import { toBoolean } from '../php/cast.js'

/** Name and value of everything in a decoded PHP array, list or map, in its order; nothing for any other value. */
export function entriesOrNone(value: unknown): (readonly [name: string, value: unknown])[] {
  return typeof value === 'object' && value !== null ? entriesOf(value) : []
}

/** A stored map of capabilities: each name granted, or taken away when its value is empty in PHP's eyes. */
export function grantsIn(value: unknown): ReadonlyMap<string, boolean> {
  return new Map(entriesOrNone(value).map(([name, granted]) => [name, toBoolean(granted)]))
}

/** The other way round: names and values as a map that may be stored. */
export function mapOf<T>(entries: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries))
}
