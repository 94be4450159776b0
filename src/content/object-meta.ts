import { typeOfValue } from '../base/value-type.js'
import type { MetaRows, Storage } from '../database/storage.js'
import type { DeclaredValues } from './declared-values.js'
import { serializedMeta } from './meta.js'

/** Reads and writes the declared metadata of users, or of terms. */
export class ObjectMeta {
  constructor(
    private readonly declared: DeclaredValues,
    private readonly rowsOf: (storage: Storage) => MetaRows,
  ) {}

  /** The declared metadata of an object, and no other: keys of the service, such as those of sessions, are never read. */
  async read(id: number, storage: Storage): Promise<Record<string, unknown>> {
    return this.declared.readAll(await this.rowsOf(storage).all(id))
  }

  /**
   * Checks a change, and returns the function that writes it. The value null removes a key, undefined leaves it unchanged.
   * @throws UndeclaredNameError, RecordRejectedError `invalid_meta_value`. @throws TypeError for a value that is not an object.
   */
  prepared(change: unknown): (id: number, storage: Storage) => Promise<void> {
    if (typeof change !== 'object' || change === null)
      throw new TypeError(`A change of metadata must be an object; it is ${typeOfValue(change)}.`)
    const entries = Object.entries(change as Readonly<Record<string, unknown>>)
    for (const [key] of entries) this.declared.require(key)
    const removed = entries.flatMap(([key, value]) => (value === null ? [key] : []))
    const present = entries.filter(([, value]) => value !== null && value !== undefined)
    const written = serializedMeta(
      Object.fromEntries(present.map(([key, value]) => [key, this.declared.convert(`meta.${key}`, key, value)])),
    )
    return async (id, storage) => {
      const rows = this.rowsOf(storage)
      for (const key of removed) await rows.remove(id, key)
      for (const [key, value] of written) await rows.write(id, key, value)
    }
  }
}
