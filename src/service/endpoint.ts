import type { CompiledArguments } from '../arguments/compile.js'
import type { ArgumentSchema } from '../arguments/rules.js'
import type { Requirement } from '../permission/requirement.js'
import type { HttpRequest } from '../request/rest-request.js'
import type { RestResponse } from '../response/rest-response.js'

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
   * it is asked once (DESIGN 3.10).
   */
  readonly question: unknown
  /** The permission callback; `null` when the requirement is not one. */
  readonly permit: ((request: HttpRequest) => unknown) | null
  readonly handle: (request: HttpRequest) => unknown
  readonly allowBatch: boolean
  readonly showInIndex: boolean
  /** `ProductsApi.show`, for the log. */
  readonly name: string
}

/** What a handler must return; anything else is its fault. */
export type Handled = RestResponse | Promise<RestResponse>
