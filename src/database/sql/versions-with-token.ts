import type { ChangeToken } from '../storage.js'
import type { SqlRow } from './sql-connection.js'

/**
 * The versions of kinds that were read together with the latest change token. They are read so only while each token is followed by
 * the question for its versions: while writes follow each other, and what is cached is of other kinds.
 */
export class VersionsWithToken {
  #latest: { readonly token: ChangeToken; readonly rows: readonly SqlRow[] | null } | null = null
  /** Whether the versions at the latest token were asked for since it was read. */
  #wereAskedFor = false

  /** Whether the next read of the token should read them as well. */
  get areWanted(): boolean {
    return this.#wereAskedFor
  }

  /** @param rows null: they were not read. */
  read(token: ChangeToken, rows: readonly SqlRow[] | null): void {
    // Those of an earlier read of the same token serve as well.
    this.#latest = { token, rows: rows ?? (this.#latest?.token === token ? this.#latest.rows : null) }
    this.#wereAskedFor = false
  }

  /** Null when they were not read, or another token was read meanwhile. */
  at(token: ChangeToken): readonly SqlRow[] | null {
    if (this.#latest?.token !== token) return null
    this.#wereAskedFor = true
    return this.#latest.rows
  }
}
