import { LRUCache } from 'lru-cache'
import type { Outcome, ResponseCache } from '../cache/response-cache.js'
import type { Versions } from '../cache/versions.js'
import { runAsAnonymous } from '../auth/current-user.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import type { Lookup } from '../routing/table.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { ParsedRequest } from '../http/rest-request.js'
import { EncodingError } from '../http/json.js'
import type { RestResponse } from '../http/rest-response.js'
import { CacheableRequests, mayBeCached, type CacheableRequest } from './cacheable-request.js'
import type { Endpoint } from '../routing/endpoint.js'
import { allowOrigin, originOf, type SharedHeaders } from './headers.js'
import type { Pipeline } from './pipeline.js'
import { unwritable } from './unwritable.js'
import { isUnchanged, useOf, serializeResponse, type SerializedResponse } from './serialized-response.js'

export interface CachedResponsesDependencies {
  readonly cache: ResponseCache<SerializedResponse>
  readonly pipeline: Pipeline
  readonly root: () => string
  readonly cors: 'any' | readonly string[]
}

/** A URL as it was sent, with its cached response. */
interface CachedAddress {
  readonly key: string
  readonly root: string
  /** Weak, so that a response that was evicted from the cache can be collected. */
  readonly answer: WeakRef<SerializedResponse>
}

interface Question {
  readonly asked: CacheableRequest
  readonly incoming: IncomingRequest
  readonly id: string
  readonly address: string
  readonly root: string
}

/** Maximum number and length of URLs that are not parsed again. */
const maxAddresses = 2000
const maxAddressLength = 300

/** Serves public responses from memory where the route declares `cache`. */
export class CachedResponses {
  readonly #parts: CachedResponsesDependencies
  readonly #requests = new CacheableRequests()
  /** By route path and query. Valid as long as the response is cached: its arguments were valid for that response. */
  readonly #known = new LRUCache<string, CachedAddress>({ max: maxAddresses })

  constructor(parts: CachedResponsesDependencies) {
    this.#parts = parts
  }

  /**
   * Null for a request that cannot be served from the cache. A cached response is returned without a promise where the
   * change token is known at once.
   * @param lookup of the route path. @param id of the request.
   * @throws whatever a handler throws that is neither a RestError nor a rejection.
   */
  answer(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    lookup: Lookup<Endpoint>,
    id: string,
  ): OutgoingResponse | null | Promise<OutgoingResponse | null> {
    if (!mayBeCached(incoming, parsed)) return null
    // A decoded path may contain a question mark, so its length marks the beginning of the query.
    const { path } = lookup
    const address = `${path.length} ${path}?${incoming.query}`
    const root = this.#parts.root()
    const known = this.#known.get(address)
    // At most one computation: of two that fail, the rejection of the first would be unhandled.
    let now: MaybePromise<Versions> | null = null
    if (known?.root === root) {
      now = this.#parts.cache.now()
      const kept = now instanceof Promise ? null : this.#parts.cache.find(known.key, now)
      if (kept !== null && kept === known.answer.deref()) return this.#sent(kept, incoming, id)
    }
    const asked = this.#requests.read(parsed, lookup, root)
    if (asked === null) return null
    now ??= this.#parts.cache.now()
    return now instanceof Promise
      ? now.then((versions) => this.#answerAt(versions, { asked, incoming, id, address, root }))
      : this.#answerAt(now, { asked, incoming, id, address, root })
  }

  #answerAt(
    now: Versions,
    { asked, incoming, id, address, root }: Question,
  ): OutgoingResponse | null | Promise<OutgoingResponse | null> {
    const kept = this.#parts.cache.find(asked.key, now)
    if (kept !== null) {
      if (address.length <= maxAddressLength)
        this.#known.set(address, { key: asked.key, root, answer: new WeakRef(kept) })
      return this.#sent(kept, incoming, id)
    }
    return this.#made(now, asked, incoming, id)
  }

  async #made(
    now: Versions,
    asked: CacheableRequest,
    incoming: IncomingRequest,
    id: string,
  ): Promise<OutgoingResponse | null> {
    const { seconds, tags } = asked.rule
    const made = await this.#parts.cache.make(asked.key, now, { seconds, tags, make: () => this.#make(asked, id) })
    return made && this.#sent(made, incoming, id)
  }

  /** Null when the response cannot be serialized. Serving without the cache then reports the reason. */
  async #make(asked: CacheableRequest, id: string): Promise<Outcome<SerializedResponse> | null> {
    const response = await runAsAnonymous(() => this.#response(asked, id))
    const use = useOf(response)
    const seconds = use === 'keep' ? asked.rule.seconds : null
    try {
      const answer = serializeResponse(response, { root: this.#parts.root(), seconds })
      return { answer, use, size: answer.size }
    } catch (error) {
      if (error instanceof EncodingError) return null
      throw unwritable(error, response.body, asked.found.handler.name)
    }
  }

  async #response({ found, request: requestOf }: CacheableRequest, id: string): Promise<RestResponse> {
    const { pipeline } = this.#parts
    const request = requestOf(id)
    return pipeline.shape(await pipeline.respond(request, found, null), request)
  }

  #sent(answer: SerializedResponse, incoming: IncomingRequest, id: string): OutgoingResponse {
    const unchanged = isUnchanged(answer, incoming.headers['if-none-match'])
    const headers = this.#permitting(unchanged ? answer.shortHeaders : answer.headers, originOf(incoming.headers))
    const { status, body } = unchanged ? { status: 304, body: '' } : answer
    return { status, ...headers, requestId: id, body, isAscii: true }
  }

  #permitting(shared: SharedHeaders, origin: string | undefined): SharedHeaders {
    if (!origin) return shared
    const headers = [...shared.headers]
    allowOrigin(headers, origin, this.#parts.cors)
    return { headers }
  }
}
