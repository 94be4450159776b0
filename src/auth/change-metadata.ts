import type { MetaRows } from '../database/storage.js'

/** Each failed attempt means that another process has written the value. So many in a row mean a broken database. */
const maxAttempts = 200

/** The new text of a metadata row. Without `value` the row stays as it is; `null` removes the row. */
export interface Change<Result> {
  readonly value?: string | null
  readonly result: Result
}

/**
 * Changes one metadata value that other requests and processes may change at the same time. The new text replaces the
 * old one only if the row still has the old text. Otherwise `change` is called again with the current text, so that no
 * change is lost.
 * @throws TypeError when the new text is not well-formed UTF-16.
 */
export async function changeMetadata<Result>(
  meta: MetaRows,
  objectId: number,
  key: string,
  change: (text: string | null) => Change<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [text = null] = await meta.read(objectId, key)
    const { value, result } = change(text)
    if (value === undefined || value === text) return result
    // A database alters text that is not well-formed. The lengths in the serialised text would then be permanently
    // wrong.
    if (value?.isWellFormed() === false) throw new TypeError(`The metadata ${key} of ${objectId} is not valid text.`)
    if (await meta.replace(objectId, key, text, value)) return result
  }
  throw new Error(`The metadata ${key} of ${objectId} changed during each of ${maxAttempts} attempts to write it.`)
}
