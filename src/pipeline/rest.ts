import type { Authenticator, CredentialSource, Identity } from '../auth/authenticator.js'
import { routeDescription } from '../documents/describe.js'
import { RestError } from '../http/rest-error.js'
import { runAs, runAsAnonymous, type CallerContext } from '../auth/current-user.js'
import type { Caller } from '../http/caller.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import { parseCookies } from '../http/headers.js'
import { HttpRequest, type ParsedRequest } from '../http/rest-request.js'
import { errorBody, errorResponse, faultBody } from '../http/error-response.js'
import { EncodingError, toJson } from '../http/json.js'
import { RestResponse } from '../http/rest-response.js'
import { Lookup } from '../routing/table.js'
import { secondsToWait } from '../http/seconds-to-wait.js'
import type { CachedResponses } from './response-caching.js'
import type { Dispatcher } from './dispatch.js'
import type { Endpoint } from '../routing/endpoint.js'
import { withEmbedded } from './embed.js'
import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import { ResponseHeaders, responseHeaders, jsonpFailureHeaders, noCacheHeaders, originOf } from './headers.js'
import { jsonpName } from './jsonp.js'
import { isPlain, type LinkWriter } from './links.js'
import type { Log } from '../log/log.js'
import { unwritable, unwritablePlace } from './unwritable.js'

export interface RestDependencies {
  readonly dispatcher: Dispatcher
  readonly authenticator: () => Authenticator
  readonly contextOf: (caller: Caller) => CallerContext
  readonly links: LinkWriter
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  readonly cors: 'any' | readonly string[]
  readonly log: Log
  /** Left out or null where no route declares `cache`. */
  readonly cached?: CachedResponses | null
}

/** What is written around the body of an answer. */
interface Envelope {
  /** Name of the callback; null for plain JSON. */
  readonly jsonp: string | null
  readonly requestId: string
}

/** The order of a REST request around its route: who calls, in what envelope, as which bytes. */
// The steps: docs/wire.md#the-order-of-a-request.
export class RestService {
  readonly #parts: RestDependencies
  readonly #headers: ResponseHeaders

  constructor(parts: RestDependencies) {
    this.#parts = parts
    this.#headers = new ResponseHeaders(parts.cors)
  }

  /**
   * @param path the route path, `/shop/v1/products/5`.
   * @param requestId for the log and the answer.
   */
  respond(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    path: string,
    requestId: string,
  ): MaybePromise<OutgoingResponse> {
    const jsonp = jsonpName(parsed.query)
    if (jsonp && !jsonp.valid) return this.#refusedJsonp(incoming, requestId)
    const lookup = new Lookup(this.#parts.dispatcher.table, path, parsed.method)
    const kept = this.#parts.cached?.answer(incoming, parsed, lookup, requestId) ?? null
    const envelope = { jsonp: jsonp?.name ?? null, requestId }
    return mapMaybePromise(kept, (answer) => answer ?? this.#respondAnew(incoming, parsed, lookup, envelope))
  }

  #respondAnew(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    lookup: Lookup<Endpoint>,
    envelope: Envelope,
  ): MaybePromise<OutgoingResponse> {
    return mapMaybePromise(this.identify(incoming, parsed), (identity) => {
      const request = this.requestOf(incoming, parsed, lookup.path, identity, envelope.requestId)
      return mapMaybePromise(this.#answer(request, identity, lookup), (response) =>
        this.#written(request, identity, response, envelope),
      )
    })
  }

  /**
   * What a caller gets when something broke: no detail, only the id under which the log has it. A database
   * that cannot be asked at the moment is a 503, after which a client may try again.
   */
  fault(incoming: IncomingRequest, requestId: string, error: unknown): OutgoingResponse {
    const headers = responseHeaders({
      root: this.#parts.root(),
      jsonp: false,
      nonce: null,
      own: null,
      cookies: [],
    }).filter(([name]) => !name.startsWith('Access-Control-'))
    noCacheHeaders(headers)
    const wait = secondsToWait(error)
    if (wait !== null) headers.push(['Retry-After', String(wait)])
    const body = wait === null ? faultBody() : errorBody(unavailable())
    return {
      status: wait === null ? 500 : 503,
      headers,
      requestId,
      body: incoming.method === 'HEAD' ? '' : toJson(body),
    }
  }

  /** The request as its handler will see it. @param path the route path. */
  requestOf(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    path: string,
    { caller: user, applicationPassword }: Identity,
    id: string,
  ): HttpRequest {
    return new HttpRequest({ incoming, parsed, route: path, user, root: this.#parts.root(), applicationPassword, id })
  }

  /** Who sends a request. */
  identify(incoming: IncomingRequest, parsed: ParsedRequest): MaybePromise<Identity> {
    return this.#parts.authenticator().identify(new SentCredentials(incoming, parsed))
  }

  #answer(request: HttpRequest, identity: Identity, lookup: Lookup<Endpoint>): MaybePromise<RestResponse> {
    if (identity.problem) {
      const refused = errorResponse(identity.problem)
      return identity.retryAfter === null ? refused : refused.header('Retry-After', String(identity.retryAfter))
    }
    return this.onBehalfOf(identity.caller, () =>
      request.method === 'OPTIONS' ? this.#help(request) : this.#dispatched(request, lookup),
    )
  }

  /** Runs `work` so that `currentUser` and `currentUserCan` speak of this caller. */
  onBehalfOf<T>(caller: Caller, work: () => T): T {
    return caller.id === 0 ? runAsAnonymous(work) : runAs(this.#parts.contextOf(caller), work)
  }

  #dispatched(request: HttpRequest, lookup: Lookup<Endpoint>): MaybePromise<RestResponse> {
    const answer = this.#parts.dispatcher.answer(request, lookup.found)
    return mapMaybePromise(answer, (response) => this.#finished(request, response))
  }

  /** An unknown path is answered with an empty list, not with an error; a hidden route with nothing. */
  // Rules: docs/wire.md#options.
  async #help(request: HttpRequest): Promise<RestResponse> {
    const { dispatcher, root } = this.#parts
    const found = dispatcher.table.matchAny(request.route)
    if (!found) return new RestResponse([])
    request.matched(found.params, {})
    const response = new RestResponse(routeDescription(found.route, root()))
    const allow = await dispatcher.allowedMethods(request, found.route)
    return this.#finished(request, allow === '' ? response : response.header('Allow', allow))
  }

  /** What the query asks to be left out, and links and what they lead to merged into the body. */
  #finished(request: HttpRequest, response: RestResponse): MaybePromise<RestResponse> {
    const embeds = request.parsed.query['_embed']
    return embeds === undefined && isPlain(response, request) ? response : this.#linked(request, response, embeds)
  }

  async #linked(request: HttpRequest, response: RestResponse, embeds: unknown): Promise<RestResponse> {
    const body = await this.#parts.links.bodyOf(response, request)
    const whole = embeds === undefined ? body : await withEmbedded(body, embeds, request, this.#parts)
    return response.withBody(whole)
  }

  #written(
    request: HttpRequest,
    identity: Identity,
    response: RestResponse,
    { jsonp, requestId }: Envelope,
  ): OutgoingResponse {
    const { incoming, parsed } = request
    const enveloped = '_envelope' in parsed.query
    const ofSomebody = identity.caller.id !== 0 || identity.loggedInCookie
    const refusedNonce = identity.problem?.code === 'rest_cookie_invalid_nonce'
    const headers = this.#headers.of({
      root: this.#parts.root(),
      jsonp: jsonp !== null,
      nonce: identity.nonce,
      own: enveloped ? null : response.headers,
      cookies: response.cookies,
      uncached: ofSomebody || refusedNonce || (parsed.overridden && response.status >= 400),
      varies: incoming.method === 'GET' && !ofSomebody,
      origin: originOf(incoming.headers),
    })
    const status = enveloped ? 200 : response.status
    if (incoming.method === 'HEAD' || request.method === 'HEAD') return { status, headers, requestId, body: '' }
    const body = enveloped ? envelopeOf(response) : response.status === 204 ? null : response.body
    if (body === null || body === undefined) return { status, headers, requestId, body: '' }
    const wrapped = (json: string) => (jsonp === null ? json : `/**/${jsonp}(${json})`)
    try {
      const pretty = request.has_param('_pretty')
      return { status, headers, requestId, body: wrapped(toJson(body, { pretty })), isAscii: true }
    } catch (error) {
      const handler = this.#parts.dispatcher.table.match(request.route, request.method)?.handler.name ?? null
      if (!(error instanceof EncodingError)) throw unwritable(error, response.body, handler ?? request.route)
      const fields = { err: error, requestId, route: request.route, handler, at: unwritablePlace(response.body) }
      this.#parts.log.error(fields, 'an answer cannot be written as JSON')
      const problem = new RestError('rest_encode_error', error.message, { status: 500 })
      return { status: 500, headers, requestId, body: wrapped(toJson(errorBody(problem))) }
    }
  }

  /** Answered before any other header is queued. */
  // Rules: docs/wire.md#_jsonp.
  #refusedJsonp(incoming: IncomingRequest, requestId: string): OutgoingResponse {
    const body = toJson({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' })
    return {
      status: 400,
      headers: jsonpFailureHeaders(this.#parts.root()),
      requestId,
      body: incoming.method === 'HEAD' ? '' : body,
    }
  }
}

/** An answer as a body: only the response's own headers go inside. */
// Rules: docs/wire.md#_envelope.
export function envelopeOf(response: RestResponse): Record<string, unknown> {
  return {
    body: response.status === 204 ? null : response.body,
    status: response.status,
    headers: response.headers.size > 0 ? Object.fromEntries(response.headers) : [],
  }
}

function unavailable(): RestError {
  return new RestError('service_unavailable', 'The service is not available at the moment. Try again later.', {
    status: 503,
  })
}

/** What of a request may identify its caller. Form and cookies are decoded when asked for: most requests have neither. */
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
