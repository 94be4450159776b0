import { hash } from 'node:crypto'
import type { BindFunction } from '../base/bind-function.js'
import { entityTagFault, isListedStrongly, matchesEntityTag } from '../http/entity-tag.js'
import { RestError } from '../http/rest-error.js'
import type { AnyRequest } from '../http/rest-request.js'
import { RestResponse } from '../http/rest-response.js'
import type { Around, Next } from './around.js'
import type { CrossOriginHeaders } from './cross-origin-headers.js'

/**
 * The version of a resource: a text or a number that changes with it, or the record itself, whose
 * values are hashed; null for a resource that does not exist.
 */
type Version = string | number | object | null

/** The result of `conditional`: a function for `around`. */
export type Conditional<Request extends AnyRequest, V extends Version> = Around<Request> & {
  /** Distinguishes the function from others of `around`. */
  readonly isConditional: true
  /**
   * The result of `versionOf` for this request before the handler was called: the record whose version was compared with the
   * headers. A handler that writes passes it as `if_unchanged`, and does not read the record again.
   * @throws TypeError when this function is not around the handler of the request.
   */
  resource(request: AnyRequest): V
}

/** Whether one of these functions of `around` is the result of {@link conditional}. */
export function hasConditional(around: readonly object[]): boolean {
  return around.some((each) => 'isConditional' in each && each.isConditional === true)
}

/** The part of the result of {@link conditional} that is not public. */
interface Bindable<Call> {
  /** Binds the function and its `versionOf`, which is called again after the handler. */
  readonly boundBy: (bind: BindFunction) => Call
}

/** Binds a function of `around`. */
export function boundAround<Call extends (...parameters: never[]) => unknown>(around: Call, bind: BindFunction): Call {
  const { boundBy } = around as Partial<Bindable<Call>>
  return boundBy === undefined ? bind(around) : boundBy(bind)
}

/** The headers of conditional requests, for the CORS headers of their routes. */
export const conditionalHeaders: CrossOriginHeaders = { request: ['If-Match', 'If-None-Match'], response: ['ETag'] }

/**
 * A function for `around` that answers conditional requests: `around: [conditional((request) => versionOf(request))]`.
 *
 * Responses carry the header `ETag`. A GET whose `If-None-Match` names it is answered with 304, and the handler does not run. A write
 * with `If-Match` runs the handler only for the version that the header names, one with `If-None-Match: *` only for a
 * resource that does not exist; otherwise the response is 412, `rest_precondition_failed`. Without these headers the
 * handler runs. The headers are named in the CORS headers of the route.
 *
 * Between this check and a write of the handler, another request may write. Pass the record that was compared to the update,
 * which is then refused with a 409: `records.update(id, change, { if_unchanged: versioned.resource(request) })`.
 *
 * @param versionOf is called before the handler, and again after a successful write other than DELETE. `inject` works in
 *   it before it awaits anything.
 */
export function conditional<Request extends AnyRequest = AnyRequest, V extends Version = Version>(
  versionOf: (request: Request) => V | Promise<V>,
): Conditional<Request, V> {
  // By request. `resource` is called with the same request object as this function.
  const resources = new WeakMap<AnyRequest, V>()
  const respond = async (request: Request, next: Next, boundVersionOf: typeof versionOf) => {
    const current = async () => boundVersionOf(request)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const resource = await current()
    resources.set(request, resource)
    const tag = tagOf(resource)
    const ifMatch = request.get_header('If-Match')
    const ifNoneMatch = request.get_header('If-None-Match')
    if (ifMatch !== null && (tag === null || !isListedStrongly(tag, ifMatch))) throw preconditionFailed()
    if (ifNoneMatch !== null && tag !== null && matchesEntityTag(tag, ifNoneMatch)) {
      if (!isReading) throw preconditionFailed()
      return new RestResponse(null, 304, { ETag: tag })
    }
    const response = await next()
    const hasTag = [...response.headers.keys()].some((name) => name.toLowerCase() === 'etag')
    if (hasTag || response.status < 200 || response.status >= 300) return response
    const responseTag = isReading ? tag : request.method === 'DELETE' ? null : tagOf(await current())
    return responseTag === null ? response : response.header('ETag', responseTag)
  }
  const resource = (request: AnyRequest): V => {
    if (!resources.has(request))
      throw new TypeError(
        'conditional: resource() was called for a request to a route without this function in `around`.',
      )
    return resources.get(request) as V
  }
  const conditionalRequest = (request: Request, next: Next) => respond(request, next, versionOf)
  const boundBy = (bind: BindFunction): typeof conditionalRequest => {
    const boundVersionOf = bind(versionOf)
    return bind((request, next) => respond(request, next, boundVersionOf))
  }
  return Object.assign(conditionalRequest, { isConditional: true as const, resource, boundBy })
}

/** @throws RangeError for a text that an entity tag cannot hold. */
function tagOf(version: Version): string | null {
  if (version === null) return null
  if (typeof version !== 'string' && typeof version !== 'number')
    return `"${hash('sha256', JSON.stringify(version), 'base64url').slice(0, 22)}"`
  const fault = entityTagFault(String(version))
  if (fault !== null) throw new RangeError(`conditional: ${fault}`)
  return `"${version}"`
}

function preconditionFailed(): RestError {
  return new RestError('rest_precondition_failed', 'The resource is not in the expected version.', { status: 412 })
}
