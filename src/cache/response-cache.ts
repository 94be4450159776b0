import { LRUCache } from 'lru-cache'
import { textSize } from '../base/text-size.js'
import type { Storage } from '../database/storage.js'
import { anyDependency, trackDependencies, trackingDependencies } from './dependencies.js'
import { areUnchanged, CurrentVersions, hasSeen, versionsOfTags, type Versions } from './versions.js'

/** A computed response and its use. */
export interface ComputedResponse<Response> {
  readonly response: Response
  /** Bytes. */
  readonly size: number
  /** `keep`: cached while it is valid. `share`: for the requests that wait for it now. `alone`: for one request. */
  readonly use: 'keep' | 'share' | 'alone'
}

/** How a response is computed. */
export interface ComputeOptions<Response> {
  /** How long the response may be cached. */
  readonly seconds: number
  /** The kinds of rows on which the response depends. Null: those that `compute` reads. */
  readonly tags: readonly string[] | null
  /** @returns null when the response cannot be cached. All waiting requests get null. */
  compute(): Promise<ComputedResponse<Response> | null>
}

interface Entry<Response> {
  readonly response: Response
  readonly size: number
  readonly tags: ReadonlySet<string>
  /** The versions of its tags at a moment at which the response was valid. */
  readonly versions: Versions
  /** The last moment at which the response was found to be valid. */
  moment: number
  /** By the clock of the cache. */
  readonly expiresAt: number
}

interface CacheResult<Response> {
  readonly outcome: { readonly computed: ComputedResponse<Response> | null } | { readonly error: unknown }
  readonly tags: ReadonlySet<string>
  /** The versions from before the computation began. */
  readonly versions: Versions
}

interface InFlightComputation<Response> {
  readonly result: Promise<CacheResult<Response>>
  /** By the clock of `performance.now`. */
  readonly startedAt: number
}

/** Approximate size of an entry without its response, in bytes: its objects, and its places in the maps of the cache. */
const overhead = 1024
/** Approximate size of a kind of an entry with its version, in bytes. */
const tagOverhead = 64

/** Age in milliseconds from which no request joins a computation in flight. */
const maxWait = 10_000

/**
 * Responses by key. Each is valid until its time is over or a row of its kinds is written, by any process. A response is
 * computed once at a time. A stale response is never returned. Its memory is freed when its key is requested again or the
 * space is needed.
 */
export class ResponseCache<Response extends object> {
  readonly #entries: LRUCache<string, Entry<Response>>
  readonly #inFlight = new Map<string, InFlightComputation<Response>>()
  readonly #versions: CurrentVersions
  readonly #clock: () => number

  /** @param options.bytes for all entries together; one takes an eighth at most. `clock`: milliseconds, for durations. */
  constructor(
    storage: Pick<Storage, 'changeToken' | 'versions'>,
    { bytes, clock }: { readonly bytes: number; readonly clock: () => number },
  ) {
    const maxSize = Math.max(8, Math.floor(bytes))
    this.#entries = new LRUCache({
      maxSize,
      maxEntrySize: Math.floor(maxSize / 8),
      sizeCalculation: ({ size, versions: { byTag } }, key) =>
        size + textSize(key) + overhead + tagOverhead * byTag.size,
    })
    this.#versions = new CurrentVersions(storage)
    this.#clock = clock
  }

  /** The current versions. A reader must not get a response that is older. See `CurrentVersions.now`. */
  currentVersions(): Promise<Versions> {
    return this.#versions.now()
  }

  /** The valid cached response; null without one. @param readerVersions the versions that the reader has read. */
  find(key: string, readerVersions: Versions): Response | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    const { tags, versions, moment, expiresAt } = entry
    const isUnchanged = moment === readerVersions.moment || areUnchanged(tags, versions, readerVersions)
    // The response may have been computed after the reader read its versions. It is then newer than they require.
    if (this.#clock() >= expiresAt || !(isUnchanged || hasSeen(tags, versions, readerVersions))) {
      this.#entries.delete(key)
      return null
    }
    if (isUnchanged) entry.moment = readerVersions.moment
    trackDependencies(entry.tags)
    return entry.response
  }

  /**
   * Computes the response, or joins the computation in flight. A computation that began before a write which the reader may
   * know of is not joined: the response is computed again.
   * @param readerVersions the versions that the reader has read. It gets no older response.
   * @returns null for a reader that needs a response of its own.
   * @throws the error of `compute`, for all waiting readers that came before any write which the computation has missed.
   */
  async computeOrJoin(
    key: string,
    readerVersions: Versions,
    options: ComputeOptions<Response>,
  ): Promise<Response | null> {
    for (;;) {
      const computation = this.#inFlight.get(key)
      if (computation === undefined || performance.now() - computation.startedAt > maxWait) {
        // Another computation may have ended since the reader looked for its response.
        const response = this.find(key, readerVersions)
        if (response !== null) return response
        const { outcome, tags } = await this.#start(key, readerVersions, options)
        if ('error' in outcome) throw outcome.error
        trackDependencies(tags)
        return outcome.computed && outcome.computed.response
      }
      const { outcome, tags, versions } = await computation.result
      const isRecent = hasSeen(tags, versions, readerVersions)
      if ('error' in outcome) {
        if (isRecent) throw outcome.error
      } else if (outcome.computed === null || outcome.computed.use === 'alone') return null
      else if (isRecent) {
        trackDependencies(tags)
        return outcome.computed.response
      }
    }
  }

  /** The result never rejects. */
  #start(key: string, readerVersions: Versions, options: ComputeOptions<Response>): Promise<CacheResult<Response>> {
    const result = this.#compute(key, readerVersions, options)
    const computation = { result, startedAt: performance.now() }
    this.#inFlight.set(key, computation)
    return result.finally(() => {
      if (this.#inFlight.get(key) === computation) this.#inFlight.delete(key)
    })
  }

  async #compute(
    key: string,
    readerVersions: Versions,
    { compute, seconds, tags: declared }: ComputeOptions<Response>,
  ): Promise<CacheResult<Response>> {
    const expiresAt = this.#clock() + seconds * 1000
    let versions = readerVersions
    try {
      versions = await this.#versions.now()
      const dependencies = new Set<string>()
      const computed = await trackingDependencies(dependencies, compute)
      const tags = declared === null ? dependencies : new Set(declared)
      // A response that a write has overtaken is never valid again.
      if (computed?.use === 'keep' && areUnchanged(tags, versions, await this.#versions.now())) {
        const { response, size } = computed
        const tagVersions = versionsOfTags(versions, tags)
        this.#entries.set(key, { response, size, tags, versions: tagVersions, moment: versions.moment, expiresAt })
      }
      return { outcome: { computed }, tags, versions }
    } catch (error) {
      // Any row may be the reason of a failure.
      return { outcome: { error }, tags: new Set([anyDependency]), versions }
    }
  }
}
