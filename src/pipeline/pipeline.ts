import { decide, isVerdict } from '../auth/decision.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { isThenable } from '../base/thenable.js'
import { typeOfValue } from '../base/value-type.js'
import { routeHelp } from '../documents/describe.js'
import { errorResponse } from '../http/error-response.js'
import { answerableError } from '../http/rejected-error.js'
import { RestError } from '../http/rest-error.js'
import type { HttpRequest } from '../http/rest-request.js'
import { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Decisions } from '../routing/permission.js'
import type { Log } from '../log/log.js'
import type { HandlerMatch, Route, RouteTable } from '../routing/table.js'
import { AllowedMethods } from './allowed-methods.js'
import { HandlerError } from './handler-error.js'
import { shape } from './shape.js'

export interface PipelineOptions {
  readonly table: RouteTable<Endpoint>
  /** The URL of all routes: `https://shop.example/wp-json/`. */
  readonly root: () => string
  readonly log: Log
  /** The number of writes to the database that this process has begun. */
  readonly writes: () => number
  /** Called for a permission callback that returned neither a boolean nor an error. It refuses the caller. */
  readonly onInvalidVerdict: (endpoint: Endpoint, verdict: unknown) => void
  /** Called for an error response with a status from 500 on. */
  readonly onFailure: (error: RestError, request: HttpRequest) => void
}

/**
 * The steps of a REST request and their order:
 *
 *     identify → match → parse JSON → validate → authorize → handle → Allow → _fields → links → embed → envelope → serialize
 *
 * `RestService` identifies the caller before the match. `shape` is the stage from `_fields` to embed. `ResponseWriter`
 * envelopes and serializes. All that answers requests runs these steps: requests of clients, items of a batch, embedded links, responses made for the cache,
 * OPTIONS, and `explain`. The steps that depend on a declaration are functions of its endpoint, compiled at the start:
 * `arguments.check` validates, `permission.authorize` authorizes and `handle` calls the handler.
 */
// Rules: docs/wire.md#the-order-of-a-request.
export class Pipeline {
  readonly table: RouteTable<Endpoint>
  readonly #options: PipelineOptions
  readonly #allowed = new AllowedMethods()

  constructor(options: PipelineOptions) {
    this.table = options.table
    this.#options = options
  }

  /** From the match to the shaped body. @param match of the request's route and method. */
  run(request: HttpRequest, match: HandlerMatch<Endpoint> | null): MaybePromise<RestResponse> {
    if (match === null) return this.shape(errorResponse(noRoute()), request)
    this.bind(request, match)
    const problem = this.validate(request, match)
    const response = this.respond(request, match, problem && errorResponse(problem))
    return response instanceof Promise
      ? response.then((settled) => this.shape(settled, request))
      : this.shape(response, request)
  }

  /** Gives the request what the path captured and the defaults of the arguments. */
  bind(request: HttpRequest, { params, handler }: HandlerMatch<Endpoint>): void {
    request.matched(params, handler.arguments.defaults)
  }

  /** Parse JSON, validate. @returns why the request is refused; null when it is accepted. */
  validate(request: HttpRequest, { handler }: HandlerMatch<Endpoint>): RestError | null {
    return request.problem ?? handler.arguments.check(request)
  }

  /**
   * Authorize, handle, `Allow`.
   * @param refusal the response when the arguments were refused; null when they were accepted.
   * @throws whatever a handler or callback throws that is neither a RestError nor a rejection.
   */
  respond(
    request: HttpRequest,
    { route, handler }: HandlerMatch<Endpoint>,
    refusal: RestResponse | null,
  ): MaybePromise<RestResponse> {
    const decisions: Decisions = new Map()
    const response = refusal ?? this.#execute(request, handler, decisions)
    return response instanceof Promise
      ? response.then((settled) => this.#withAllow(settled, request, route, decisions))
      : this.#withAllow(response, request, route, decisions)
  }

  /** `_fields`, links, embed. */
  shape(response: RestResponse, request: HttpRequest): MaybePromise<RestResponse> {
    return shape(response, request, this, this.#options.log)
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
    return this.shape(await this.#withAllow(response, request, match.route, new Map()), request)
  }

  #withAllow(
    response: RestResponse,
    request: HttpRequest,
    route: Route<Endpoint>,
    decisions: Decisions,
  ): MaybePromise<RestResponse> {
    const methods = this.#allowed.of(request, route, decisions)
    if (methods instanceof Promise) return methods.then((settled) => allowing(response, settled))
    return allowing(response, methods)
  }

  /** Authorize, handle. */
  #execute(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): MaybePromise<RestResponse> {
    try {
      const verdict = endpoint.permission.authorize(request, endpoint, decisions)
      const response =
        verdict === true && decisions.size === 0
          ? checkedResponse(endpoint.handle(request), endpoint)
          : this.#handleAfter(verdict, request, endpoint, decisions)
      return response instanceof Promise ? response.catch((error: unknown) => this.#thrown(error, request)) : response
    } catch (error) {
      return this.#thrown(error, request)
    }
  }

  /** @param verdict or a promise for it. */
  #handleAfter(
    verdict: unknown,
    request: HttpRequest,
    endpoint: Endpoint,
    decisions: Decisions,
  ): MaybePromise<RestResponse> {
    if (isThenable(verdict))
      return Promise.resolve(verdict).then((settled) => this.#handleAfter(settled, request, endpoint, decisions))
    if (verdict !== true) {
      if (!isVerdict(verdict)) this.#options.onInvalidVerdict(endpoint, verdict)
      const refusal = decide(verdict, request.user)
      if (refusal) return this.#refused(refusal, request)
    }
    if (decisions.size > 0 && !isReading(request.method)) return this.#handleWrite(request, endpoint, decisions)
    return checkedResponse(endpoint.handle(request), endpoint)
  }

  /** A write may change verdicts: a deleted record cannot be edited. So they are computed again for `Allow`. */
  async #handleWrite(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): Promise<RestResponse> {
    const before = this.#options.writes()
    try {
      return checked(await endpoint.handle(request), endpoint)
    } finally {
      if (this.#options.writes() !== before) decisions.clear()
    }
  }

  /** @throws the error itself when it has no response. */
  #thrown(error: unknown, request: HttpRequest): RestResponse {
    const answerable = answerableError(error)
    if (answerable) return this.#refused(answerable, request)
    throw error
  }

  #refused(error: RestError, request: HttpRequest): RestResponse {
    const response = errorResponse(error)
    if (response.status >= 500 && response.status !== notImplemented) this.#options.onFailure(error, request)
    return response
  }
}

export const noRoute = (): RestError =>
  new RestError('rest_no_route', 'No route was found matching the URL and request method.', { status: 404 })

/** Not a failure: the service does not implement the request. */
const notImplemented = 501

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

const allowing = (response: RestResponse, methods: string): RestResponse =>
  methods === '' ? response : response.header('Allow', methods)

/** What a handler returned, or a promise for it. @throws HandlerError */
function checkedResponse(returned: unknown, endpoint: Endpoint): MaybePromise<RestResponse> {
  if (returned instanceof RestResponse || !isThenable(returned)) return checked(returned, endpoint)
  return Promise.resolve(returned).then((settled) => checked(settled, endpoint))
}

/** The response of a handler. A JSON value and `null` are sent with the status 200. @throws HandlerError */
function checked(returned: unknown, { name }: Endpoint): RestResponse {
  const response = returned instanceof RestResponse ? returned : responseOf(returned, name)
  if (typeof response.body === 'function')
    throw new HandlerError(`${name} returned a function as the body, which has no JSON form. Return its result.`)
  return response
}

function responseOf(value: unknown, name: string): RestResponse {
  const advice = adviceFor(value)
  if (advice === null) return new RestResponse(value)
  const message = `${name} must return a RestResponse, a JSON value or null; it returned ${typeOfValue(value)}. ${advice}`
  throw new HandlerError(message)
}

/** Why a value that a handler returned is no body; null when it can be one. */
function adviceFor(value: unknown): string | null {
  if (value === undefined) return 'Return null for an empty response.'
  if (value instanceof Error) return 'Throw the error.'
  if (value instanceof Response) return 'Return a RestResponse with its decoded body.'
  return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint'
    ? 'It has no JSON form.'
    : null
}
