import { LRUCache } from 'lru-cache'

/** As many files as this are looked for among those that are held already. */
const knownFiles = 1000

/**
 * Contents of files for as long as somebody uses them: all who are sent a file at the same time share one copy, so that
 * clients who take their time cannot fill the memory with it.
 */
export class SharedContents {
  readonly #reading = new Map<string, Promise<Uint8Array>>()
  /** What nobody uses any more must not be held here. */
  readonly #held = new LRUCache<string, WeakRef<Uint8Array>>({ max: knownFiles })

  /** @param key of one state of one file. */
  async get(key: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    return this.#held.get(key)?.deref() ?? this.#reading.get(key) ?? this.#read(key, read)
  }

  async #read(key: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const reading = read()
    this.#reading.set(key, reading)
    try {
      const content = await reading
      this.#held.set(key, new WeakRef(content))
      return content
    } finally {
      this.#reading.delete(key)
    }
  }
}
