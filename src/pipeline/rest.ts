import type { Authenticator, CredentialSource, Identity } from '../auth/authenticator.js'
import { isInContext, runAs, runAsAnonymous, type CallerContext } from '../auth/current-user.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { runForClient, type ClientWork } from '../base/client-presence.js'
import type { Caller } from '../http/caller.js'
import { errorResponse } from '../http/error-response.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import { parseCookies } from '../http/headers.js'
import { HttpRequest, type ParsedRequest } from '../http/rest-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import { Lookup } from '../routing/table.js'
import { jsonpName } from './jsonp.js'
import type { Pipeline } from './pipeline.js'
import type { CachedResponses } from './response-caching.js'
import type { ResponseWriter } from './response-writer.js'

export interface RestDependencies {
  readonly pipeline: Pipeline
  readonly writer: ResponseWriter
  readonly authenticator: () => Authenticator
  readonly contextOf: (caller: Caller) => CallerContext
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  /** Left out or null where no route declares `cache`. */
  readonly cached?: CachedResponses | null
}

/** A request whose address and form are parsed. */
interface RestExchange {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly lookup: Lookup<Endpoint>
  /** Name of the JSONP callback; null for plain JSON. */
  readonly jsonp: string | null
  readonly requestId: string
  /** Null for a request that reads. */
  readonly clientWork: ClientWork | null
}

/**
 * The steps of a request around the pipeline: identify before it, envelope and serialize after it. A cached response
 * needs none of them.
 */
// Rules: docs/wire.md#the-order-of-a-request.
export class RestService {
  readonly #dependencies: RestDependencies

  constructor(dependencies: RestDependencies) {
    this.#dependencies = dependencies
  }

  /** The endpoint that serves a method of a route path; null when none does. */
  endpointOf(path: string, method: string): Endpoint | null {
    return this.#dependencies.pipeline.table.match(path, method)?.handler ?? null
  }

  /**
   * @param path the route path, `/shop/v1/products/5`.
   * @param requestId for the log and the response.
   * @param clientWork of a request that may write; null for one that reads.
   */
  respond(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    path: string,
    requestId: string,
    clientWork: ClientWork | null,
  ): MaybePromise<OutgoingResponse> {
    const { pipeline, writer, cached } = this.#dependencies
    const jsonp = jsonpName(parsed.query)
    if (jsonp && !jsonp.valid) return writer.refusedJsonp(incoming, requestId)
    const lookup = new Lookup(pipeline.table, path, parsed.method)
    const exchange: RestExchange = { incoming, parsed, lookup, jsonp: jsonp?.name ?? null, requestId, clientWork }
    const response = cached?.respond(incoming, parsed, lookup, requestId) ?? null
    if (response instanceof Promise) return response.then((settled) => settled ?? this.#identified(exchange))
    return response ?? this.#identified(exchange)
  }

  /** Identifies the sender of a request. */
  identify(incoming: IncomingRequest, parsed: ParsedRequest): MaybePromise<Identity> {
    return this.#dependencies.authenticator().identify(new SentCredentials(incoming, parsed))
  }

  /** The request as its handler sees it. @param path the route path. */
  requestOf(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    path: string,
    { caller: user, applicationPassword, sessionToken }: Identity,
    id: string,
  ): HttpRequest {
    return new HttpRequest({
      incoming,
      parsed,
      route: path,
      user,
      root: this.#dependencies.root(),
      applicationPassword,
      sessionToken,
      id,
    })
  }

  /** Runs `work` so that `currentUser` and `currentUserCan` refer to this caller. */
  onBehalfOf<T>(caller: Caller, work: () => T): T {
    return caller.id === 0 ? runAsAnonymous(work) : runAs(this.#dependencies.contextOf(caller), work)
  }

  /** The same for a request that may write. */
  #writing<T>(caller: Caller, clientWork: ClientWork, work: () => MaybePromise<T>): MaybePromise<T> {
    if (caller.id === 0) return runForClient(clientWork, () => runAsAnonymous(work))
    return runAs({ ...this.#dependencies.contextOf(caller), clientWork }, work)
  }

  #identified(exchange: RestExchange): MaybePromise<OutgoingResponse> {
    const identity = this.identify(exchange.incoming, exchange.parsed)
    return identity instanceof Promise
      ? identity.then((settled) => this.#piped(exchange, settled))
      : this.#piped(exchange, identity)
  }

  #piped(exchange: RestExchange, identity: Identity): MaybePromise<OutgoingResponse> {
    const { incoming, parsed, lookup, requestId, jsonp, clientWork } = exchange
    const { pipeline, writer } = this.#dependencies
    const { caller, problem, retryAfter } = identity
    const request = this.requestOf(incoming, parsed, lookup.path, identity, requestId)
    let response: MaybePromise<RestResponse>
    if (problem) {
      response = errorResponse(problem)
      if (retryAfter !== null) response.header('Retry-After', String(retryAfter))
    } else if (request.method === 'OPTIONS') response = this.onBehalfOf(caller, () => pipeline.describe(request))
    else if (clientWork !== null)
      response = this.#writing(caller, clientWork, () => pipeline.run(request, lookup.match))
    // The most frequent case, an anonymous request outside other contexts, takes the fewest frames.
    else if (caller.id === 0 && !isInContext()) response = pipeline.run(request, lookup.match)
    else response = this.onBehalfOf(caller, () => pipeline.run(request, lookup.match))
    return response instanceof Promise
      ? response.then((settled) => writer.write(request, identity, settled, jsonp))
      : writer.write(request, identity, response, jsonp)
  }
}

/** The credentials of a request. Form and cookies are decoded when they are read, because most requests have neither. */
class SentCredentials implements CredentialSource {
  readonly method: string
  readonly headers: IncomingRequest['headers']
  readonly address: string
  readonly secure: boolean
  readonly local: boolean
  readonly query: ParsedRequest['query']
  readonly #parsed: ParsedRequest

  constructor({ method, headers, address, secure, local }: IncomingRequest, parsed: ParsedRequest) {
    this.method = method
    this.headers = headers
    this.address = address
    this.secure = secure
    this.local = local
    this.query = parsed.query
    this.#parsed = parsed
  }

  get form() {
    return this.#parsed.posted
  }

  get cookies() {
    return parseCookies(this.headers['cookie'])
  }
}
