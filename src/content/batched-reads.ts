/**
 * Reads of single rows that one statement answers. Keys that are requested in the same tick of the event loop are read
 * together, and each key is read once. An instance belongs to one list or page, because it keeps what it has read.
 */
export class BatchedReads<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>
  readonly #values = new Map<Key, Promise<Value | undefined>>()
  #keys: Key[] = []
  #batch: Promise<ReadonlyMap<Key, Value>> | null = null

  /** @param read returns the values of the keys that have one. */
  constructor(read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
    this.#read = read
  }

  get(key: Key): Promise<Value | undefined> {
    const pending = this.#values.get(key)
    if (pending !== undefined) return pending
    this.#keys.push(key)
    const value = (this.#batch ??= this.#next()).then((values) => values.get(key))
    this.#values.set(key, value)
    return value
  }

  /** Adds a value that has been read elsewhere. */
  set(key: Key, value: Value): void {
    this.#values.set(key, Promise.resolve(value))
  }

  /** Reads after all promise callbacks that are pending, which may request further keys. */
  async #next(): Promise<ReadonlyMap<Key, Value>> {
    await new Promise<void>((resolve) => process.nextTick(resolve))
    const keys = this.#keys
    this.#keys = []
    this.#batch = null
    return this.#read(keys)
  }
}
