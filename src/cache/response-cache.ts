import { LRUCache } from 'lru-cache'
import type { Storage } from '../database/storage.js'
import { trackDependencies, trackingDependencies } from './dependencies.js'
import { areUnchanged, CurrentVersions, hasSeen, type Versions } from './versions.js'

/** A computed response and its use. */
export interface Outcome<Answer> {
  readonly answer: Answer
  /** Bytes. */
  readonly size: number
  /** `keep`: cached while it is valid. `share`: for the requests that wait for it now. `alone`: for one request. */
  readonly use: 'keep' | 'share' | 'alone'
}

/** How a response is computed. */
export interface ComputeOptions<Answer> {
  readonly seconds: number
  /** Null for what `make` asks of the database. */
  readonly tags: readonly string[] | null
  /** @returns null when the response cannot be cached. All waiting requests get null. */
  make(): Promise<Outcome<Answer> | null>
}

interface Entry<Answer> {
  readonly answer: Answer
  readonly size: number
  readonly tags: ReadonlySet<string>
  /** A moment at which the response was valid. */
  versions: Versions
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Computed<Answer> {
  readonly outcome: Outcome<Answer> | null
  readonly tags: ReadonlySet<string>
  /** The versions from before the computation began. */
  readonly versions: Versions
}

interface InFlightComputation<Answer> {
  readonly landed: Promise<Computed<Answer>>
  /** By the clock of `performance.now`. */
  readonly began: number
}

/** Approximate size of an entry without its response, in bytes: tags, versions, the entries of the maps. */
const overhead = 1024

/** Age in milliseconds from which no request joins a computation in flight. */
const maxWait = 10_000

/**
 * Responses by key. Each is valid until its time is over or a row of its kinds is written, by any process. A response is
 * computed once at a time. A stale response is never returned. Its memory is freed when its key is requested again or the
 * space is needed.
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

  /** The current versions. A reader must not get a response that is older. See `CurrentVersions.now`. */
  now(): Versions | Promise<Versions> {
    return this.#versions.now()
  }

  /** The valid cached response; null without one. */
  find(key: string, now: Versions): Answer | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    const { tags, versions, until } = entry
    const isUnchanged = areUnchanged(tags, versions, now)
    // A reader may find a response that was computed after its own arrival.
    if (this.#clock() >= until || !(isUnchanged || hasSeen(tags, versions, now))) {
      this.#entries.delete(key)
      return null
    }
    if (isUnchanged) entry.versions = now
    trackDependencies(entry.tags)
    return entry.answer
  }

  /**
   * Computes the response, or joins the computation in flight. A computation that began before a write which the reader may
   * know of is not joined: the response is computed again.
   * @param arrived the versions at the arrival of the reader.
   * @returns null for a reader that needs a response of its own.
   * @throws the error of `make`, for all waiting readers.
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
