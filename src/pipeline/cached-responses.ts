import { LRUCache } from 'lru-cache'
import type { ComputedResponse, ResponseCache } from '../cache/response-cache.js'
import type { Versions } from '../cache/versions.js'
import { runAsAnonymous } from '../auth/current-user.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { IncomingRequest, LimitDecision, OutgoingResponse } from '../http/exchange.js'
import type { Lookup } from '../routing/table.js'
import type { ParsedRequest } from '../http/parsed-request.js'
import { EncodingError } from '../http/json.js'
import { isRaw } from '../http/raw-body.js'
import type { RestResponse } from '../http/rest-response.js'
import { AbandonedRequestError } from './abandoned-request.js'
import { CacheableRequests, mayBeCached, type CacheableRequest } from './cacheable-request.js'
import type { Endpoint } from '../routing/endpoint.js'
import { allowOrigin, originOf, withLength, type SharedHeaders } from './headers.js'
import type { Pipeline } from './pipeline.js'
import type { RequestLimits } from './request-limits.js'
import type { RequestWork } from './request-work.js'
import { HandlerError } from './handler-error.js'
import { cancelBody } from './raw-response.js'
import { unwritable } from './unwritable.js'
import { isUnchanged, useOf, serializeResponse, type SerializedResponse } from './serialized-response.js'
import { WaitingRequests } from './waiting-requests.js'

export interface CachedResponsesDependencies {
  readonly cache: ResponseCache<SerializedResponse>
  readonly pipeline: Pipeline
  /** Null where no cached route has a limit. */
  readonly requestLimits: RequestLimits | null
  readonly work: RequestWork
  readonly root: () => string
  readonly cors: 'any' | readonly string[]
  /** Until the next scheduled record is published; infinite without one. */
  readonly secondsUntilPublication: () => Promise<number>
}

/** A URL as it was sent, with its cached response. */
interface CachedAddress {
  readonly key: string
  readonly root: string
  /** Weak, so that a response that was evicted from the cache can be collected. */
  readonly response: WeakRef<SerializedResponse>
}

/** Maximum number of the URLs that are remembered, so that they are not parsed again, and their maximum length in characters. */
const maxAddresses = 2000
const maxAddressLength = 300

/** Computes the response without the cache. */
type Uncached = () => MaybePromise<OutgoingResponse>

/** Serves public responses from memory where the route declares `cache`. */
export class CachedResponses {
  readonly #dependencies: CachedResponsesDependencies
  readonly #requests: CacheableRequests
  /** By route path and query. Valid while the response is cached, because its arguments were valid for that response. */
  readonly #addresses = new LRUCache<string, CachedAddress>({ max: maxAddresses })
  /** The requests that wait for a response which is being computed, by its key. */
  readonly #waiting = new Map<string, WaitingRequests>()
  readonly #waitingWith = new WeakMap<IncomingRequest, WaitingRequests>()

  constructor(dependencies: CachedResponsesDependencies) {
    this.#dependencies = dependencies
    this.#requests = new CacheableRequests(dependencies.pipeline, dependencies.work)
  }

  /**
   * @param lookup of the route path. @param id of the request.
   * @param uncached returns the response to a request of such a route that cannot be served from the cache.
   * @returns null for a request of another route.
   * @throws what the handler throws, unless it is an error that is a response: a `RestError`, or one such as
   *   `RecordRejectedError`.
   */
  respond(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    lookup: Lookup<Endpoint>,
    id: string,
    uncached: Uncached,
  ): Promise<OutgoingResponse> | null {
    const endpoint = lookup.match?.handler
    if (!endpoint?.cache || !mayBeCached(incoming, parsed)) return null
    const { requestLimits } = this.#dependencies
    if (requestLimits === null || !endpoint.rateLimit) return this.#answered(incoming, parsed, lookup, id, uncached)
    return this.#limited(
      requestLimits.countAnonymous(incoming, endpoint.rateLimit),
      () => this.#answered(incoming, parsed, lookup, id, () => null),
      uncached,
    )
  }

  /** A request that its limit refuses is answered without the cache. */
  async #limited(
    counting: Promise<LimitDecision>,
    answered: () => Promise<OutgoingResponse | null>,
    uncached: Uncached,
  ): Promise<OutgoingResponse> {
    const { refusal, headers } = await counting
    const outgoing = refusal === null ? await answered() : null
    if (outgoing === null) return uncached()
    return { ...outgoing, headers: [...outgoing.headers, ...headers], headerMemo: undefined }
  }

  /** Calls `uncached` itself, which saves a promise for each cached response. */
  async #answered<Other extends OutgoingResponse | null>(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    lookup: Lookup<Endpoint>,
    id: string,
    uncached: () => MaybePromise<Other>,
  ): Promise<OutgoingResponse | Other> {
    const { cache } = this.#dependencies
    // A decoded path may contain a question mark, so its length marks the beginning of the query.
    const { path } = lookup
    const address = `${path.length} ${path}?${incoming.query}`
    const root = this.#dependencies.root()
    const cachedAddress = this.#addresses.get(address)
    let versions: Versions | null = null
    if (cachedAddress?.root === root) {
      versions = await cache.currentVersions()
      const response = cache.find(cachedAddress.key, versions)
      if (response !== null && response === cachedAddress.response.deref())
        return this.#outgoing(response, incoming, id)
    }
    const reading = this.#requests.read(parsed, lookup, root)
    // A promise where the arguments have an asynchronous schema of a library. The response does not depend on the rows that
    // the schema reads.
    const isAsynchronous = reading instanceof Promise
    const request = isAsynchronous ? await reading : reading
    if (request === null) return uncached()
    // An asynchronous schema may have written rows, as may other requests while it ran. The response must not be older.
    if (versions === null || isAsynchronous) versions = await cache.currentVersions()
    const response = cache.find(request.key, versions)
    if (response === null) return (await this.#computed(request, incoming, id, versions)) ?? uncached()
    // An asynchronous schema may refuse the same URL later, so its arguments are validated each time.
    if (!isAsynchronous && address.length <= maxAddressLength)
      this.#addresses.set(address, { key: request.key, root, response: new WeakRef(response) })
    return this.#outgoing(response, incoming, id)
  }

  async #computed(
    request: CacheableRequest,
    incoming: IncomingRequest,
    id: string,
    versions: Versions,
  ): Promise<OutgoingResponse | null> {
    const { key, rule } = request
    const seconds = await this.#lifetime(rule.seconds)
    for (;;) {
      const waiting = this.#waitingFor(key)
      const compute = () => this.#compute(request, id, seconds, waiting)
      waiting.add(incoming)
      this.#waitingWith.set(incoming, waiting)
      try {
        const options = { seconds, tags: rule.tags, compute }
        const response = await this.#dependencies.cache.computeOrJoin(key, versions, options)
        return response && this.#outgoing(response, incoming, id)
      } catch (error) {
        // The computation was begun for other requests, and aborted when all of them had left.
        if (!(error instanceof AbandonedRequestError) || waiting.hasLeft(incoming)) throw error
      } finally {
        waiting.delete(incoming)
        if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key)
      }
    }
  }

  /** The requests that wait for the response of a key. Those that have all left are replaced: their computation is aborted. */
  #waitingFor(key: string): WaitingRequests {
    const existing = this.#waiting.get(key)
    if (existing !== undefined && !existing.destroyed) return existing
    const waiting = new WaitingRequests()
    this.#waiting.set(key, waiting)
    return waiting
  }

  /** The time limit of a request is over. When no other request waits for the same response, its computation is aborted. */
  timedOut(incoming: IncomingRequest, reason: DOMException): void {
    this.#waitingWith.get(incoming)?.timedOut(incoming, reason)
  }

  /**
   * For how many seconds a response is cached here. A client that gets it in the last second may cache it for as long again.
   * Both times together end before the next scheduled record is published.
   */
  async #lifetime(seconds: number): Promise<number> {
    return Math.min(seconds, Math.floor((await this.#dependencies.secondsUntilPublication()) / 2))
  }

  /** Null when the response cannot be serialized. Serving without the cache then reports the reason. */
  async #compute(
    request: CacheableRequest,
    id: string,
    lifetime: number,
    waiting: WaitingRequests,
  ): Promise<ComputedResponse<SerializedResponse> | null> {
    const response = await runAsAnonymous(() => this.#handled(request, id, waiting))
    const use = useOf(response)
    const seconds = use === 'keep' ? lifetime : null
    try {
      const serialized = serializeResponse(response, { root: this.#dependencies.root(), seconds })
      return { response: serialized, use, size: serialized.size }
    } catch (error) {
      const isStream = isRaw(response.body)
      cancelBody(response)
      if (error instanceof EncodingError) return null
      const { name } = request.match.handler
      if (isStream) throw new HandlerError(`${name}: ${(error as Error).message}`, { cause: error })
      throw unwritable(error, response.body, name)
    }
  }

  /** The steps from authorize to embed. The arguments are validated already. */
  async #handled(
    { match, request: requestOf }: CacheableRequest,
    id: string,
    waiting: WaitingRequests,
  ): Promise<RestResponse> {
    const { pipeline, work } = this.#dependencies
    const request = requestOf(id, waiting)
    waiting.beginComputing(request)
    try {
      return await pipeline.respond(request, match, null)
    } catch (error) {
      throw waiting.destroyed && request.isAbortError(error) ? new AbandonedRequestError(error) : error
    } finally {
      waiting.endComputing(request)
      // Several requests may wait for this response, and others get it later.
      request.ended({ runDeferred: (_, works) => work.start(id, works) })
    }
  }

  #outgoing(response: SerializedResponse, incoming: IncomingRequest, id: string): OutgoingResponse {
    const unchanged = isUnchanged(response, incoming.headers['if-none-match'])
    const headers = this.#withOrigin(
      unchanged ? response.notModifiedHeaders : response.headers,
      originOf(incoming.headers),
    )
    const { status, body, isAscii } = unchanged ? { status: 304, body: '', isAscii: true } : response
    const size = incoming.method === 'HEAD' && !isAscii && body.length > 0 ? Buffer.byteLength(body) : null
    return { status, ...(size === null ? headers : withLength(headers.headers, size)), requestId: id, body, isAscii }
  }

  #withOrigin(shared: SharedHeaders, origin: string | undefined): SharedHeaders {
    if (!origin) return shared
    const headers = [...shared.headers]
    allowOrigin(headers, origin, this.#dependencies.cors)
    return { headers }
  }
}
