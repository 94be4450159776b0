import { decide, isVerdict } from '../auth/decision.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { isThenable } from '../base/thenable.js'
import { routeHelp } from '../documents/describe.js'
import { errorResponse } from '../http/error-response.js'
import { restErrorOf } from '../http/rejected-error.js'
import { tooManyFiles, defaultMaxFiles } from '../http/multipart.js'
import { RestError } from '../http/rest-error.js'
import type { LimitDecision } from '../http/exchange.js'
import type { HttpRequest } from '../http/http-request.js'
import { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Decisions } from '../routing/permission.js'
import type { HandlerMatch, Route, RouteTable } from '../routing/table.js'
import type { FailureReports } from './failure-reports.js'
import { AllowedMethods } from './allowed-methods.js'
import { authorize } from './authorize.js'
import type { DeclaredResponses } from './declared-responses.js'
import { addCrossOriginHeaders, crossOriginRoutes, type CrossOriginRoutes } from './cross-origin-routes.js'
import { handlerResponse, settledResponse } from './handler-response.js'
import type { Idempotency } from './idempotency.js'
import { ignoreFailuresIn } from './raw-response.js'
import { withLimitHeaders, type RequestLimits } from './request-limits.js'
import { shape } from './shape.js'

export interface PipelineOptions {
  readonly table: RouteTable<Endpoint>
  /** The URL of all routes: `https://shop.example/wp-json/`. */
  readonly root: () => string
  readonly failures: FailureReports
  readonly declaredResponses: DeclaredResponses
  readonly requestLimits: RequestLimits
  readonly idempotency: Idempotency
  /**
   * The number of writes to the database that this process has begun. A handler that raises it may have changed
   * verdicts.
   */
  readonly writes: () => number
  /** Called when a permission callback returns neither a boolean nor a `RestError`. The request is refused. */
  readonly onInvalidVerdict: (endpoint: Endpoint, verdict: unknown) => void
  /** Called for an error response with a status from 500 on, except 501. */
  readonly onFailure: (error: RestError, request: HttpRequest) => void
}

/**
 * Runs the steps of a REST request in their order:
 *
 *     identify → match → limit → parse JSON → validate → authorize → idempotency → around → handle → responses
 *       → Allow → _fields → links → embed → envelope → serialize
 *
 * The steps before the match and after embed are in other classes: `RestService` identifies the caller,
 * `ResponseWriter` wraps the response in an envelope and serializes it. The same steps answer requests of clients,
 * items of a batch, embedded links, requests whose response is cached, and `explain`. The steps that depend on a
 * declaration are functions of its endpoint, compiled at the start: `arguments.check` validates, `permission.authorize`
 * returns the verdict about the caller, and `handle` calls the handler, within the functions of `around`.
 */
// Rules: docs/wire.md#the-order-of-a-request.
export class Pipeline {
  readonly table: RouteTable<Endpoint>
  readonly #options: PipelineOptions
  readonly #allowed = new AllowedMethods()
  /** Computed at the first request, when the table is complete. */
  #crossOrigin: CrossOriginRoutes | null = null

  constructor(options: PipelineOptions) {
    this.table = options.table
    this.#options = options
  }

  /**
   * All steps of this class.
   * @param match the route and handler for the request; null when no route matches.
   * @param isLimited false leaves out the step limit.
   */
  run(request: HttpRequest, match: HandlerMatch<Endpoint> | null, isLimited = true): MaybePromise<RestResponse> {
    if (match === null) return this.#shape(errorResponse(noRoute()), request)
    this.bind(request, match)
    if (isLimited && match.handler.rateLimit) return this.#runLimited(request, match)
    const problem = this.validate(request, match)
    if (problem instanceof Promise) return this.#runValidated(request, match, problem)
    return this.respond(request, match, problem && errorResponse(problem))
  }

  /** The steps after an asynchronous validation: a schema of a library returned a promise. */
  async #runValidated(
    request: HttpRequest,
    match: HandlerMatch<Endpoint>,
    problem: Promise<RestError | null>,
  ): Promise<RestResponse> {
    return this.respond(request, match, asResponse(await problem))
  }

  async #runLimited(request: HttpRequest, match: HandlerMatch<Endpoint>): Promise<RestResponse> {
    this.bind(request, match)
    const limited = await this.limit(request, match)
    const response = limited?.refusal
      ? await this.refused(errorResponse(limited.refusal), request, match)
      : await this.respond(request, match, asResponse(await this.validate(request, match)))
    return limited === null ? response : withLimitHeaders(response, limited)
  }

  /** The step limit. Null for a route without a limit. */
  async limit(request: HttpRequest, { handler }: HandlerMatch<Endpoint>): Promise<LimitDecision | null> {
    const { rateLimit } = handler
    return rateLimit ? this.#options.requestLimits.count(request, rateLimit) : null
  }

  /** Sets the parameters of the path and the defaults of the arguments on the request. */
  bind(request: HttpRequest, { params, handler }: HandlerMatch<Endpoint>): void {
    request.matched(params, handler.arguments.defaults)
  }

  /** The steps parse JSON and validate. @returns why the request is refused; null when it is accepted. */
  validate(request: HttpRequest, { handler }: HandlerMatch<Endpoint>): MaybePromise<RestError | null> {
    return fileCountProblem(request, handler) ?? request.problem ?? handler.arguments.check(request)
  }

  /**
   * The steps from authorize to embed.
   * @param refusal the response when the arguments were refused; null when they were accepted.
   * @throws whatever a handler or callback throws that is neither a RestError nor a RejectedError.
   */
  respond(
    request: HttpRequest,
    { route, handler }: HandlerMatch<Endpoint>,
    refusal: RestResponse | null,
  ): MaybePromise<RestResponse> {
    const decisions: Decisions = new Map()
    const response = refusal ?? this.#execute(request, handler, decisions)
    const completed = (settled: RestResponse): MaybePromise<RestResponse> =>
      this.#completed(settled, request, route, decisions)
    if (!(response instanceof Promise)) return completed(response)
    return response.then(completed, (error: unknown) => completed(this.#responseToError(error, request)))
  }

  /**
   * The step idempotency without the steps after it: nothing is stored.
   * @returns the stored response to a repeat; null when the steps around and handle follow.
   * @throws RestError for a key that the step refuses. @throws StorageError
   */
  async findRepeated(request: HttpRequest, { handler }: HandlerMatch<Endpoint>): Promise<RestResponse | null> {
    return handler.idempotencyKey ? this.#options.idempotency.find(request, handler) : null
  }

  /** The steps `_fields`, links and embed. */
  #shape(response: RestResponse, request: HttpRequest): MaybePromise<RestResponse> {
    return shape(response, request, this, this.#options.failures)
  }

  /** The methods that the caller may use at a route, joined with `, `. */
  allowedMethods(request: HttpRequest, route: Route<Endpoint>, decisions: Decisions = new Map()): MaybePromise<string> {
    return this.#allowed.of(request, route, decisions)
  }

  /** OPTIONS: the description of the route with `Allow`. An unknown path is answered with an empty list. */
  // Rules: docs/wire.md#options.
  async describe(request: HttpRequest): Promise<RestResponse> {
    const match = this.table.matchAny(request.route)
    if (!match) return new RestResponse([])
    request.matched(match.params, {})
    const response = new RestResponse(routeHelp(match.route, this.#options.root()))
    return this.#completed(response, request, match.route, new Map())
  }

  /** The step responses: what the schemas of the declaration describe of a response. */
  #declared(
    response: MaybePromise<RestResponse>,
    endpoint: Endpoint,
    request: HttpRequest,
  ): MaybePromise<RestResponse> {
    const { responses } = endpoint
    if (!responses) return response
    const { declaredResponses } = this.#options
    return response instanceof Promise
      ? response.then((settled) => declaredResponses.apply(settled, responses, endpoint, request))
      : declaredResponses.apply(response, responses, endpoint, request)
  }

  /** The response to a request that a limit refuses: no permission callback runs for `Allow`, because it may be expensive. */
  refused(response: RestResponse, request: HttpRequest, { route }: HandlerMatch<Endpoint>): MaybePromise<RestResponse> {
    this.addCrossOrigin(response, route)
    return this.#shape(response, request)
  }

  /** Adds the CORS headers of a route that does not have those of all routes. */
  addCrossOrigin(response: RestResponse, route: Route<Endpoint>): void {
    const crossOrigin = (this.#crossOrigin ??= crossOriginRoutes(this.table))
    if (crossOrigin.size > 0) addCrossOriginHeaders(response, crossOrigin.get(route))
  }

  /** The steps from `Allow` to embed. */
  #completed(
    response: RestResponse,
    request: HttpRequest,
    route: Route<Endpoint>,
    decisions: Decisions,
  ): MaybePromise<RestResponse> {
    this.addCrossOrigin(response, route)
    const methods = this.#allowed.of(request, route, decisions)
    if (!(methods instanceof Promise)) return this.#shape(withAllowHeader(response, methods), request)
    ignoreFailuresIn(response)
    return methods.then((settled) => this.#shape(withAllowHeader(response, settled), request))
  }

  /** The steps authorize and handle. Callbacks add their verdicts to `decisions`. */
  #execute(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): MaybePromise<RestResponse> {
    try {
      const verdict = authorize(request, endpoint, decisions)
      // Without a callback, which is the common case, there is no stored verdict that a write could change.
      return verdict === true && decisions.size === 0 && !endpoint.idempotencyKey
        ? this.#declared(handlerResponse(endpoint.handle(request), endpoint.name), endpoint, request)
        : this.#handleIfAllowed(verdict, request, endpoint, decisions)
    } catch (error) {
      return this.#responseToError(error, request)
    }
  }

  /** Calls the handler if the verdict allows the request. @param verdict the verdict, or a promise for it. */
  #handleIfAllowed(
    verdict: unknown,
    request: HttpRequest,
    endpoint: Endpoint,
    decisions: Decisions,
  ): MaybePromise<RestResponse> {
    if (isThenable(verdict))
      return Promise.resolve(verdict).then((settled) => this.#handleIfAllowed(settled, request, endpoint, decisions))
    if (verdict !== true) {
      if (!isVerdict(verdict)) this.#options.onInvalidVerdict(endpoint, verdict)
      const error = decide(verdict, request.user)
      if (error) return this.#refusal(error, request)
    }
    return endpoint.idempotencyKey
      ? this.#options.idempotency.run(request, endpoint, () => this.#handle(request, endpoint, decisions))
      : this.#handle(request, endpoint, decisions)
  }

  #handle(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): MaybePromise<RestResponse> {
    if (decisions.size > 0 && !isReading(request.method)) return this.#handleWrite(request, endpoint, decisions)
    return this.#declared(handlerResponse(endpoint.handle(request), endpoint.name), endpoint, request)
  }

  /**
   * Calls a handler that may write to the database. A write can change the verdicts of callbacks: a deleted record
   * cannot be edited. After a write they are therefore computed again for `Allow`.
   */
  async #handleWrite(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): Promise<RestResponse> {
    const writesBefore = this.#options.writes()
    try {
      return this.#declared(settledResponse(await endpoint.handle(request), endpoint.name), endpoint, request)
    } finally {
      if (this.#options.writes() !== writesBefore) decisions.clear()
    }
  }

  /** The response to a thrown error. @throws the error itself when the client must not learn about it. */
  #responseToError(error: unknown, request: HttpRequest): RestResponse {
    const restError = restErrorOf(error)
    if (restError) return this.#refusal(restError, request)
    throw error
  }

  /** The response for an error. A failure of the service is reported to `onFailure`. */
  #refusal(error: RestError, request: HttpRequest): RestResponse {
    const response = errorResponse(error)
    if (response.status >= 500 && response.status !== notImplemented) this.#options.onFailure(error, request)
    return response
  }
}

/** The error for a request that no route matches. */
export const noRoute = (): RestError =>
  new RestError('rest_no_route', 'No route was found matching the URL and request method.', { status: 404 })

/** A 400 for a form with too many files. The form was read before its route was known, because a field may name the route. */
function fileCountProblem({ parsed: { fileCount } }: HttpRequest, { maxFiles }: Endpoint): RestError | null {
  if (fileCount === 0) return null
  const limit = maxFiles ?? defaultMaxFiles
  return fileCount > limit ? tooManyFiles(limit) : null
}

const asResponse = (problem: RestError | null): RestResponse | null => problem && errorResponse(problem)

/** The status of a request that the service does not implement, which is not a failure. */
const notImplemented = 501

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The response with the header `Allow`, which is left out when no method is allowed. */
const withAllowHeader = (response: RestResponse, methods: string): RestResponse =>
  methods === '' ? response : response.header('Allow', methods)
