import type { MetaRows } from '../database/storage.js'

/** Each failed round means that another change succeeded. So many in a row mean a broken database. */
const attempts = 200

/** The new text of a row. Without `value` the row stays unchanged. `null` removes it. */
export interface Change<Result> {
  readonly value?: string | null
  readonly result: Result
}

/**
 * Changes one metadata value that other requests and processes may change as well, without overwriting their changes: the
 * new text is written only if the old one is unchanged. Otherwise `change` runs again with the current text.
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
    // Databases change text that is not well-formed. The lengths in a serialised text would then be wrong.
    if (value?.isWellFormed() === false) throw new TypeError(`The metadata ${key} of ${objectId} is not valid text.`)
    if (await meta.replace(objectId, key, stored, value)) return result
  }
  throw new Error(`The metadata ${key} of ${objectId} kept changing while it was to be written.`)
}
