import { randomBytes } from 'node:crypto'
import type { Pages } from '../pages/pages.js'
import type { IncomingRequest, OutgoingResponse } from '../request/exchange.js'
import { parseRequest, type ParsedRequest } from '../request/rest-request.js'
import { errorBody, statusOf } from '../response/error-response.js'
import { toJson } from '../response/json.js'
import { routePathOf, type RouteTarget } from '../route/path.js'
import type { RestError } from '../errors/rest-error.js'
import type { Storage } from '../storage/storage.js'
import type { Log } from './log.js'
import type { RestService } from './rest.js'

export interface CoreParts {
  readonly rest: RestService
  readonly pages: Pages
  readonly storage: Storage
  readonly restPrefix: string
  /** Path of the site's address, `/blog`, or `''`. */
  readonly homePath: () => string
  readonly log: Log
}

/** Every request of the service: health, REST, pages. Never throws. */
export class Core {
  /** Short and without a pattern between processes; within one the order of requests. */
  readonly #idPrefix = randomBytes(6).toString('hex')
  #count = 0

  constructor(readonly parts: CoreParts) {}

  async handle(incoming: IncomingRequest): Promise<OutgoingResponse> {
    this.#count += 1
    const requestId = `${this.#idPrefix}-${this.#count.toString(36)}`
    try {
      const answer = await this.#answer(incoming, requestId)
      return incoming.method === 'HEAD' ? { ...answer, body: '' } : answer
    } catch (error) {
      this.#report(error, requestId, incoming)
      return this.parts.rest.fault(incoming, requestId, error)
    }
  }

  #report(error: unknown, requestId: string, { method, path }: IncomingRequest): void {
    try {
      this.parts.log.error({ err: error, requestId, method, path }, 'a request failed')
    } catch {
      // A log that cannot write is no reason not to answer.
    }
  }

  async #answer(incoming: IncomingRequest, requestId: string): Promise<OutgoingResponse> {
    if (incoming.path === '/healthz') return plain(200, 'ok', requestId)
    if (incoming.path === '/readyz') return this.#ready(requestId)
    const parsed = parseRequest(incoming)
    const found = this.targetOf(incoming, parsed)
    if (found.kind === 'refused') return jsonError(found.error, requestId)
    if (found.kind === 'site') return this.parts.pages.respond(incoming, parsed, requestId)
    return this.parts.rest.respond(incoming, parsed, found.path, requestId)
  }

  /** Where a request leads (WIRE 1). */
  targetOf(incoming: IncomingRequest, parsed: ParsedRequest): RouteTarget {
    const settings = { rest_prefix: this.parts.restPrefix, homePath: this.parts.homePath() }
    const form = incoming.method === 'POST' ? parsed.posted : null
    return routePathOf(incoming.path, parsed.query, settings, form)
  }

  /** Whether requests can be served, which takes the database: 503 tells a load balancer to ask somebody else. */
  async #ready(requestId: string): Promise<OutgoingResponse> {
    try {
      await this.parts.storage.ping()
      return plain(200, 'ready', requestId)
    } catch (error) {
      this.parts.log.error({ err: error, requestId }, 'the database does not answer')
      return plain(503, 'the database does not answer', requestId)
    }
  }
}

function plain(status: number, text: string, requestId: string): OutgoingResponse {
  return {
    status,
    headers: [
      ['Content-Type', 'text/plain; charset=UTF-8'],
      ['Cache-Control', 'no-store'],
      ['X-Request-Id', requestId],
    ],
    body: `${text}\n`,
  }
}

function jsonError(error: RestError, requestId: string): OutgoingResponse {
  return {
    status: statusOf(error) ?? 400,
    headers: [
      ['Content-Type', 'application/json; charset=UTF-8'],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Request-Id', requestId],
    ],
    body: toJson({ ...errorBody(error), additional_errors: [] }),
  }
}
