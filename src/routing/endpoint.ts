import type { CompiledArguments } from '../validation/compile.js'
import type { ArgumentSchema } from '../validation/rules.js'
import type { Requirement } from '../auth/requirement.js'
import type { HttpRequest } from '../http/rest-request.js'

/** The key `cache` of a declaration, with its defaults. */
export interface CacheRule {
  readonly seconds: number
  /** In lower case; null for the kinds of data that the handler reads. */
  readonly tags: readonly string[] | null
}

/** A compiled declaration: all that does not depend on a request is decided. */
export interface Endpoint {
  /** `shop/v1`; null outside all namespaces, as for the index. */
  readonly namespace: string | null
  /** As declared: `/products/(?P<id>\d+)` */
  readonly route: string
  readonly methods: readonly string[]
  /** As declared, for the index and OPTIONS. */
  readonly args: ArgumentSchema
  readonly arguments: CompiledArguments
  readonly requirement: Requirement
  /**
   * The key of the permission. Endpoints with the same key get the same verdict within a request, so the callback runs
   * once.
   */
  readonly permissionKey: unknown
  /** The permission callback; `null` when the requirement is not one. */
  readonly permit: ((request: HttpRequest) => unknown) | null
  readonly handle: (request: HttpRequest) => unknown
  readonly allowBatch: boolean
  readonly showInIndex: boolean
  /** For how long responses are cached; absent or null: never. */
  readonly cache?: CacheRule | null
  /** `ProductsApi.show`, for the log. */
  readonly name: string
}
