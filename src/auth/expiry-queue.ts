/** An entry of an {@link ExpiryQueue}. */
export interface Expiring {
  expiresAt: number
  /** The index in the queue, which the queue sets; -1 outside of a queue. */
  position: number
}

/** Entries by the time when they expire. A binary heap, so that a change among 20,000 entries takes 15 steps at most. */
export class ExpiryQueue<Entry extends Expiring> {
  readonly #heap: Entry[] = []

  get size(): number {
    return this.#heap.length
  }

  /** The entry that expires first. */
  first(): Entry | undefined {
    return this.#heap[0]
  }

  /** Adds an entry, or moves it after a change of `expiresAt`. */
  put(entry: Entry): void {
    if (entry.position === -1) entry.position = this.#heap.push(entry) - 1
    this.#moveUp(entry)
    this.#moveDown(entry)
  }

  /** Does nothing when the entry is not in the queue. */
  remove(entry: Entry): void {
    const last = entry.position === -1 ? undefined : this.#heap.pop()
    if (last !== undefined && last !== entry) {
      this.#place(last, entry.position)
      this.#moveUp(last)
      this.#moveDown(last)
    }
    entry.position = -1
  }

  #moveUp(entry: Entry): void {
    for (;;) {
      const parent = this.#heap[(entry.position - 1) >> 1]
      if (parent === undefined || parent.expiresAt <= entry.expiresAt) return
      this.#swap(parent, entry)
    }
  }

  #moveDown(entry: Entry): void {
    for (;;) {
      const left = this.#heap[2 * entry.position + 1]
      const right = this.#heap[2 * entry.position + 2]
      const child = right !== undefined && left !== undefined && right.expiresAt < left.expiresAt ? right : left
      if (child === undefined || entry.expiresAt <= child.expiresAt) return
      this.#swap(entry, child)
    }
  }

  #swap(entry: Entry, other: Entry): void {
    const { position } = entry
    this.#place(entry, other.position)
    this.#place(other, position)
  }

  #place(entry: Entry, position: number): void {
    entry.position = position
    this.#heap[position] = entry
  }
}
