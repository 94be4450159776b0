import { inspect } from 'node:util'
import { logError } from '../log/log-error.js'
import { ignoreFailures } from '../base/thenable.js'
import { EventStream } from '../http/event-stream.js'
import { rawBodyOf, sizeOf, type RawBody } from '../http/raw-body.js'
import { ResponseStream } from '../http/response-stream.js'
import type { Identity } from '../auth/authenticator.js'
import { secondsToWait } from '../http/seconds-to-wait.js'
import { errorBody, errorResponse, faultBody, unavailable } from '../http/error-response.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import { EncodingError, toJson } from '../http/json.js'
import { RestError } from '../http/rest-error.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Log } from '../log/log.js'
import { errorLocationOf, sourceLocationText } from '../routing/source-location.js'
import {
  ResponseHeaders,
  addVary,
  allowOrigin,
  jsonpFailureHeaders,
  noCacheHeaders,
  originOf,
  responseHeaders,
  withLength,
  type HeaderList,
} from './headers.js'
import { hasPlainBody } from './declared-responses.js'
import { HandlerError } from './handler-error.js'
import { cancelBody, jsonOnly, rawHeaders } from './raw-response.js'
import { unwritable, unwritablePath } from './unwritable.js'

export interface ResponseWriterOptions {
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  readonly cors: 'any' | readonly string[]
  /** The name of the handler of a request, for the log; null for none. */
  readonly handlerOf: (request: HttpRequest) => string | null
  readonly log: Log
  /** Maximum time between two chunks of a body, in milliseconds. */
  readonly streamIdle: number
  /** Whether a response to a request from this machine has the message of the error and where it was thrown. */
  readonly showsErrorDetails: boolean
}

/** The last steps of a request: envelope, serialize. */
export class ResponseWriter {
  readonly #options: ResponseWriterOptions
  readonly #headers: ResponseHeaders

  constructor(options: ResponseWriterOptions) {
    this.#options = options
    this.#headers = new ResponseHeaders(options.cors)
  }

  /**
   * @param jsonp name of the JSONP callback; null for plain JSON.
   * @throws the error of a body without a JSON form.
   */
  write(request: HttpRequest, identity: Identity, response: RestResponse, jsonp: string | null): OutgoingResponse {
    const { incoming, parsed, id: requestId } = request
    const isEnveloped = '_envelope' in parsed.query
    const raw = rawBodyOf(response)
    if (raw !== null && (isEnveloped || jsonp !== null)) return this.write(request, identity, jsonOnly(response), jsonp)
    const isPersonal = identity.caller.id !== 0 || identity.loggedInCookie || request.dependsOnPassword
    const refusedNonce = identity.problem?.code === 'rest_cookie_invalid_nonce'
    const shared = this.#headers.of({
      root: this.#options.root(),
      jsonp: jsonp !== null,
      nonce: identity.nonce,
      handlerHeaders: isEnveloped ? null : raw === null ? response.headers : rawHeaders(response, raw),
      cookies: response.cookies,
      uncached: isPersonal || refusedNonce || (parsed.overridden && response.status >= 400),
      varies: incoming.method === 'GET' && !isPersonal,
      origin: originOf(incoming.headers),
    })
    const status = isEnveloped ? 200 : response.status
    if (incoming.method === 'HEAD' || request.method === 'HEAD') {
      cancelBody(response)
      const size = raw !== null && incoming.method === 'HEAD' && !bodiless.has(status) ? sizeOf(raw) : null
      return { status, ...shared, ...(size !== null && withLength(shared.headers, size)), requestId, body: '' }
    }
    if (raw !== null) return { status, ...shared, requestId, ...this.#rawBody(request, response, raw) }
    const body = isEnveloped ? envelopeOf(response) : response.status === 204 ? null : response.body
    if (body === null || body === undefined) {
      cancelBody(response)
      return { status, ...shared, requestId, body: '' }
    }
    const wrapped = (json: string) => (jsonp === null ? json : `/**/${jsonp}(${json})`)
    try {
      const options = { pretty: request.has_param('_pretty'), isPlain: !isEnveloped && hasPlainBody(response) }
      return { status, ...shared, requestId, body: wrapped(toJson(body, options)), isAscii: true }
    } catch (error) {
      ignoreFailures(response.body)
      const handler = this.#options.handlerOf(request)
      if (!(error instanceof EncodingError)) throw unwritable(error, response.body, handler ?? request.route)
      const err = unwritable(error, response.body, handler ?? request.route)
      const fields = { err, requestId, route: request.route, handler, at: unwritablePath(response.body) }
      logError(this.#options.log, 'response-not-json', fields)
      const problem = new RestError('rest_encode_error', this.#faultText(incoming, err) ?? error.message, {
        status: 500,
      })
      return { status: 500, ...shared, requestId, body: wrapped(toJson(errorBody(problem))) }
    }
  }

  #rawBody(request: HttpRequest, response: RestResponse, raw: RawBody): Pick<OutgoingResponse, 'body' | 'stream'> {
    if (bodiless.has(response.status)) {
      cancelBody(response)
      return { body: '' }
    }
    if (raw.kind !== 'stream') return { body: raw.kind === 'text' ? raw.text : raw.bytes }
    const { log, handlerOf, streamIdle: idle } = this.#options
    if (raw.source instanceof EventStream && !raw.source.isOpen) {
      cancelBody(response)
      const handler = handlerOf(request) ?? request.route
      throw new HandlerError(`${handler} returned an EventStream. Its declaration needs event_stream: true.`)
    }
    request.streamBegins()
    const { id: requestId, route } = request
    const onFault = (err: unknown): void => {
      // A source that waits with `request.signal` fails when the client leaves, which is not a fault.
      if (!request.isAbortError(err))
        logError(log, 'stream-failed', { err, requestId, route, handler: handlerOf(request) })
    }
    try {
      return { body: '', stream: new ResponseStream(raw.source, { size: raw.size, idle, onFault }) }
    } catch (error) {
      throw new HandlerError(`${handlerOf(request) ?? route}: ${(error as Error).message}`, { cause: error })
    }
  }

  /** The message of an error and where it was thrown; undefined for a request that must not see it. */
  #faultText({ local }: IncomingRequest, error: unknown): string | undefined {
    if (!this.#options.showsErrorDetails || !local) return undefined
    if (!(error instanceof Error)) return `${thrownValue(error)} was thrown, which is no Error: throw new Error(…).`
    const location = errorLocationOf(error.cause instanceof Error ? error.cause : error)
    return location === null ? error.message : `${error.message} (${sourceLocationText(location)})`
  }

  /**
   * The response to a failed request: no detail, only the request id, which the log has as well. In the environment
   * `development`, a request from this machine gets the message of the error and where it was thrown. A database that cannot be
   * reached is a 503 with `Retry-After`.
   * @param addCrossOrigin adds the CORS headers of the route to a response that pages may read.
   */
  // Rules: docs/wire.md#faults.
  fault(
    incoming: IncomingRequest,
    requestId: string,
    error: unknown,
    addCrossOrigin: (response: RestResponse) => void,
  ): OutgoingResponse {
    const wait = secondsToWait(error)
    if (wait !== null) {
      const response = errorResponse(unavailable(wait))
      addCrossOrigin(response)
      return this.unavailable(incoming, requestId, response)
    }
    const headers = this.#headersOf(incoming).filter(([name]) => !name.startsWith('Access-Control-'))
    return failure(incoming, { status: 500, headers, requestId }, faultBody(this.#faultText(incoming, error)))
  }

  /**
   * The response to a request that was not carried out, or not in time. Pages of permitted origins may read it.
   * @param response a 503.
   */
  unavailable(incoming: IncomingRequest, requestId: string, response: RestResponse): OutgoingResponse {
    const headers = this.#headersOf(incoming, response.headers)
    const origin = originOf(incoming.headers)
    allowOrigin(headers, origin, this.#options.cors)
    if (origin) addVary(headers)
    return failure(incoming, { status: response.status, headers, requestId }, response.body)
  }

  /** The headers of a failed request. */
  #headersOf(incoming: IncomingRequest, ownHeaders: ReadonlyMap<string, string> | null = null): HeaderList {
    const headers = responseHeaders({
      root: this.#options.root(),
      jsonp: false,
      nonce: null,
      handlerHeaders: ownHeaders,
      cookies: [],
    })
    noCacheHeaders(headers)
    headers.push(...(incoming.limited?.headers ?? []))
    return headers
  }

  /** The refusal of a JSONP callback with an invalid name, sent without the headers of other responses. */
  // Rules: docs/wire.md#_jsonp.
  refusedJsonp(incoming: IncomingRequest, requestId: string): OutgoingResponse {
    const body = toJson({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' })
    return {
      status: 400,
      headers: jsonpFailureHeaders(this.#options.root()),
      requestId,
      body: incoming.method === 'HEAD' ? '' : body,
    }
  }
}

const failure = (
  { method }: IncomingRequest,
  head: Pick<OutgoingResponse, 'status' | 'headers' | 'requestId'>,
  body: unknown,
): OutgoingResponse => ({ ...head, body: method === 'HEAD' ? '' : toJson(body) })

/** Statuses of responses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** A response as a body. Its headers are those of the handler. */
// Rules: docs/wire.md#_envelope.
export function envelopeOf(enclosed: RestResponse): Record<string, unknown> {
  const response = jsonOnly(enclosed)
  return {
    body: response.status === 204 ? null : response.body,
    status: response.status,
    headers: response.headers.size > 0 ? Object.fromEntries(Array.from(response.headers, enclosedHeader)) : [],
  }
}

const enclosedHeader = ([name, value]: [name: string, value: string]): [name: string, value: unknown] => [
  name,
  /^X-WP-Total(?:Pages)?$/i.test(name) && /^\d{1,15}$/.test(value) ? Number(value) : value,
]

/** A thrown value that is no error, such as a text, in one line for a developer. */
function thrownValue(value: unknown): string {
  return inspect(value, { depth: 1, compact: true, breakLength: Infinity, maxStringLength: 200, customInspect: false })
}
