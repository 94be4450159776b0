import { ReadsInFlight } from '../database/reads-in-flight.js'
import type { ChangeToken, RowVersion, Storage } from '../database/storage.js'
import { anyDependency } from './dependencies.js'

/** The versions of kinds of rows at one moment. */
export interface Versions {
  /** Equal for two reads of the versions between which no kind was written. */
  readonly moment: number
  /** How often a version was lower than before, because an older state of the database had been restored. */
  readonly restores: number
  /** See `Storage.versions`. */
  readonly byTag: ReadonlyMap<string, RowVersion>
}

/** The calls of `now` that share a read of the token. */
interface SharedCalls {
  readonly token: Promise<ChangeToken>
  readonly moment: { began: number }
  readonly versions: Promise<Versions>
}

/** The current versions. They are read again only when the change token differs. */
export class CurrentVersions {
  readonly #storage: Pick<Storage, 'changeToken' | 'versions'>
  readonly #reads = new ReadsInFlight<Versions>()
  #token: ChangeToken | null = null
  #versions: Versions = { moment: 0, restores: 0, byTag: new Map() }
  #moments = 0
  #latest: SharedCalls | null = null
  /** The number of the read that the versions come from. */
  #applied = 0

  constructor(storage: Pick<Storage, 'changeToken' | 'versions'>) {
    this.#storage = storage
  }

  /** At least as new as any write that was acknowledged before the call. The same object while the versions are the same. */
  now(): Promise<Versions> {
    const token = this.#storage.changeToken()
    // Calls that get one promise of the token came before it was read, so they share the versions as well.
    if (this.#latest?.token !== token) {
      const moment = { began: 0 }
      this.#latest = { token, moment, versions: this.#at(token, moment) }
    }
    this.#latest.moment.began = this.#reads.now()
    return this.#latest.versions
  }

  /** @param moment of the last call that shares the token: see `ReadsInFlight.share`. */
  async #at(reading: Promise<ChangeToken>, moment: { readonly began: number }): Promise<Versions> {
    const token = await reading
    return token === this.#token ? this.#versions : this.#reads.share('', token, moment.began, () => this.#read(token))
  }

  /** @param token read before the versions, so that a write in between only causes another read. */
  async #read(token: ChangeToken): Promise<Versions> {
    const readNumber = this.#reads.now()
    const { restores } = this.#versions
    const byTag = await this.#storage.versions()
    // A later read has ended first. Its versions must not be taken for those of a restored database.
    if (readNumber < this.#applied) return { moment: (this.#moments += 1), restores, byTag }
    this.#applied = readNumber
    this.#token = token
    if (!isSame(byTag, this.#versions.byTag)) {
      const moment = (this.#moments += 1)
      this.#versions = { moment, restores: restoresAfter(this.#versions, byTag), byTag }
    }
    return this.#versions
  }
}

/**
 * The number of restores after a change. Versions only grow, so a lower one belongs to an older state that was restored. The
 * versions from before the restore say nothing about the rows after it.
 */
function restoresAfter({ restores, byTag: before }: Versions, byTag: ReadonlyMap<string, RowVersion>): number {
  for (const [tag, version] of before) if ((byTag.get(tag) ?? 0) < version) return restores + 1
  return restores
}

/** The versions of these kinds only, which is all that `areUnchanged` and `hasSeen` need for the same kinds. */
export function versionsOfTags(versions: Versions, tags: ReadonlySet<string>): Versions {
  if (tags.has(anyDependency)) return versions
  const byTag = new Map<string, RowVersion>()
  for (const tag of tags) {
    const version = versions.byTag.get(tag)
    if (version !== undefined) byTag.set(tag, version)
  }
  return { ...versions, byTag }
}

/** Whether no row of these kinds was written between two moments. */
export function areUnchanged(tags: ReadonlySet<string>, before: Versions, after: Versions): boolean {
  if (before.moment === after.moment) return true
  if (before.restores !== after.restores) return false
  if (tags.has(anyDependency)) return isSame(before.byTag, after.byTag)
  for (const tag of tags) if (before.byTag.get(tag) !== after.byTag.get(tag)) return false
  return true
}

/** Whether `later` includes every write to these kinds that `earlier` includes. */
export function hasSeen(tags: ReadonlySet<string>, later: Versions, earlier: Versions): boolean {
  if (later.moment === earlier.moment) return true
  if (later.restores !== earlier.restores) return later.restores > earlier.restores
  for (const tag of tags.has(anyDependency) ? earlier.byTag.keys() : tags)
    if ((later.byTag.get(tag) ?? 0) < (earlier.byTag.get(tag) ?? 0)) return false
  return true
}

function isSame(left: Versions['byTag'], right: Versions['byTag']): boolean {
  if (left.size !== right.size) return false
  for (const [tag, version] of left) if (right.get(tag) !== version) return false
  return true
}
