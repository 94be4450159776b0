import { checkJson, EncodingError } from '../http/json.js'
import { RestError } from '../http/rest-error.js'
import { withoutTrailingSlashes } from '../php/trim.js'
import { parseQuery } from '../http/query.js'
import { HttpRequest } from '../http/http-request.js'
import { type ParsedRequest } from '../http/parsed-request.js'
import { parameterMap, noParameters, type ParameterMap } from '../http/variables.js'
import { errorResponse, faultBody, unavailable } from '../http/error-response.js'
import { hasRawBody } from '../http/raw-body.js'
import { RestResponse } from '../http/rest-response.js'
import { secondsToWait } from '../http/seconds-to-wait.js'
import type { FailureReports } from './failure-reports.js'
import { HandlerError } from './handler-error.js'
import { ignoreFailuresIn } from './raw-response.js'
import { unwritable } from './unwritable.js'

/** A request that the service makes to itself, on behalf of the same caller. */
export interface InnerRequest {
  readonly method: string
  /** `/shop/v1/products/5` */
  readonly route: string
  readonly query: ParameterMap
  /** Sent as a form. */
  readonly form?: ParameterMap
  /** Default: none. The headers of the outer request are not copied. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The problem of a query that exceeds a limit. */
  readonly problem?: RestError | null
}

/** @param outer the request in progress. The inner request has its caller, address and connection. */
export function innerRequest(
  { method, route, query, form, headers, problem = null }: InnerRequest,
  outer: HttpRequest,
): HttpRequest {
  const parsed: ParsedRequest = {
    method,
    overridden: false,
    query,
    posted: noParameters,
    form: form ?? parameterMap(),
    files: noParameters,
    fileCount: 0,
    isJson: false,
    jsonValue: null,
    json: null,
    problem,
  }
  const noHeaders = Object.create(null) as Record<string, string | undefined>
  const incoming = {
    ...outer.incoming,
    method,
    headers: headers ?? noHeaders,
    body: new Uint8Array(0),
    form: undefined,
    limited: undefined,
  }
  const { user, applicationPassword, sessionToken, root, id, context } = outer
  const inherited = { user, applicationPassword, sessionToken, root, id, context }
  return new HttpRequest({ incoming, parsed, route, ...inherited, isInner: true, outer })
}

/** The inner GET request for an address; null for an address outside this service. */
export function requestTo(href: string, outer: HttpRequest): HttpRequest | null {
  if (!href.startsWith(outer.root)) return null
  const [, path = '', text = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(href.slice(outer.root.length)) ?? []
  const { parameters: query, problem } = parseQuery(text)
  return innerRequest({ method: 'GET', route: `/${withoutTrailingSlashes(path)}`, query, problem }, outer)
}

/**
 * The response to an inner request. A fault in it, such as a body without a JSON form, is logged and does not fail the outer
 * request. A failure that is temporary is a 503.
 */
export async function innerResponse(
  request: HttpRequest,
  failures: FailureReports,
  respond: () => Promise<RestResponse>,
): Promise<RestResponse> {
  try {
    const response = await respond()
    // Other inner requests may run before this response is written.
    ignoreFailuresIn(response)
    requireJson(response, request)
    return response
  } catch (error) {
    const { id: requestId, method, route } = request
    // When the outer request has been aborted, it logs that itself.
    if (!request.isAbortError(error)) failures.report('inner-request-failed', error, { requestId, method, route })
    const wait = secondsToWait(error)
    if (wait !== null) return errorResponse(unavailable(wait))
    return error instanceof HandlerError && error.cause instanceof EncodingError
      ? errorResponse(new RestError('rest_encode_error', error.cause.message, { status: 500 }))
      : new RestResponse(faultBody(), 500)
  }
}

/** Maximum depth at which the body of an inner response is inserted: `body[0]._embedded.author[0]` of an envelope. */
const maxInnerDepth = 5

/**
 * Checks that the body has a JSON form. All inner responses are serialized together, and one of them must not fail the others.
 * @throws the error of a body without a JSON form.
 */
function requireJson(response: RestResponse, request: HttpRequest): void {
  if (hasRawBody(response)) return
  try {
    checkJson(response.body, maxInnerDepth)
  } catch (error) {
    throw unwritable(error, response.body, request.route)
  }
}
