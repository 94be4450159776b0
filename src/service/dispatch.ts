import { RestError } from '../errors/rest-error.js'
import { decide, isVerdict } from '../permission/decision.js'
import { callerCan } from '../permission/meta-capabilities.js'
import type { HttpRequest } from '../request/rest-request.js'
import { errorResponse } from '../response/error-response.js'
import { RestResponse } from '../response/rest-response.js'
import type { Route, RouteTable } from '../route/table.js'
import type { Endpoint } from './endpoint.js'

/** What a request came to: the answer, and which route gave it. */
export interface Answer {
  readonly response: RestResponse
  /** `null` when no route matched. */
  readonly route: Route<Endpoint> | null
}

/** A handler, callback or validator did something that is not allowed; the caller learns nothing but a 500. */
export class HandlerFault extends Error {
  override readonly name = 'HandlerFault'
}

export const noRoute = (): RestError =>
  new RestError('rest_no_route', 'No route was found matching the URL and request method.', { status: 404 })

/**
 * A request from its route to its answer: match → arguments → permission → handler → `Allow` (WIRE 2.1, 10 to 16).
 * Who the caller is has been decided before; the bytes of the answer are somebody else's.
 */
export class Dispatcher {
  /** @param onOddVerdict told of a permission callback that answered neither yes nor no; it denies all the same. */
  constructor(
    readonly table: RouteTable<Endpoint>,
    readonly onOddVerdict: (endpoint: Endpoint, verdict: unknown) => void,
  ) {}

  /** @throws whatever a handler throws that is not a RestError. */
  async answer(request: HttpRequest): Promise<Answer> {
    const found = this.table.match(request.route, request.method)
    if (!found) return { response: errorResponse(noRoute()), route: null }
    request.matched(found.params, found.handler.arguments.defaults)
    const decisions: Decisions = new Map()
    const response = await this.#run(request, found.handler, decisions)
    // What a write changed may change the answers as well: nobody may edit a record that is gone.
    if (!isReading(request.method)) decisions.clear()
    const allow = await this.allowedMethods(request, found.route, decisions)
    if (allow !== '') response.header('Allow', allow)
    return { response, route: found.route }
  }

  async #run(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): Promise<RestResponse> {
    const problem = request.problem ?? endpoint.arguments.check(request)
    if (problem) return errorResponse(problem)
    return this.execute(request, endpoint, decisions)
  }

  /** Permission and handler of a request whose arguments have been checked. */
  async execute(request: HttpRequest, endpoint: Endpoint, decisions: Decisions = new Map()): Promise<RestResponse> {
    try {
      const verdict = await permissionOf(request, endpoint, decisions)
      if (!isVerdict(verdict)) this.onOddVerdict(endpoint, verdict)
      const refusal = decide(verdict, request.user)
      if (refusal) return errorResponse(refusal)
      const response = await endpoint.handle(request)
      if (response instanceof RestResponse) return response
      throw new HandlerFault(`${endpoint.name} must return a RestResponse; it returned ${described(response)}.`)
    } catch (error) {
      if (error instanceof RestError) return errorResponse(error)
      throw error
    }
  }

  /**
   * The methods of a route that this caller may use with this request, in the order of their registration (WIRE 2.6).
   * A sibling's callback that fails says no; its fault is not this request's.
   */
  async allowedMethods(
    request: HttpRequest,
    route: Route<Endpoint>,
    decisions: Decisions = new Map(),
  ): Promise<string> {
    const allowed: string[] = []
    for (const { methods, handler: endpoint } of route.handlers) {
      let verdict: unknown
      try {
        verdict = permissionOf(request, endpoint, decisions)
        if (isThenable(verdict)) verdict = await verdict
      } catch {
        continue
      }
      if (verdict === true) allowed.push(...methods)
    }
    return allowed.join(', ')
  }
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The verdict of each question that was asked in this request. */
export type Decisions = Map<unknown, unknown>

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
    case 'callback': {
      if (decisions.has(endpoint.question)) return decisions.get(endpoint.question)
      const verdict = endpoint.permit?.(request) ?? false
      decisions.set(endpoint.question, verdict)
      return verdict
    }
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}

function described(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  return `an object of ${(value as object).constructor?.name ?? 'no class'}`
}
