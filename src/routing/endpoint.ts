import type { CompiledArguments } from '../validation/compile.js'
import type { CompiledResponses } from '../validation/responses.js'
import type { ArgumentSchema } from '../validation/rules.js'
import type { HttpRequest } from '../http/http-request.js'
import type { CrossOriginHeaders } from './cross-origin-headers.js'
import type { IdempotencyKey } from './idempotency-key.js'
import type { RateLimitRule } from './rate-limit.js'
import type { Permission } from './permission.js'

/** The key `cache` of a declaration, with its defaults. */
export interface CacheRule {
  readonly seconds: number
  /** The kinds of data whose writes drop a response, in lower case; null for the kinds that the handler reads. */
  readonly tags: readonly string[] | null
}

/** A compiled declaration: everything that does not depend on a request is computed. */
export interface Endpoint {
  /** `shop/v1`; null outside all namespaces, as for the index. */
  readonly namespace: string | null
  /** As declared: `/products/(?P<id>\d+)` */
  readonly route: string
  readonly methods: readonly string[]
  /** As declared, for the index and OPTIONS. */
  readonly args: ArgumentSchema
  readonly arguments: CompiledArguments
  readonly permission: Permission
  readonly handle: (request: HttpRequest) => unknown
  readonly allowBatch: boolean
  readonly showInIndex: boolean
  /** The schemas of its responses; absent or null: none. */
  readonly responses?: CompiledResponses | null
  /** As declared, for OPTIONS; absent or null: none. */
  readonly schema?: Readonly<Record<string, unknown>> | null
  /** For how long responses are cached; absent or null: never. */
  readonly cache?: CacheRule | null
  /** How many requests of one caller are answered; absent or null: any number. */
  readonly rateLimit?: RateLimitRule | null
  /** Whether requests may or must have the header `Idempotency-Key`; absent or null: it has no effect. */
  readonly idempotencyKey?: IdempotencyKey | null
  /** Whether the handler may answer with an `EventStream`. Absent: it may not. */
  readonly isEventStream?: boolean
  /** Bytes that a body may have; absent or null: the option `body_limit`. */
  readonly bodyLimit?: number | null
  /** How many files a form may have; absent or null: 20. */
  readonly maxFiles?: number | null
  /** Headers that the CORS headers of the route name besides those of all routes; absent or null: none. */
  readonly crossOrigin?: CrossOriginHeaders | null
  /** Milliseconds until a request is answered with 503, 0 for no limit; absent or null: the option `request_timeout`. */
  readonly timeout?: number | null
  /** `ProductsApi.show`, for the log. */
  readonly name: string
}
