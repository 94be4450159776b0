import type { ChangeToken } from '../storage.js'
import type { SqlRow } from './sql-connection.js'

/**
 * The versions of kinds that were read together with the latest change token, which saves a round trip. They are read together
 * only while the versions of each token are requested: while writes follow each other, and the cached rows are of other kinds.
 */
export class VersionsWithToken {
  #latest: { readonly token: ChangeToken; readonly rows: readonly SqlRow[] | null } | null = null
  /** Whether the versions at the latest token were requested since it was read. */
  #wereRequested = false

  /** Whether the next read of the token should read the versions as well. */
  get shouldBeRead(): boolean {
    return this.#wereRequested
  }

  /** @param rows null: they were not read. */
  read(token: ChangeToken, rows: readonly SqlRow[] | null): void {
    // The versions of an earlier read of the same token are still right.
    this.#latest = { token, rows: rows ?? (this.#latest?.token === token ? this.#latest.rows : null) }
    this.#wereRequested = false
  }

  /** Null when they were not read, or another token was read meanwhile. */
  at(token: ChangeToken): readonly SqlRow[] | null {
    if (this.#latest?.token !== token) return null
    this.#wereRequested = true
    return this.#latest.rows
  }
}
