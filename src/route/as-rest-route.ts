import type { RestRequest } from '../request/rest-request.js'
import type { ArgumentsCheck, OtherText, WrittenSchema } from './argument-checks.js'
import type { CacheCheck, MethodCheck, NamespaceCheck, RouteCheck } from './checks.js'
import type { CacheDeclaration, Method, RouteDeclaration } from './declaration.js'
import type { ParametersOf } from './parameters.js'
import { rememberRoute } from './registry.js'
import { snapshotOf } from './snapshot.js'
import type { TargetCheck } from './target-checks.js'

/** A declaration with its literal types kept, each part checked where it is written. */
export interface Declaration<N extends string, R extends string, M extends string, P, A> {
  /** `<name>/v<N>`, for example `shop/v1`. */
  readonly namespace: N & NamespaceCheck<N>
  /** A PCRE pattern beginning with `/`; `(?P<id>\d+)` is the path parameter `id`. */
  readonly route: R & RouteCheck<R>
  /** Default `GET`. */
  readonly method?: M & MethodCheck<M>
  /** `'public'`, or the name of a method of this class; default: the capability `rest_default_capability`. */
  readonly permission?: P
  /** Rules by argument name. */
  readonly args?: WrittenSchema & A & ArgumentsCheck<A>
  /** Whether `POST /batch/v1` may carry requests to this route. Default false. */
  readonly allow_batch?: boolean
  /** Whether the index and OPTIONS describe the route. Default true. */
  readonly show_in_index?: boolean
  /**
   * For how many seconds an answer may be given again, by the service, browsers and proxies; the service drops it as
   * soon as what it was made of is written. Only for a public GET, whose handler looks at its parameters and at nothing
   * else of the request. Default: never.
   */
  readonly cache?: (number | CacheDeclaration) & CacheCheck<M, P>
}

/** What {@link route} gives back: the declaration with everything that was left out filled in. */
export interface SharedDeclaration<N extends string, R extends string, M extends string, P, A> {
  readonly namespace: N
  readonly route: R
  readonly method: M
  readonly permission: P
  readonly args: A
  readonly allow_batch: boolean
  readonly show_in_index: boolean
}

/** Keeps the literal types of a declaration that is held in a constant, for {@link RequestOf}. */
export function route<
  const N extends string,
  const R extends string,
  const M extends Method | OtherText = 'GET',
  const P extends string | null | undefined = null,
  const A extends WrittenSchema = {},
>(declaration: Declaration<N, R, M, P, A>): SharedDeclaration<N, R, M, P, A> {
  const defaults = { method: 'GET', permission: null, args: {}, allow_batch: false, show_in_index: true }
  return { ...defaults, ...declaration } as unknown as SharedDeclaration<N, R, M, P, A>
}

/** The request of a declaration held in a constant: `request: RequestOf<typeof listProducts>`. */
export type RequestOf<D extends { readonly route: string }> = RestRequest<
  ParametersOf<D['route'], D extends { readonly args: infer A } ? A : {}>
>

/** How many frames of the stack are kept to find the place of a declaration: a compiler's helpers may stand between. */
const keptFrames = 2

/**
 * Declares a method as an HTTP endpoint; nothing is registered by hand. Repeatable: one method may answer several
 * routes. Wrong declarations are refused by the compiler where types can see it, and by the start of the service
 * always.
 *
 * @throws TypeError when the compiler option `experimentalDecorators` is on.
 */
export function AsRestRoute<
  const N extends string,
  const R extends string,
  const M extends Method | OtherText = 'GET',
  const P extends string | null | undefined = null,
  const A extends WrittenSchema = {},
>(declaration: Declaration<N, R, M, P, A>) {
  const site: { stack?: string } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = keptFrames
  Error.captureStackTrace(site, AsRestRoute)
  Error.stackTraceLimit = limit
  const written = snapshotOf(declaration) as RouteDeclaration
  return <Context>(_target: unknown, context: Context & TargetCheck<Context, P, ParametersOf<R, A>>): void => {
    const target = context as DecoratorContext | string | symbol | undefined
    if (typeof target !== 'object') throw legacyDecorators(site)
    rememberRoute(target.metadata as object, {
      declaration: written,
      kind: target.kind,
      member: String(target.name ?? ''),
      isSymbol: typeof target.name === 'symbol',
      isStatic: 'static' in target && target.static,
      isPrivate: 'private' in target && target.private,
      site,
    })
  }
}

/** Reads as if it were thrown where the decorator is written. */
function legacyDecorators(site: { readonly stack?: string }): TypeError {
  const error = new TypeError(
    '@AsRestRoute needs standard decorators: remove "experimentalDecorators" from tsconfig.json ' +
      '(or from the options of the tool that compiles this file).',
  )
  error.stack = `${error.name}: ${error.message}\n${(site.stack ?? '').replace(/^.*?\n/, '')}`
  return error
}
