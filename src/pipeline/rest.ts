import type { Authenticator, CredentialSource, Identity } from '../auth/authenticator.js'
import { isInContext, runAs, runAsAnonymous, type CallerContext } from '../auth/current-user.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { runForClient, type ClientWork } from '../base/client-presence.js'
import type { Caller } from '../http/caller.js'
import { EventStream, eventStreamFields } from '../http/event-stream.js'
import { errorResponse } from '../http/error-response.js'
import { RestError } from '../http/rest-error.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import type { ReceivedForm } from '../http/form-reader.js'
import { parseCookies } from '../http/headers.js'
import { type DeferredRunner, HttpRequest } from '../http/http-request.js'
import { type ParsedRequest } from '../http/parsed-request.js'
import type { DeferredWork } from '../http/request-context.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import { Lookup } from '../routing/table.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { AbandonedRequestError } from './abandoned-request.js'
import type { EventStreams } from './event-streams.js'
import { jsonpName } from './jsonp.js'
import type { Pipeline } from './pipeline.js'
import type { CachedResponses } from './cached-responses.js'
import type { PendingRequest } from './pending-request.js'
import type { RequestWork } from './request-work.js'
import type { ResponseWriter } from './response-writer.js'
import type { TimeLimits } from './time-limits.js'
import { hasLeft } from './waiting-requests.js'

export interface RestDependencies {
  readonly pipeline: Pipeline
  readonly writer: ResponseWriter
  readonly work: RequestWork
  readonly limits: TimeLimits
  readonly eventStreams: EventStreams
  readonly log: Log
  readonly authenticator: () => Authenticator
  readonly contextOf: (caller: Caller) => CallerContext
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  /** Left out or null where no route declares `cache`. */
  readonly cached?: CachedResponses | null
}

type RespondTo = (outgoing: OutgoingResponse, pending: PendingRequest) => void

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
  /** Null until the sender is identified, and for a response from the cache. */
  request: HttpRequest | null
}

/**
 * The steps of a request around the pipeline: identify before it, envelope and serialize after it. A cached response
 * needs none of them.
 */
// Rules: docs/wire.md#the-order-of-a-request.
export class RestService implements DeferredRunner {
  readonly #dependencies: RestDependencies

  constructor(dependencies: RestDependencies) {
    this.#dependencies = dependencies
  }

  /** The endpoint that serves a method of a route path; null when none does. */
  endpointOf(path: string, method: string): Endpoint | null {
    return this.#dependencies.pipeline.table.match(path, method)?.handler ?? null
  }

  /** Adds the CORS headers of the route of a request that was not carried out. */
  addCrossOrigin(response: RestResponse, path: string, method: string): void {
    const { pipeline } = this.#dependencies
    const match = pipeline.table.match(path, method)
    if (match !== null) pipeline.addCrossOrigin(response, match.route)
  }

  /**
   * @param path the route path, `/shop/v1/products/5`.
   * @param respond called with a 503 when the time limit of the request is over before the promise that this returns settles.
   *   The work goes on, and what it returns is dropped.
   */
  respond(
    pending: PendingRequest,
    parsed: ParsedRequest,
    path: string,
    respond: RespondTo,
  ): MaybePromise<OutgoingResponse> {
    const { pipeline, writer, cached, limits } = this.#dependencies
    const { incoming, requestId, clientWork } = pending
    const jsonp = jsonpName(parsed.query)
    if (jsonp && !jsonp.valid) return writer.refusedJsonp(incoming, requestId)
    const lookup = new Lookup(pipeline.table, path, parsed.method)
    const exchange: RestExchange = {
      incoming,
      parsed,
      lookup,
      jsonp: jsonp?.name ?? null,
      requestId,
      clientWork,
      request: null,
    }
    const response =
      cached?.respond(incoming, parsed, lookup, requestId, () => this.#identifyAndRun(exchange)) ??
      this.#identifyAndRun(exchange)
    if (response instanceof Promise)
      pending.timeLimit = limits.begin(lookup.match?.handler.timeout ?? null, (milliseconds) =>
        respond(this.#timedOut(exchange, response, milliseconds / 1000), pending),
      )
    return response
  }

  /** The response to a request whose time is over. Its work goes on and is held. */
  #timedOut(exchange: RestExchange, response: Promise<OutgoingResponse>, seconds: number): OutgoingResponse {
    const { incoming, requestId, request, lookup } = exchange
    const { work, log, writer, pipeline, cached } = this.#dependencies
    const reason = new DOMException(`The time limit of ${seconds} s is over.`, 'TimeoutError')
    if (request === null) cached?.timedOut(incoming, reason)
    else request.abort(reason)
    const { method, path, form } = incoming
    const handler = lookup.match?.handler.name ?? null
    logError(log, 'request-timed-out', { requestId, method, path, handler, seconds })
    form?.retain()
    const settled = response.finally(() => form?.release())
    work.hold(
      settled.then(
        ({ stream }) => stream?.cancel(),
        (err: unknown) => {
          // A handler that heeds its signal ends with the reason, or with an AbortError of what it waited for.
          const isAbort = err === reason || exchange.request?.isAbortError(err) === true
          if (!isAbort && !(err instanceof AbandonedRequestError))
            logError(log, 'request-failed', { err, requestId, method, path })
        },
      ),
    )
    const error = new RestError('rest_timeout', `The request took longer than ${seconds} s.`, { status: 503 })
    const refusal = errorResponse(error)
    if (lookup.match) pipeline.addCrossOrigin(refusal, lookup.match.route)
    return writer.unavailable(incoming, requestId, refusal)
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
      context: this.#dependencies.work,
    })
  }

  /** Runs `work` so that `currentUser` and `currentUserCan` refer to this caller. */
  onBehalfOf<T>(caller: Caller, work: () => T): T {
    return caller.id === 0 ? runAsAnonymous(work) : runAs(this.#dependencies.contextOf(caller), work)
  }

  /** As `onBehalfOf`, for a request that may write. */
  #writeOnBehalfOf<T>(caller: Caller, clientWork: ClientWork, work: () => MaybePromise<T>): MaybePromise<T> {
    if (caller.id === 0) return runForClient(clientWork, () => runAsAnonymous(work))
    return runAs({ ...this.#dependencies.contextOf(caller), clientWork }, work)
  }

  #identifyAndRun(exchange: RestExchange): MaybePromise<OutgoingResponse> {
    const identity = this.identify(exchange.incoming, exchange.parsed)
    return identity instanceof Promise
      ? identity.then((settled) => this.#runFor(exchange, settled))
      : this.#runFor(exchange, identity)
  }

  #runFor(exchange: RestExchange, identity: Identity): MaybePromise<OutgoingResponse> {
    const { incoming, parsed, lookup, requestId } = exchange
    const request = this.requestOf(incoming, parsed, lookup.path, identity, requestId)
    exchange.request = request
    try {
      const isAnonymousRead = identity.problem === null && identity.caller.id === 0 && exchange.clientWork === null
      // The most frequent case, an anonymous request that reads, outside other contexts, takes the fewest frames.
      const response =
        isAnonymousRead && request.method !== 'OPTIONS' && !isInContext()
          ? this.#dependencies.pipeline.run(request, lookup.match)
          : this.#responseFor(exchange, request, identity)
      return response instanceof Promise
        ? response.then(
            (settled) => this.#write(exchange, request, identity, settled),
            (error: unknown) => {
              request.ended(this)
              throw hasLeft(incoming) && request.isAbortError(error) ? new AbandonedRequestError(error) : error
            },
          )
        : this.#write(exchange, request, identity, response)
    } catch (error) {
      request.ended(this)
      throw error
    }
  }

  #responseFor(exchange: RestExchange, request: HttpRequest, identity: Identity): MaybePromise<RestResponse> {
    const { lookup, clientWork } = exchange
    const { pipeline } = this.#dependencies
    const { caller, problem, retryAfter } = identity
    if (problem) {
      const response = errorResponse(problem)
      if (lookup.match) pipeline.addCrossOrigin(response, lookup.match.route)
      return retryAfter === null ? response : response.header('Retry-After', String(retryAfter))
    }
    if (request.method === 'OPTIONS') return this.onBehalfOf(caller, () => pipeline.describe(request))
    const run = (): MaybePromise<RestResponse> => pipeline.run(request, lookup.match)
    return clientWork === null ? this.onBehalfOf(caller, run) : this.#writeOnBehalfOf(caller, clientWork, run)
  }

  #write(exchange: RestExchange, request: HttpRequest, identity: Identity, response: RestResponse): OutgoingResponse {
    let outgoing: OutgoingResponse | null = null
    try {
      if (exchange.lookup.match?.handler.isEventStream) this.#openEvents(exchange, request, identity, response)
      return (outgoing = this.#dependencies.writer.write(request, identity, response, exchange.jsonp))
    } finally {
      if (outgoing?.stream === undefined) request.ended(this)
      else outgoing.stream.whenEnded(() => request.ended(this))
    }
  }

  /** Opens an event stream: it gets comments, and ends when its caller loses access. @throws UnavailableError when too many are open. */
  #openEvents(
    { incoming, parsed }: RestExchange,
    request: HttpRequest,
    { caller: { id } }: Identity,
    response: RestResponse,
  ): void {
    const { body } = response
    if (!(body instanceof EventStream)) return
    for (const [name, value] of eventStreamFields) response.header(name, value)
    this.#dependencies.eventStreams.open(body, request, async () => {
      if (id === 0) return true
      const { problem, caller } = await this.identify(incoming, parsed)
      return problem === null && caller.id === id
    })
  }

  /** Starts the deferred functions of a request, as its user. Called when its response is complete. */
  runDeferred(request: Pick<HttpRequest, 'id' | 'user' | 'incoming'>, works: readonly DeferredWork[]): void {
    const { form } = request.incoming
    const asUser = works.map((work) => {
      const run = (): unknown => this.onBehalfOf(request.user, work)
      return form === undefined ? run : withForm(form, run)
    })
    this.#dependencies.work.start(request.id, asUser)
  }
}

/** A function that does the work and keeps the files of the form until the work has ended. */
function withForm(form: ReceivedForm, work: () => unknown): () => Promise<unknown> {
  form.retain()
  return async () => {
    try {
      return await work()
    } finally {
      form.release()
    }
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
