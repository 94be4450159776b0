import { requesterOf } from '../auth/network.js'
import { requestCounter, type CountedRequest, type RequestCounters } from '../auth/request-counters.js'
import type { Caller } from '../http/caller.js'
import { anonymous } from '../http/caller.js'
import type { IncomingRequest, LimitDecision } from '../http/exchange.js'
import { RestError } from '../http/rest-error.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { RateLimitRule } from '../routing/rate-limit.js'

/**
 * The step limit: counts the requests to routes that declare `rate_limit`, by user, or else by network. It follows the
 * identification of the caller, and precedes validation, so that requests with wrong arguments count as well.
 */
export class RequestLimits {
  readonly #counters: RequestCounters

  constructor(counters: RequestCounters) {
    this.#counters = counters
  }

  /** @throws UnavailableError or StorageError when the counters cannot be reached. */
  async count({ incoming, user }: HttpRequest, rule: RateLimitRule): Promise<LimitDecision> {
    return incoming.limited ?? this.#count(incoming, user, rule)
  }

  /** Counts a request whose response may be cached, before its caller is identified: it has no credentials. */
  async countAnonymous(incoming: IncomingRequest, rule: RateLimitRule): Promise<LimitDecision> {
    return this.#count(incoming, anonymous, rule)
  }

  async #count(incoming: IncomingRequest, { id }: Caller, rule: RateLimitRule): Promise<LimitDecision> {
    const counter = requestCounter(rule.name, requesterOf(id, incoming.address), rule)
    return (incoming.limited = limitDecision(rule, await this.#counters.count(counter)))
  }
}

/** The response with the headers of the limit. */
export function withLimitHeaders(response: RestResponse, { headers }: LimitDecision): RestResponse {
  for (const [name, value] of headers) response.header(name, value)
  return response
}

function limitDecision(rule: RateLimitRule, { isAllowed, left }: CountedRequest): LimitDecision {
  const { requests, seconds, milliseconds, capacity } = rule
  const remaining = isAllowed ? Math.max(0, Math.floor((capacity - left) / milliseconds)) : 0
  const headers = [
    ['RateLimit-Policy', `"default";q=${requests};w=${seconds}`],
    ['RateLimit', `"default";r=${remaining};t=${Math.ceil(left / 1000)}`],
  ] as const
  if (isAllowed) return { refusal: null, headers }
  const wait = Math.max(1, Math.ceil((left + milliseconds - capacity) / 1000))
  const refusal = new RestError(
    'rest_too_many_requests',
    `Too many requests: ${requests} are allowed in ${seconds} s. Try again in ${wait} s.`,
    { status: 429, headers: { 'Retry-After': String(wait) } },
  )
  return { refusal, headers }
}
