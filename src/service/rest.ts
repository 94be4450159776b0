import type { Authenticator, Identity } from '../authentication/authenticator.js'
import { RestError } from '../errors/rest-error.js'
import { routeHelp } from '../documents/describe.js'
import { runAs } from '../permission/current-user.js'
import type { IncomingRequest, OutgoingResponse } from '../request/exchange.js'
import { HttpRequest, type ParsedRequest } from '../request/rest-request.js'
import { errorResponse, faultBody } from '../response/error-response.js'
import { filterFields } from '../response/fields.js'
import { EncodingProblem, toJson } from '../response/json.js'
import { RestResponse } from '../response/rest-response.js'
import { bodyWithLinks } from './links.js'
import type { Dispatcher } from './dispatch.js'
import { answerHeaders, corsHeaders, jsonpFailureHeaders, noCacheHeaders, type HeaderList } from './headers.js'
import type { Log } from './log.js'

export interface RestParts {
  readonly dispatcher: Dispatcher
  readonly authenticator: Authenticator
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  readonly cors: 'any' | readonly string[]
  readonly log: Log
}

/** The order of a REST request around its route: who calls, what envelope, which bytes (WIRE 2.1). */
export class RestService {
  constructor(readonly parts: RestParts) {}

  /** @param path the route path, `/shop/v1/products/5`. @param requestId for the log and the answer. */
  async respond(
    incoming: IncomingRequest,
    parsed: ParsedRequest,
    path: string,
    requestId: string,
  ): Promise<OutgoingResponse> {
    const jsonp = parsed.query['_jsonp']
    if (jsonp !== undefined && !isFalsy(jsonp) && !isJsonpName(jsonp)) return refusedJsonp()
    let identity: Identity | null = null
    try {
      identity = await this.parts.authenticator.identify({ incoming, parsed })
      const request = new HttpRequest({ incoming, parsed, route: path, user: identity.caller })
      const response = await this.#answer(request, identity)
      return this.#written(request, identity, response, requestId)
    } catch (error) {
      this.parts.log.error({ err: error, requestId, method: incoming.method, path: incoming.path }, 'a request failed')
      return this.#fault(incoming, requestId)
    }
  }

  #answer(request: HttpRequest, identity: Identity): Promise<RestResponse> | RestResponse {
    if (identity.problem) return withRetryAfter(errorResponse(identity.problem))
    const work = () => (request.method === 'OPTIONS' ? this.#help(request) : this.#dispatched(request))
    return identity.caller.id === 0 ? work() : runAs(identity.caller, work)
  }

  async #dispatched(request: HttpRequest): Promise<RestResponse> {
    return (await this.parts.dispatcher.answer(request)).response
  }

  /** WIRE 2.5. An unknown path is answered with an empty list, not with an error. */
  async #help(request: HttpRequest): Promise<RestResponse> {
    const { dispatcher, root } = this.parts
    const found = dispatcher.table.matchAny(request.route)
    if (!found) return new RestResponse([])
    request.matched(found.params, {})
    const response = new RestResponse(routeHelp(found.route, root(), 'help'))
    const allow = await dispatcher.allowedMethods(request, found.route)
    return allow === '' ? response : response.header('Allow', allow)
  }

  #written(request: HttpRequest, identity: Identity, response: RestResponse, requestId: string): OutgoingResponse {
    const { incoming, parsed } = request
    const enveloped = '_envelope' in parsed.query
    const fields = response.status < 400 ? request.get_param('_fields') : null
    let body = fields === null ? response.body : filterFields(response.body, fields)
    body = bodyWithLinks(body, response.links)
    let status = response.status
    if (enveloped) {
      body = {
        body: status === 204 ? null : body,
        status,
        headers: response.headers.size > 0 ? Object.fromEntries(response.headers) : [],
      }
      status = 200
    }
    const headers = answerHeaders({
      root: this.parts.root(),
      jsonp: isJsonp(parsed),
      nonce: identity.nonce,
      own: enveloped ? null : response.headers,
    })
    const failed = response.status >= 400
    if (identity.caller.id !== 0 || identity.loggedInCookie || identity.nonceRefused || (parsed.overridden && failed))
      noCacheHeaders(headers)
    corsHeaders(headers, incoming, identity, this.parts.cors)
    headers.push(['X-Request-Id', requestId])
    if (request.method === 'HEAD' || incoming.method === 'HEAD') return { status, headers, body: '' }
    return this.#encoded(request, status, headers, body)
  }

  #encoded(request: HttpRequest, status: number, headers: HeaderList, body: unknown): OutgoingResponse {
    if (status === 204 || body === null) return { status, headers, body: '' }
    const pretty = request.has_param('_pretty')
    try {
      return { status, headers, body: wrapped(request.parsed, toJson(body, { pretty })) }
    } catch (error) {
      if (!(error instanceof EncodingProblem)) throw error
      const problem = new RestError('rest_encode_error', error.message, { status: 500 })
      return { status: 500, headers, body: wrapped(request.parsed, toJson(errorResponse(problem).body)) }
    }
  }

  #fault(incoming: IncomingRequest, requestId: string): OutgoingResponse {
    const headers = answerHeaders({ root: this.parts.root(), jsonp: false, nonce: null, own: null })
    noCacheHeaders(headers)
    headers.push(['X-Request-Id', requestId])
    return { status: 500, headers, body: incoming.method === 'HEAD' ? '' : toJson(faultBody()) }
  }
}
