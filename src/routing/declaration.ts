import type { Next } from './around.js'
import type { IdempotencyKey } from './idempotency-key.js'
import type { RateLimitDeclaration } from './rate-limit.js'
import type { DeclaredArguments, DeclaredResponseSchemas } from '../validation/described-rules.js'

/** The methods a declaration may name. HEAD and OPTIONS are answered by the service itself. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** The permission function of an endpoint. */
export type PermissionCallback = (request: never, dependencies: never) => unknown

/** How long a response is cached, and which writes invalidate it. */
export interface CacheDeclaration {
  /** Seconds for which a response is cached. A whole number from 1 on. */
  readonly seconds: number
  /**
   * The data that a response depends on: record types, `terms`, `users`, `options`. A write to any of them drops the
   * response. Default: the data that the handler reads.
   */
  readonly tags?: readonly string[]
}

/** One declared endpoint: namespace, pattern and method, the permission to call it, and its arguments. */
export interface RouteDeclaration {
  /** `<name>/v<N>`, for example `shop/v1`. */
  readonly namespace: string
  /** A PCRE pattern beginning with `/`; `(?P<id>\d+)` is the path parameter `id`. */
  readonly route: string
  /** Default `GET`. */
  readonly method?: Method
  /**
   * `'public'`, or the permission callback, which returns whether the caller may use the endpoint: the name of a method of the class,
   * or a function for an endpoint without a class. Default: the capability of `rest_default_capability`.
   */
  readonly permission?: string | PermissionCallback | null
  /** Rules by argument name, or one schema of a library for all: validated and applied before the handler runs. Default: none. */
  readonly args?: DeclaredArguments
  /** Whether arguments without rules are accepted. Default true. */
  readonly additional_args?: boolean
  /** A schema of the body for each status. Default: none, so that any body is sent. */
  readonly responses?: DeclaredResponseSchemas
  /** Whether `POST /batch/v1` may carry requests to this route. Default false. */
  readonly allow_batch?: boolean
  /** Whether the index and OPTIONS describe the route. Default true. */
  readonly show_in_index?: boolean
  /**
   * A JSON Schema of the body of responses. OPTIONS shows that of the last declaration that has one. Default:
   * from `responses`.
   */
  readonly schema?: Readonly<Record<string, unknown>>
  /** For a public GET: for how many seconds responses are cached. Default: they are not. */
  readonly cache?: number | CacheDeclaration
  /** Functions around the handler, the outermost first, within those of the class and of the configuration. */
  readonly around?: readonly ((request: never, next: Next) => unknown)[]
  /** Seconds until a request is answered with 503; 0 for no limit. Default: the option `request_timeout`. */
  readonly timeout?: number
  /** How many requests of one user, or else of one network, are accepted; further ones are refused with 429. Default: any number. */
  readonly rate_limit?: RateLimitDeclaration
  /** For a POST: whether requests may or must have the header `Idempotency-Key`. Default: it has no effect. */
  readonly idempotency_key?: IdempotencyKey
  /** For a GET: whether the handler may answer with an `EventStream`. Default false. */
  readonly event_stream?: boolean
  /** Bytes that the body of a request may have; a larger one is refused with 413. Default: the option `body_limit`. */
  readonly body_limit?: number
  /** How many files a `multipart/form-data` body may have; more are refused with 400. Default 20. */
  readonly max_files?: number
  /** Only for an endpoint without a class: the classes whose instances its functions get, by name. */
  readonly dependencies?: Readonly<Record<string, abstract new (...parameters: never[]) => unknown>>
}

/** The keys of a declaration for a method. The start refuses any other. */
export const declarationKeys: readonly string[] = [
  'namespace',
  'route',
  'method',
  'permission',
  'args',
  'additional_args',
  'responses',
  'allow_batch',
  'show_in_index',
  'schema',
  'cache',
  'around',
  'timeout',
  'rate_limit',
  'idempotency_key',
  'event_stream',
  'body_limit',
  'max_files',
]

/** The keys of a declaration for a handler function. */
export const endpointKeys: readonly string[] = [...declarationKeys, 'dependencies']
