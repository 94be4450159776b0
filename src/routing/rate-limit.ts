/** The named periods of a limit, in seconds. */
export const periods = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const

/** How many requests of one caller a route accepts. */
export interface RateLimitDeclaration {
  /** A whole number from 1 on, at most 1,000 for each second of `per`. */
  readonly requests: number
  /** `'second'`, `'minute'`, `'hour'`, `'day'`, or a whole number of seconds up to 31 days. */
  readonly per: keyof typeof periods | number
}

/** Maximum period of a limit, in seconds. */
export const maxPeriod = 31 * 86_400

/** The key `rate_limit` of a declaration, as requests are counted by it. */
export interface RateLimitRule {
  readonly requests: number
  readonly seconds: number
  /** Names the counters: the same in all processes that serve the route. */
  readonly name: string
  /** Milliseconds that one request adds to the leaky bucket of its caller. */
  readonly milliseconds: number
  /** Milliseconds that the bucket holds. */
  readonly capacity: number
}

export const secondsOf = ({ per }: RateLimitDeclaration): number => (typeof per === 'number' ? per : periods[per])

/** Null for a declaration without a limit. */
export function rateLimitRuleOf(declaration: {
  readonly namespace: string | null
  readonly route: string
  readonly method?: string
  readonly rate_limit?: RateLimitDeclaration
}): RateLimitRule | null {
  const { namespace, route, method = 'GET', rate_limit: limit } = declaration
  if (limit === undefined) return null
  const seconds = secondsOf(limit)
  const milliseconds = Math.floor((seconds * 1000) / limit.requests)
  const name = `${method} ${namespace ?? ''}${route}`
  return { requests: limit.requests, seconds, name, milliseconds, capacity: milliseconds * limit.requests }
}

/** The headers of a limit, which pages of other origins may read. */
export const rateLimitHeaders = {
  request: [],
  response: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
} as const
