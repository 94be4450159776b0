import type { CompiledArguments } from '../validation/compile.js'
import type { ArgumentSchema } from '../validation/rules.js'
import type { Requirement } from '../auth/requirement.js'
import type { HttpRequest } from '../http/rest-request.js'

/** A declaration's `cache`, with everything that was left out. */
export interface CacheRule {
  readonly seconds: number
  /** In lower case; null for what was asked of the database while the answer was made. */
  readonly tags: readonly string[] | null
}

/** A declaration with everything decided that does not depend on a request. */
export interface Endpoint {
  /** `shop/v1`; null outside all namespaces, as the index is. */
  readonly namespace: string | null
  /** As declared: `/products/(?P<id>\d+)` */
  readonly route: string
  readonly methods: readonly string[]
  /** As declared, for the index and OPTIONS. */
  readonly args: ArgumentSchema
  readonly arguments: CompiledArguments
  readonly requirement: Requirement
  /**
   * What the requirement asks, as a key: two endpoints with the same question get the same answer within a request, so
   * it is asked once.
   */
  readonly question: unknown
  /** The permission callback; `null` when the requirement is not one. */
  readonly permit: ((request: HttpRequest) => unknown) | null
  readonly handle: (request: HttpRequest) => unknown
  readonly allowBatch: boolean
  readonly showInIndex: boolean
  /** How long answers may be given again; left out or null: never. */
  readonly cache?: CacheRule | null
  /** `ProductsApi.show`, for the log. */
  readonly name: string
}
