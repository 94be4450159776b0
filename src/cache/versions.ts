import type { Storage } from '../database/storage.js'
import { anyDependency } from './dependencies.js'

/** How often each kind of row was written, at one moment. */
export type Versions = ReadonlyMap<string, number>

/** The versions as they are now, read again only when something was written. */
export class CurrentVersions {
  readonly #storage: Pick<Storage, 'changeToken' | 'versions'>
  #token: number | null = null
  #known: Versions = new Map()

  constructor(storage: Pick<Storage, 'changeToken' | 'versions'>) {
    this.#storage = storage
  }

  /**
   * At least as new as any write that was acknowledged to anybody by now; the same object while they are the same.
   */
  now(): Versions | Promise<Versions> {
    const token = this.#storage.changeToken()
    const versions = typeof token === 'number' ? this.#at(token) : token.then((known) => this.#at(known))
    // Whoever waits for it is told of its failure; it may turn out that nobody has to.
    if (versions instanceof Promise) versions.catch(() => undefined)
    return versions
  }

  #at(token: number): Versions | Promise<Versions> {
    return token === this.#token ? this.#known : this.#read(token)
  }

  /** @param token asked before the versions are read: what is written meanwhile only makes them be read once more. */
  async #read(token: number): Promise<Versions> {
    const read = await this.#storage.versions()
    const versions = isSame(read, this.#known) ? this.#known : read
    this.#token = token
    this.#known = versions
    return versions
  }
}

/** Whether nothing of these kinds was written between two moments. */
export function areUnchanged(tags: ReadonlySet<string>, before: Versions, after: Versions): boolean {
  if (before === after) return true
  if (tags.has(anyDependency)) return isSame(before, after)
  for (const tag of tags) if (before.get(tag) !== after.get(tag)) return false
  return true
}

/** Whether `later` has seen everything of these kinds that `earlier` has. */
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
