import { logError } from '../log/log-error.js'
import { randomBytes } from 'node:crypto'
import type { PagesForHttpAndHttps } from '../pages/pages-over-tls.js'
import type { IncomingRequest, OutgoingResponse, SendResponse } from '../http/exchange.js'
import { parseRequest, type ParsedRequest } from '../http/parsed-request.js'
import { errorBody, statusOf } from '../http/error-response.js'
import { databaseNotReady, healthResponse } from '../http/health-response.js'
import { toJson } from '../http/json.js'
import { tooLarge } from '../http/refusal.js'
import {
  isObserved,
  requestFinish,
  requestStart,
  type FinishMessage,
  type ObservedRequest,
  type StartMessage,
} from '../http/request-channels.js'
import type { Endpoint } from '../routing/endpoint.js'
import { routePathOf, type PathSettings, type RouteTarget } from '../routing/path.js'
import type { RestError } from '../http/rest-error.js'
import { runForClient, type ClientPresence, type ClientWork } from '../base/client-presence.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { Log } from '../log/log.js'
import { AbandonedRequestError } from './abandoned-request.js'
import type { FailureReports } from './failure-reports.js'
import { withLength } from './headers.js'
import type { PendingRequest } from './pending-request.js'
import type { ResponseWriter } from './response-writer.js'
import type { RestService } from './rest.js'

export interface CoreDependencies {
  /** Called before each request, which waits for the returned promise. Null where there is nothing to refresh. */
  readonly refreshed: (() => Promise<void> | null) | null
  /** The response to a message of the companion plugin; null for any other request. Null where there is no companion plugin. */
  readonly companion: ((incoming: IncomingRequest) => OutgoingResponse | null) | null
  readonly rest: RestService
  readonly writer: ResponseWriter
  readonly failures: FailureReports
  readonly pages: PagesForHttpAndHttps
  /** Rejects when the database does not answer. */
  readonly pingDatabase: () => Promise<void>
  /** `usual`: bytes that a body may have on routes that declare no limit. `isUniform`: whether no route declares one. */
  readonly bodyLimit: { readonly usual: number; readonly isUniform: boolean }
  /** Names of the readiness checks that fail; null when none does. */
  readonly unready: () => Promise<string | null>
  readonly restPrefix: string
  /** Path of the site's address, `/blog`, or `''`. */
  readonly homePath: () => string
  readonly log: Log
  /** Whether each response is logged. */
  readonly logsRequests: boolean
  /** Resolves when no work goes on that a response did not wait for: deferred work, mail that is being sent. */
  readonly idle: () => Promise<void>
  /** Called when a stop begins: ends the event streams, which would not end by themselves. */
  readonly stopping: () => void
  /** Called at the end of the grace period: aborts the requests and the work that still go on. */
  readonly cutOff: () => void
}

/** The head of a request, as far as its route depends on it. */
export type RequestHead = Pick<IncomingRequest, 'method' | 'path' | 'query' | 'headers'>

/** Responds to every request of the service: health, REST, pages. Never throws. */
export class Core {
  /** The beginning of request ids. It differs between processes. */
  readonly #idPrefix = randomBytes(6).toString('hex')
  readonly #dependencies: CoreDependencies
  #count = 0
  #inFlight = 0
  #whenIdle = (): void => undefined
  #settings: PathSettings

  constructor(dependencies: CoreDependencies) {
    this.#dependencies = dependencies
    this.#settings = { rest_prefix: dependencies.restPrefix, homePath: '' }
  }

  /** @param send called once, before this returns or later. A callback, because a promise would take a measurable part of a small request. */
  readonly handle = (incoming: IncomingRequest, send: SendResponse): undefined => {
    this.#count += 1
    // Not in decimal: V8 caches thousands of decimal texts, and copies them at each collection of young garbage.
    const requestId = incoming.requestId ?? `${this.#idPrefix}-${this.#count.toString(36)}`
    const observed = isObserved() ? this.#started(incoming, requestId) : null
    const startedAt = this.#dependencies.logsRequests || observed ? performance.now() : 0
    const request: PendingRequest = {
      incoming,
      requestId,
      startedAt,
      observed,
      clientWork: clientWorkOf(incoming, incoming.method, requestId),
      send,
      timeLimit: null,
      hasResponse: false,
    }
    let response: MaybePromise<OutgoingResponse>
    try {
      const companionResponse = this.#dependencies.companion?.(incoming) ?? null
      const refreshing = companionResponse === null ? (this.#dependencies.refreshed?.() ?? null) : null
      if (companionResponse !== null) response = { ...companionResponse, requestId }
      else response = refreshing === null ? this.#respond(request) : refreshing.then(() => this.#respond(request))
    } catch (error) {
      response = this.#fault(error, request)
    }
    if (!(response instanceof Promise)) {
      this.#send(response, request)
      return
    }
    this.#inFlight += 1
    response.then(
      (outgoing) => this.#settle(outgoing, request),
      (error: unknown) => request.hasResponse || this.#settle(this.#fault(error, request), request),
    )
  }

  /** Responds to a request in flight. Without effect when a time limit has done so. */
  readonly #settle = (outgoing: OutgoingResponse, request: PendingRequest): void => {
    if (request.hasResponse) return
    request.hasResponse = true
    request.timeLimit?.end()
    this.#requestEnded()
    this.#send(outgoing, request)
  }

  /** Logs, publishes and sends a response. The response to a HEAD request has no body. */
  #send(response: OutgoingResponse, { incoming, startedAt, observed, clientWork, send }: PendingRequest): void {
    if (clientWork !== null) clientWork.isKept = true
    const { form } = incoming
    if (form !== undefined) {
      if (response.stream === undefined) form.release()
      else response.stream.whenEnded(() => form.release())
    }
    if (response.stream !== undefined) {
      this.#inFlight += 1
      response.stream.whenEnded(() => this.#requestEnded())
    }
    const { method, path, address } = incoming
    if (this.#dependencies.logsRequests || observed) {
      const milliseconds = Math.round((performance.now() - startedAt) * 1000) / 1000
      const { requestId, status } = response
      if (observed) this.#published(observed, incoming, status, milliseconds)
      if (this.#dependencies.logsRequests)
        this.#dependencies.log.info({ requestId, method, path, status, milliseconds, address }, 'answered')
    }
    if (method !== 'HEAD') {
      send(response)
      return
    }
    const { stream, headers } = response
    stream?.cancel()
    send({ ...response, ...(stream && withLength(headers, stream.size)), body: '', stream: undefined })
  }

  #started({ method, path, address }: IncomingRequest, requestId: string): ObservedRequest {
    const request = { requestId, method, path, address }
    requestStart.publish({ request } satisfies StartMessage)
    return request
  }

  #published(request: ObservedRequest, incoming: IncomingRequest, status: number, milliseconds: number): void {
    const match = once(() => this.#matchOf(incoming))
    const message: FinishMessage = {
      request,
      status,
      milliseconds,
      get route() {
        const endpoint = match()
        return endpoint && `${endpoint.namespace ?? ''}${endpoint.route}`
      },
      get handler() {
        return match()?.name ?? null
      },
    }
    requestFinish.publish(message)
  }

  /** Bytes that the body of a request may have. It is known before the body is read. */
  bodyLimitOf({ method, path, query, headers }: RequestHead): number {
    const head = { method, path, query, headers, body: noBody, address: '', secure: false, local: false }
    return this.#matchOf(head)?.bodyLimit ?? this.#dependencies.bodyLimit.usual
  }

  /**
   * The limit that the body exceeds, in bytes; null for no limit. A body is read with the limit of the route in its address, and a form
   * may name another route.
   * @param path the route path. @param method as it is served.
   */
  exceededLimit(incoming: IncomingRequest, path: string, method: string): number | null {
    const size = incoming.form?.bodySize ?? incoming.body.length
    if (size === 0) return null
    const { rest, bodyLimit } = this.#dependencies
    const limit = rest.endpointOf(path, method)?.bodyLimit ?? bodyLimit.usual
    return size > limit ? limit : null
  }

  /** The endpoint of a request; null where no route matches. */
  #matchOf(incoming: IncomingRequest): Endpoint | null {
    const parsed = parseRequest(incoming)
    const target = this.targetOf(incoming, parsed)
    return target.kind === 'rest' ? this.#dependencies.rest.endpointOf(target.path, parsed.method) : null
  }

  /** Resolves when no request is in flight and no work goes on. To be called once, when no more requests arrive. */
  async idle(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve
      if (this.#inFlight === 0) resolve()
    })
    await this.#dependencies.idle()
  }

  /** Ends the streams of events. */
  stopping(): void {
    this.#dependencies.stopping()
  }

  /** Aborts what still goes on at the end of the grace period. */
  cutOff(): void {
    this.#dependencies.cutOff()
  }

  #requestEnded(): void {
    this.#inFlight -= 1
    if (this.#inFlight === 0) this.#whenIdle()
  }

  #fault(error: unknown, { incoming, requestId }: PendingRequest): OutgoingResponse {
    const { method, path } = incoming
    const { writer, rest, failures } = this.#dependencies
    if (!(error instanceof AbandonedRequestError)) failures.report('request-failed', error, { requestId, method, path })
    return writer.fault(incoming, requestId, error, (response) => {
      const parsed = parseRequest(incoming)
      const target = this.targetOf(incoming, parsed)
      if (target.kind === 'rest') rest.addCrossOrigin(response, target.path, parsed.method)
    })
  }

  #respond(pending: PendingRequest): MaybePromise<OutgoingResponse> {
    const { incoming, requestId, clientWork } = pending
    if (incoming.path === '/healthz') return healthResponse(200, 'ok', requestId)
    if (incoming.path === '/readyz') return this.#ready(requestId)
    const parsed = parseRequest(incoming)
    const target = this.targetOf(incoming, parsed)
    if (target.kind === 'refused') return jsonError(target.error, requestId)
    if (target.kind === 'site') {
      const request = target.path === incoming.path ? incoming : { ...incoming, path: target.path }
      const respond = () => this.#dependencies.pages.respond(request, parsed, requestId)
      return clientWork === null ? respond() : runForClient(clientWork, respond)
    }
    const { rest, bodyLimit } = this.#dependencies
    if (!bodyLimit.isUniform) {
      const limit = this.exceededLimit(incoming, target.path, parsed.method)
      if (limit !== null) return { ...tooLarge(limit), requestId }
    }
    if (parsed.method !== incoming.method) pending.clientWork ??= clientWorkOf(incoming, parsed.method, requestId)
    return rest.respond(pending, parsed, target.path, this.#settle)
  }

  /** The target of a request: a REST route, a page, or none. */
  targetOf(incoming: IncomingRequest, parsed: ParsedRequest): RouteTarget {
    const form = incoming.method === 'POST' ? parsed.posted : null
    return routePathOf(incoming.path, parsed.query, this.#pathSettings(), form)
  }

  #pathSettings(): PathSettings {
    const homePath = this.#dependencies.homePath()
    if (this.#settings.homePath !== homePath) this.#settings = { rest_prefix: this.#dependencies.restPrefix, homePath }
    return this.#settings
  }

  /**
   * Whether requests can be served: the database answers, and the readiness checks of the application pass. A 503 makes a
   * load balancer use another process.
   */
  async #ready(requestId: string): Promise<OutgoingResponse> {
    try {
      await this.#dependencies.pingDatabase()
      const unready = await this.#dependencies.unready()
      return unready === null
        ? healthResponse(200, 'ready', requestId)
        : healthResponse(503, `not ready: ${unready}`, requestId)
    } catch (error) {
      logError(this.#dependencies.log, 'database-unreachable', { err: error, requestId })
      return healthResponse(503, databaseNotReady, requestId)
    }
  }
}

const noBody = new Uint8Array(0)

function clientWorkOf(
  { client = connectedClient }: IncomingRequest,
  method: string,
  requestId: string,
): ClientWork | null {
  return isReading(method) ? null : { client, requestId, isKept: false }
}

/** The client of a request without a socket. */
const connectedClient: ClientPresence = { destroyed: false, readableEnded: false }

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

function jsonError(error: RestError, requestId: string): OutgoingResponse {
  return {
    status: statusOf(error) ?? 400,
    headers: [
      ['Content-Type', 'application/json; charset=UTF-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    requestId,
    body: toJson({ ...errorBody(error), additional_errors: [] }),
  }
}

/** Calls a function at most once. */
function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | null = null
  return () => (result ??= { value: compute() }).value
}
