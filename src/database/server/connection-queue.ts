import { StorageError } from '../storage-error.js'

/** Maximum number of statements and transactions that wait for a connection. */
const maxWaiting = 2000
/** Milliseconds after which work fails when no connection came back meanwhile: the server does not answer, or is locked. */
const maxStandstill = 5000
/** Milliseconds after which work fails even though the queue moves. */
const maxWait = 30_000
/** How often the limits are checked, in milliseconds. */
const checkInterval = 100

interface Waiting<Connection> {
  readonly since: number
  resolve(connection: Connection): void
  reject(error: unknown): void
}

/** Work that waits for a connection of a pool, in the order of its submission. */
export class ConnectionQueue<Connection> {
  readonly #waiting = new Set<Waiting<Connection>>()
  #movedAt = 0
  #check: NodeJS.Timeout | null = null

  /**
   * Resolves with a connection that other work has given back. A long queue is no failure while connections are given back.
   * @throws StorageError `busy`, always by the promise.
   */
  wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size >= maxWaiting)
        return reject(new StorageError('busy', 'Too many statements wait for a connection to the database.'))
      this.#waiting.add({ since: performance.now(), resolve, reject })
      this.#check ??= setInterval(() => this.#failLate(), checkInterval)
    })
  }

  /** Removes the work that was submitted first from the queue, and returns it; null when the queue is empty. */
  next(): Waiting<Connection> | null {
    const [first] = this.#waiting
    if (first === undefined) return null
    this.#waiting.delete(first)
    this.#movedAt = performance.now()
    this.#stopWhenEmpty()
    return first
  }

  failAll(error: unknown): void {
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting.clear()
    this.#stopWhenEmpty()
  }

  #failLate(): void {
    const now = performance.now()
    for (const waiting of this.#waiting) {
      const standsStill = now - Math.max(waiting.since, this.#movedAt) > maxStandstill
      if (!standsStill && now - waiting.since <= maxWait) continue
      this.#waiting.delete(waiting)
      const reason = standsStill ? `have been in use for ${maxStandstill} ms` : `were in use for ${maxWait} ms`
      waiting.reject(new StorageError('busy', `All connections to the database ${reason}.`))
    }
    this.#stopWhenEmpty()
  }

  #stopWhenEmpty(): void {
    if (this.#waiting.size > 0 || this.#check === null) return
    clearInterval(this.#check)
    this.#check = null
  }
}
