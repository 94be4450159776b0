import type { ArgumentSchema } from '../validation/rules.js'

/** The methods a declaration may name. HEAD and OPTIONS are answered by the service itself. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** How long an answer may be given again. */
export interface CacheDeclaration {
  /** A whole number from 1 on. */
  readonly seconds: number
  /**
   * What an answer is made of: types of records, `terms`, `users`, `options`; a write to any of it drops the answer.
   * Default: what was asked of the record store while the answer was made.
   */
  readonly tags?: readonly string[]
}

/** One declared endpoint, as it was written: namespace + pattern + method, who may call it, what it takes. */
export interface RouteDeclaration {
  /** `<name>/v<N>`, for example `shop/v1`. */
  readonly namespace: string
  /** A PCRE pattern beginning with `/`; `(?P<id>\d+)` is the path parameter `id`. */
  readonly route: string
  /** Default `GET`. */
  readonly method?: Method
  /** `'public'`, or the name of a method of the class that answers whether the caller may; default: the capability of `rest_default_capability`. */
  readonly permission?: string | null
  /** Rules by argument name, validated and applied before the handler runs. Default: none. */
  readonly args?: ArgumentSchema
  /** Whether `POST /batch/v1` may carry requests to this route. Default false. */
  readonly allow_batch?: boolean
  /** Whether the index and OPTIONS describe the route. Default true. */
  readonly show_in_index?: boolean
  /** How long answers may be given again, in seconds; for a public GET. Default: never. */
  readonly cache?: number | CacheDeclaration
}

/** Every key of a declaration; any other stops the start. */
export const declarationKeys: readonly string[] = [
  'namespace',
  'route',
  'method',
  'permission',
  'args',
  'allow_batch',
  'show_in_index',
  'cache',
]
