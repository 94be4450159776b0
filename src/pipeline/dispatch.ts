import { isDeepStrictEqual } from 'node:util'
import type { ArgumentSchema } from '../validation/rules.js'
import { answerableError } from '../http/rejected-error.js'
import { RestError } from '../http/rest-error.js'
import { typeOfValue } from '../base/value-type.js'
import { decide, isVerdict } from '../auth/decision.js'
import { callerCan } from '../auth/meta-capabilities.js'
import type { HttpRequest } from '../http/rest-request.js'
import { errorResponse } from '../http/error-response.js'
import { RestResponse } from '../http/rest-response.js'
import type { Route, RouteTable } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'
import { PermissionRequest } from './permission-request.js'
import { mapMaybePromise, type MaybePromise } from '../base/maybe-promise.js'
import type { Storage } from '../database/storage.js'

/** A handler, callback or validator did something that is not allowed; the caller learns nothing but a 500. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
}

/** Says what the service does not do, and not that anything failed. */
const notImplemented = 501

export const noRoute = (): RestError =>
  new RestError('rest_no_route', 'No route was found matching the URL and request method.', { status: 404 })

/**
 * A request from its route to its answer: match → arguments → permission → handler → `Allow`.
 * Who the caller is has been decided before; the bytes of the answer are somebody else's.
 */
// The steps: docs/wire.md#the-order-of-a-request.
export class Dispatcher {
  /** Values of `Allow` that were made already: few for each route, and made of many pieces. */
  readonly #lists = new WeakMap<Route<Endpoint>['handlers'], Map<number, string>>()

  /**
   * @param onOddVerdict told of a permission callback that answered neither yes nor no; it denies all the same.
   * @param onFailure told of an error that a handler or callback answers with, where its status says that something
   *   failed here.
   * @param writes how many there were to the database: the same number as before means that nothing was written.
   */
  constructor(
    readonly table: RouteTable<Endpoint>,
    readonly onOddVerdict: (endpoint: Endpoint, verdict: unknown) => void,
    readonly onFailure: (error: RestError, request: HttpRequest) => void,
    readonly writes: Storage['writes'],
  ) {}

  /**
   * @param found the route of the request, looked up by whoever had to know it before.
   * @throws whatever a handler throws that is neither a RestError nor a rejection.
   */
  answer(request: HttpRequest, found = this.table.match(request.route, request.method)): MaybePromise<RestResponse> {
    if (!found) return errorResponse(noRoute())
    request.matched(found.params, found.handler.arguments.defaults)
    const decisions: Decisions = new Map()
    const problem = request.problem ?? found.handler.arguments.check(request)
    const answered = problem ? errorResponse(problem) : this.execute(request, found.handler, decisions)
    return mapMaybePromise(answered, (response) =>
      mapMaybePromise(this.allowedMethods(request, found.route, decisions), (allow) =>
        allow === '' ? response : response.header('Allow', allow),
      ),
    )
  }

  /**
   * Permission and handler of a request whose arguments have been checked.
   * @param decisions keeps the verdict, unless the handler wrote to the database.
   */
  execute(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): MaybePromise<RestResponse> {
    try {
      const verdict = permissionOf(request, endpoint, decisions)
      const answer = isThenable(verdict)
        ? Promise.resolve(verdict).then((settled) => this.#judged(settled, request, endpoint, decisions))
        : this.#judged(verdict, request, endpoint, decisions)
      return answer instanceof Promise ? answer.catch((error: unknown) => this.#thrown(error, request)) : answer
    } catch (error) {
      return this.#thrown(error, request)
    }
  }

  #judged(
    verdict: unknown,
    request: HttpRequest,
    endpoint: Endpoint,
    decisions: Decisions,
  ): MaybePromise<RestResponse> {
    if (verdict !== true) {
      if (!isVerdict(verdict)) this.onOddVerdict(endpoint, verdict)
      const refusal = decide(verdict, request.user)
      if (refusal) return this.#refused(refusal, request)
    }
    const mayChangeVerdicts = decisions.size > 0 && !isReading(request.method)
    return mayChangeVerdicts ? this.#writing(request, endpoint, decisions) : handled(request, endpoint)
  }

  /** @throws what tells the caller nothing. */
  #thrown(error: unknown, request: HttpRequest): RestResponse {
    const answerable = answerableError(error)
    if (answerable) return this.#refused(answerable, request)
    throw error
  }

  #refused(error: RestError, request: HttpRequest): RestResponse {
    const response = errorResponse(error)
    if (response.status >= 500 && response.status !== notImplemented) this.onFailure(error, request)
    return response
  }

  /** What a write changed may change the verdicts as well: nobody may edit a record that is gone. */
  async #writing(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): Promise<RestResponse> {
    const before = this.writes()
    try {
      return await handled(request, endpoint)
    } finally {
      if (this.writes() !== before) decisions.clear()
    }
  }

  /**
   * The methods of a route that this caller may use with this request, in the order of their registration.
   * A sibling's callback that fails says no; its fault is not this request's.
   */
  // Rules: docs/wire.md#allow.
  allowedMethods(request: HttpRequest, route: Route<Endpoint>, decisions: Decisions = new Map()): MaybePromise<string> {
    let admitting = 0
    for (const [index, handler] of route.handlers.entries()) {
      const verdict = verdictOf(request, handler, decisions)
      if (isThenable(verdict)) return this.#allowedAfterAll(request, route, decisions)
      if (verdict === true) admitting += 2 ** index
    }
    return this.#listOf(route, admitting)
  }

  async #allowedAfterAll(request: HttpRequest, route: Route<Endpoint>, decisions: Decisions): Promise<string> {
    // All are asked before any is waited for; none rejects.
    const verdicts = route.handlers.map((handler) => verdictOf(request, handler, decisions))
    let admitting = 0
    for (const [index, verdict] of verdicts.entries()) {
      if ((isThenable(verdict) ? await verdict : verdict) === true) admitting += 2 ** index
    }
    return this.#listOf(route, admitting)
  }

  /** @param admitting the sum of 2 to the power of n for each handler n that lets the caller in. */
  #listOf({ handlers }: Route<Endpoint>, admitting: number): string {
    let lists = this.#lists.get(handlers)
    if (!lists) this.#lists.set(handlers, (lists = new Map<number, string>()))
    let list = lists.get(admitting)
    if (list === undefined) {
      const admitted = handlers.filter((_, index) => Math.floor(admitting / 2 ** index) % 2 === 1)
      lists.set(admitting, (list = admitted.flatMap(({ methods }) => methods).join(', ')))
    }
    return list
  }
}

/** @throws HandlerError, and whatever the handler throws. */
function handled(request: HttpRequest, endpoint: Endpoint): MaybePromise<RestResponse> {
  const response = endpoint.handle(request)
  return !(response instanceof RestResponse) && isThenable(response)
    ? Promise.resolve(response).then((settled) => checkedResponse(settled, endpoint))
    : checkedResponse(response, endpoint)
}

/** @throws HandlerError */
function checkedResponse(response: unknown, endpoint: Endpoint): RestResponse {
  if (!(response instanceof RestResponse))
    throw new HandlerError(
      `${endpoint.name} must return a RestResponse; it returned ${response === undefined ? 'nothing' : typeOfValue(response)}.`,
    )
  if (typeof response.body === 'function')
    throw new HandlerError(`${endpoint.name} answered with a function, which JSON cannot say: give what it returns.`)
  return response
}

/** As `permissionOf`; false for a callback that fails. */
function verdictOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  try {
    const verdict = permissionOf(request, endpoint, decisions)
    return isThenable(verdict) ? Promise.resolve(verdict).catch(() => false) : verdict
  } catch {
    return false
  }
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The answers of the permission callbacks that ran within one request, by question and by endpoint. */
export type Decisions = Map<unknown, Decision>

interface Decision {
  readonly verdict: unknown
  /**
   * Once the verdict is there: the arguments of the declaration whose excluded value ended the callback, or null when it ran
   * to its end. Null itself where the callback was shown validated arguments.
   */
  readonly endedUnder: (() => ArgumentSchema | null) | null
}

/** What an endpoint's requirement says of the request, unjudged: `true` admits, everything else does not. */
export function permissionOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  const { requirement } = endpoint
  switch (requirement.kind) {
    case 'anyone':
      return true
    case 'logged-in':
      return request.user.id !== 0
    case 'capability':
      return callerCan(request.user, requirement.name)
    case 'callback':
      return verdictOfCallback(request, endpoint, decisions)
  }
}

/**
 * A callback runs once for all endpoints that share it, unless a value ended it that the declaration of one of them
 * excludes: another declaration may allow that value.
 */
function verdictOfCallback(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  const own = decisions.get(endpoint)
  if (own) return own.verdict
  const shared = decisions.get(endpoint.question)
  const decision = shared ? sharedDecision(shared, request, endpoint) : runCallback(request, endpoint)
  if (decision !== shared) decisions.set(endpoint.question, decision)
  if (decision.endedUnder) decisions.set(endpoint, decision)
  return decision.verdict
}

/** The decision of another endpoint with the same callback where it serves for this one as well, else one of its own. */
function sharedDecision(shared: Decision, request: HttpRequest, endpoint: Endpoint): Decision {
  const { verdict, endedUnder } = shared
  if (endedUnder === null) return shared
  const serves = (): boolean => {
    const args = endedUnder()
    return args === null || isDeepStrictEqual(args, endpoint.args)
  }
  if (!isThenable(verdict)) return serves() ? shared : runCallback(request, endpoint)
  let decision = shared
  return {
    verdict: Promise.resolve(verdict).then((settled) => {
      if (serves()) return settled
      decision = runCallback(request, endpoint)
      return decision.verdict
    }),
    endedUnder: () => decision.endedUnder?.() ?? null,
  }
}

function runCallback(request: HttpRequest, endpoint: Endpoint): Decision {
  const { permit } = endpoint
  if (permit === null) return { verdict: false, endedUnder: null }
  const shown = PermissionRequest.of(request, endpoint)
  if (shown instanceof PermissionRequest)
    return { verdict: verdictOfView(shown, permit), endedUnder: () => (shown.hasExcluded ? endpoint.args : null) }
  const answer = permit(shown)
  // Some thenables, such as a query, start anew for each who waits for them.
  return { verdict: isThenable(answer) ? Promise.resolve(answer) : answer, endedUnder: null }
}

/** False for a callback that has read an excluded value, whatever it made of the error. */
function verdictOfView(view: PermissionRequest, permit: NonNullable<Endpoint['permit']>): unknown {
  const failed = (error: unknown): false => {
    if (view.hasExcluded) return false
    throw error
  }
  try {
    const answer = permit(view)
    if (!isThenable(answer)) return view.hasExcluded ? false : answer
    return Promise.resolve(answer).then((settled) => (view.hasExcluded ? false : settled), failed)
  } catch (error) {
    return failed(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
