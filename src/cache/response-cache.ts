import { LRUCache } from 'lru-cache'
import type { Storage } from '../database/storage.js'
import { trackDependencies, trackingDependencies } from './dependencies.js'
import { areUnchanged, CurrentVersions, hasSeen, type Versions } from './versions.js'

/** One answer, and what may be done with it. */
export interface Outcome<Answer> {
  readonly answer: Answer
  /** Bytes. */
  readonly size: number
  /** `keep`: for everybody, as long as it holds. `share`: for those who wait for it now. `alone`: for nobody else. */
  readonly use: 'keep' | 'share' | 'alone'
}

/** How an answer comes about. */
export interface ComputeOptions<Answer> {
  readonly seconds: number
  /** Null for what `make` asks of the database. */
  readonly tags: readonly string[] | null
  /** @returns null when there is no answer of this kind, which everybody who waits is told. */
  make(): Promise<Outcome<Answer> | null>
}

interface Entry<Answer> {
  readonly answer: Answer
  readonly size: number
  readonly tags: ReadonlySet<string>
  /** A moment at which the answer was right. */
  versions: Versions
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Computed<Answer> {
  readonly outcome: Outcome<Answer> | null
  readonly tags: ReadonlySet<string>
  /** From before the answer was begun. */
  readonly versions: Versions
}

interface InFlightComputation<Answer> {
  readonly landed: Promise<Computed<Answer>>
  /** By the clock of `performance.now`. */
  readonly began: number
}

/** Of an entry besides its answer, in bytes, about: tags, versions, the places in the tables. */
const overhead = 512

/** Milliseconds after which nobody begins to wait for an answer that is still being made. */
const maxWait = 10_000

/**
 * Answers by key, each given again until its time is over or a kind of row that it was made of is written, by whatever
 * process. An answer is made once at a time. What a write has made wrong is never given again, and its memory is taken
 * back when the key is asked for next or the room is needed.
 */
export class ResponseCache<Answer extends object> {
  readonly #entries: LRUCache<string, Entry<Answer>>
  readonly #flights = new Map<string, InFlightComputation<Answer>>()
  readonly #versions: CurrentVersions
  readonly #clock: () => number

  /** @param options.bytes for all entries together; one takes an eighth at most. */
  constructor(
    storage: Pick<Storage, 'changeToken' | 'versions'>,
    { bytes, clock }: { readonly bytes: number; readonly clock: () => number },
  ) {
    const maxSize = Math.max(8, Math.floor(bytes))
    this.#entries = new LRUCache({
      maxSize,
      maxEntrySize: Math.floor(maxSize / 8),
      sizeCalculation: ({ size }, key) => size + key.length + overhead,
    })
    this.#versions = new CurrentVersions(storage)
    this.#clock = clock
  }

  /** What a reader who comes now must not be given anything older than; see `CurrentVersions.now`. */
  now(): Versions | Promise<Versions> {
    return this.#versions.now()
  }

  /** The answer that is kept and still right; null without one. */
  find(key: string, now: Versions): Answer | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    const { tags, versions, until } = entry
    const isUnchanged = areUnchanged(tags, versions, now)
    // One who was among the first to arrive may meet an answer that was made since.
    if (this.#clock() >= until || !(isUnchanged || hasSeen(tags, versions, now))) {
      this.#entries.delete(key)
      return null
    }
    if (isUnchanged) entry.versions = now
    trackDependencies(entry.tags)
    return entry.answer
  }

  /**
   * Makes the answer, or waits for it when it is being made already. One that was begun before something was written
   * that this reader may know of is not for him; then it is made again.
   * @param arrived from when the reader came.
   * @returns null for a reader who has to be answered by himself.
   * @throws whatever `make` throws, for everybody who waits.
   */
  async make(key: string, arrived: Versions, making: ComputeOptions<Answer>): Promise<Answer | null> {
    for (;;) {
      const flight = this.#flights.get(key)
      if (flight === undefined || performance.now() - flight.began > maxWait) {
        const { outcome, tags } = await this.#begin(key, making)
        trackDependencies(tags)
        return outcome && outcome.answer
      }
      const { outcome, tags, versions } = await flight.landed
      if (outcome === null || outcome.use === 'alone') return null
      if (hasSeen(tags, versions, arrived)) {
        trackDependencies(tags)
        return outcome.answer
      }
    }
  }

  #begin(key: string, making: ComputeOptions<Answer>): Promise<Computed<Answer>> {
    const landed = this.#fly(key, making)
    const flight = { landed, began: performance.now() }
    this.#flights.set(key, flight)
    const end = (): void => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
    landed.then(end, end)
    return landed
  }

  async #fly(key: string, { make, seconds, tags: declared }: ComputeOptions<Answer>): Promise<Computed<Answer>> {
    const until = this.#clock() + seconds * 1000
    const versions = await this.#versions.now()
    const noted = new Set<string>()
    const outcome = await trackingDependencies(noted, make)
    const tags = declared === null ? noted : new Set(declared)
    if (outcome?.use === 'keep') {
      const { answer, size } = outcome
      this.#entries.set(key, { answer, size, tags, versions, until })
    }
    return { outcome, tags, versions }
  }
}
