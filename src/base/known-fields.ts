import { suggestion } from './nearest.js'

/**
 * Refuses misspelt fields, which would be ignored.
 * @param what the object, as messages name it, such as `A new record`.
 * @throws TypeError whose message names the field, and the nearest one that exists.
 */
export function requireKnownFields(value: object, fields: ReadonlySet<string>, what: string): void {
  for (const name in value)
    if (!fields.has(name)) throw new TypeError(`${what} has no field '${name}'.${suggestion(name, fields)}`)
}
