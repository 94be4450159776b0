import { entriesOf } from '../php/array-shape.js'
import { toBoolean } from '../php/cast.js'
import { serialize } from '../php/serialize.js'

/** The entries of a decoded PHP array, list or map, in its order. Empty for any other value. */
export function entriesOrNone(value: unknown): (readonly [name: string, value: unknown])[] {
  return typeof value === 'object' && value !== null ? entriesOf(value) : []
}

/** The grants in a decoded map of capabilities. A value that PHP casts to false revokes the capability. */
export function grantsIn(value: unknown): ReadonlyMap<string, boolean> {
  return new Map(entriesOrNone(value).map(([name, granted]) => [name, toBoolean(granted)]))
}

/** The value of the metadata `capabilities` of a user with these roles and personal grants. */
export function grantsText(grants: Iterable<readonly [name: string, granted: boolean]>): string {
  return serialize(mapOf(grants))
}

/**
 * An object of these entries, for `serialize`. It has no prototype, so that the name `__proto__` is an ordinary key.
 */
export function mapOf<T>(entries: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries))
}
