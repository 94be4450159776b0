import { fault, type Fault } from '../base/fault.js'
import { isMap } from '../php/array-shape.js'
import { subjectOf, type ServedRoute } from '../routing/handler-class.js'
import { maxPeriod, periods } from '../routing/rate-limit.js'
import { sourceLocationOf } from '../routing/source-location.js'
import { describeValue } from './describe-value.js'
import type { Diagnostic } from './startup-error.js'

/** Maximum number of requests in a second: counters measure time in milliseconds. */
const maxPerSecond = 1_000

/** @param limit the value of the key `rate_limit`. */
export function rateLimitFault(limit: unknown): Fault | null {
  if (limit === undefined) return null
  const invalid = (reason: string): Fault =>
    fault('rate-limit-invalid', `'rate_limit' is ${describeValue(limit)}, ${reason}`)
  if (!isMap(limit)) return invalid("but must be an object: { requests: 100, per: 'minute' }.")
  const { requests, per, ...others } = limit
  const [other] = Object.keys(others)
  if (other !== undefined) return invalid(`but '${other}' is not a key of it. Use one of: requests, per.`)
  const seconds = typeof per === 'string' && Object.hasOwn(periods, per) ? periods[per as keyof typeof periods] : per
  if (!Number.isSafeInteger(seconds) || Number(seconds) < 1 || Number(seconds) > maxPeriod)
    return invalid(
      `but 'per' must be 'second', 'minute', 'hour', 'day', or a whole number of seconds up to ${maxPeriod.toLocaleString('en')}.`,
    )
  const maxRequests = Number(seconds) * maxPerSecond
  return Number.isSafeInteger(requests) && Number(requests) >= 1 && Number(requests) <= maxRequests
    ? null
    : invalid(
        `but 'requests' must be a whole number from 1 to ${maxRequests.toLocaleString('en')} (1,000 for each second).`,
      )
}

/** Limits on the database of a WordPress site, where processes have no table to count together in, and no Redis. */
export function faultsOfUnsharedLimits(routes: readonly ServedRoute[]): readonly Diagnostic[] {
  return routes
    .filter(({ declaration }) => isMap(declaration) && declaration['rate_limit'] !== undefined)
    .map((route) => ({
      ...fault(
        'rate-limit-not-shared',
        "'rate_limit' needs counters that all processes share, and the database of a WordPress site gets no table for them. " +
          "Set the option 'redis_url', or 'service_database' to a database on a server, or remove 'rate_limit'.",
      ),
      location: sourceLocationOf(route.site),
      subject: subjectOf(route),
    }))
}
