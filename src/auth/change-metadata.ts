import type { MetaRows } from '../database/storage.js'

/** Each lost round means that somebody else's change went through, so this many in a row are a broken database. */
const attempts = 200

/** What a stored text becomes; leaving `value` out leaves it as it is. `null` removes the row. */
export interface Change<Result> {
  readonly value?: string | null
  readonly result: Result
}

/**
 * Changes one metadata value that other requests and processes change as well, losing nobody's change: the new text is
 * written only while the old one is still there, otherwise `change` is asked again about what is there now.
 */
export async function changeMetadata<Result>(
  meta: MetaRows,
  objectId: number,
  key: string,
  change: (stored: string | null) => Change<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const [stored = null] = await meta.read(objectId, key)
    const { value, result } = change(stored)
    if (value === undefined || value === stored) return result
    // Databases change what is not well-formed, and the lengths in a serialised text would be wrong for good.
    if (value?.isWellFormed() === false) throw new TypeError(`The metadata ${key} of ${objectId} is not valid text.`)
    if (await meta.replace(objectId, key, stored, value)) return result
  }
  throw new Error(`The metadata ${key} of ${objectId} kept changing while it was to be written.`)
}
