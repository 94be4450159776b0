import type { Storage } from '../database/storage.js'
import { anyDependency } from './dependencies.js'

/** The number of writes to each kind of row at one moment. */
export type Versions = ReadonlyMap<string, number>

/** The current versions. They are read again only when the change token differs. */
export class CurrentVersions {
  readonly #storage: Pick<Storage, 'changeToken' | 'versions'>
  #token: number | null = null
  #versions: Versions = new Map()

  constructor(storage: Pick<Storage, 'changeToken' | 'versions'>) {
    this.#storage = storage
  }

  /**
   * At least as new as any write that was acknowledged before the call. The same object while the versions are the same.
   */
  now(): Versions | Promise<Versions> {
    const token = this.#storage.changeToken()
    const versions = typeof token === 'number' ? this.#at(token) : token.then((value) => this.#at(value))
    // The callers that await it get its rejection. There may be none.
    if (versions instanceof Promise) versions.catch(() => undefined)
    return versions
  }

  #at(token: number): Versions | Promise<Versions> {
    return token === this.#token ? this.#versions : this.#read(token)
  }

  /** @param token read before the versions, so that a write in between only causes another read. */
  async #read(token: number): Promise<Versions> {
    const read = await this.#storage.versions()
    const versions = isSame(read, this.#versions) ? this.#versions : read
    this.#token = token
    this.#versions = versions
    return versions
  }
}

/** Whether no row of these kinds was written between two moments. */
export function areUnchanged(tags: ReadonlySet<string>, before: Versions, after: Versions): boolean {
  if (before === after) return true
  if (tags.has(anyDependency)) return isSame(before, after)
  for (const tag of tags) if (before.get(tag) !== after.get(tag)) return false
  return true
}

/** Whether `later` includes every write to these kinds that `earlier` includes. */
export function hasSeen(tags: ReadonlySet<string>, later: Versions, earlier: Versions): boolean {
  if (later === earlier) return true
  for (const tag of tags.has(anyDependency) ? earlier.keys() : tags)
    if ((later.get(tag) ?? 0) < (earlier.get(tag) ?? 0)) return false
  return true
}

function isSame(left: Versions, right: Versions): boolean {
  if (left.size !== right.size) return false
  for (const [tag, version] of left) if (right.get(tag) !== version) return false
  return true
}
