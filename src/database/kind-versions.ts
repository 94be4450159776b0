import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import { ReadsInFlight } from './reads-in-flight.js'
import type { ChangeToken, RowVersion } from './storage.js'

/** A tag that equals no other one in any collation, unless they differ in case only. Types of posts have such names. */
const plainTag = /^[a-z0-9_-]+$/

/** The versions of all kinds of rows at one moment. */
export class KindVersions {
  readonly #byTag: ReadonlyMap<string, RowVersion>
  readonly #history: string
  /** Tags that a database may take for another one, such as `próduct`, with their versions. Mostly there are none. */
  readonly #ambiguous: string

  /** @param history of the database. Versions of two histories cannot be compared. */
  constructor(byTag: ReadonlyMap<string, RowVersion>, history: string) {
    this.#byTag = byTag
    this.#history = history
    const ambiguous = [...byTag].filter(([tag]) => !plainTag.test(tag))
    this.#ambiguous = ambiguous.length === 0 ? '' : JSON.stringify(ambiguous.map(String).sort())
  }

  /** Whether no row of these kinds was written between this moment and that of `others`. @param tags see `tagsOfTypes`. */
  areSame(others: KindVersions, tags: readonly string[]): boolean {
    if (this === others) return true
    if (this.#history !== others.#history || this.#ambiguous !== others.#ambiguous) return false
    for (const tag of tags) if (this.#byTag.get(tag) !== others.#byTag.get(tag)) return false
    return true
  }
}

/** The tags of rows of these types; null where a database may take one of them for another type. */
export function tagsOfTypes(types: readonly string[]): readonly string[] | null {
  const tags = types.map((type) => type.toLowerCase())
  return tags.every((tag) => plainTag.test(tag)) ? tags : null
}

/** The versions at the latest change token. They are read once for a token. */
export class VersionsAtToken {
  readonly #read: (token: ChangeToken) => MaybePromise<ReadonlyMap<string, RowVersion>>
  readonly #historyOf: (token: ChangeToken) => string
  readonly #reads = new ReadsInFlight<KindVersions>()
  #latest: { readonly token: ChangeToken; readonly versions: KindVersions } | null = null

  /** @param read with the token or after it. @param historyOf the history of the database that a token belongs to. */
  constructor(
    read: (token: ChangeToken) => MaybePromise<ReadonlyMap<string, RowVersion>>,
    historyOf: (token: ChangeToken) => string,
  ) {
    this.#read = read
    this.#historyOf = historyOf
  }

  /**
   * Read after the token. Equal tokens mean that no write was acknowledged in between, so they may share the versions. With
   * SQLite they are returned directly, which saves a promise for each request after a write.
   */
  at(token: ChangeToken): MaybePromise<KindVersions> {
    if (this.#latest?.token === token) return this.#latest.versions
    return this.#reads.share('', token, null, () =>
      mapMaybePromise(this.#read(token), (byTag) => {
        const versions = new KindVersions(byTag, this.#historyOf(token))
        this.#latest = { token, versions }
        return versions
      }),
    )
  }
}
