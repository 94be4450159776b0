import { LRUCache } from 'lru-cache'

/** Maximum number of files whose contents can be shared. */
const maxFiles = 1000

/**
 * The contents of files, for as long as a response uses them. Responses that send the same file at the same time share
 * one copy, so that many slow clients cannot fill the memory with copies.
 */
export class SharedContents {
  readonly #reads = new Map<string, Promise<Uint8Array>>()
  /** Weak references, so that a content is freed after the last response that sends it. */
  readonly #contents = new LRUCache<string, WeakRef<Uint8Array>>({ max: maxFiles })

  /** @param key identifies one version of one file. */
  async get(key: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    return this.#contents.get(key)?.deref() ?? this.#reads.get(key) ?? this.#read(key, read)
  }

  async #read(key: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const promise = read()
    this.#reads.set(key, promise)
    try {
      const content = await promise
      this.#contents.set(key, new WeakRef(content))
      return content
    } finally {
      this.#reads.delete(key)
    }
  }
}
