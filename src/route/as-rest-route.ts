import type { ArgumentSchema } from '../arguments/rules.js'
import type { RestRequest } from '../request/rest-request.js'
import type { RestResponse } from '../response/rest-response.js'
import type { ArgumentsCheck, NamespaceCheck, PermissionCheck, RouteCheck } from './checks.js'
import type { Method, RouteDeclaration } from './declaration.js'
import type { ParametersOf } from './parameters.js'
import { rememberRoute } from './registry.js'

type Result = RestResponse | Promise<RestResponse>

/** A declaration with its literal types kept, each part checked where it is written. */
export interface Declaration<
  N extends string = string,
  R extends string = string,
  P = string | null | undefined,
  A = ArgumentSchema,
> {
  /** `<name>/v<N>`, for example `shop/v1`. */
  readonly namespace: N & NamespaceCheck<N>
  /** A PCRE pattern beginning with `/`; `(?P<id>\d+)` is the path parameter `id`. */
  readonly route: R & RouteCheck<R>
  /** Default `GET`. */
  readonly method?: Method
  /** `'public'`, or the name of a method of this class; default: the capability `rest_default_capability`. */
  readonly permission?: P
  /** Rules by argument name. */
  readonly args?: A & ArgumentsCheck<A>
  /** Whether `POST /batch/v1` may carry requests to this route. Default false. */
  readonly allow_batch?: boolean
  /** Whether the index and OPTIONS describe the route. Default true. */
  readonly show_in_index?: boolean
}

/** Keeps the literal types of a declaration that is held in a constant, for {@link RequestOf}. */
export function route<
  const N extends string,
  const R extends string,
  const P extends string | null | undefined = undefined,
  const A extends ArgumentSchema = {},
>(
  declaration: Declaration<N, R, P, A>,
): { readonly namespace: N; readonly route: R; readonly method?: Method; readonly permission?: P; readonly args: A } {
  return declaration as never
}

/** The request of a declaration held in a constant: `request: RequestOf<typeof listProducts>`. */
export type RequestOf<D extends { readonly route: string; readonly args: unknown }> = RestRequest<
  ParametersOf<D['route'], D['args']>
>

type PublicMethod<This> = ClassMethodDecoratorContext<This> & {
  readonly static: false
  readonly private: false
  readonly name: string
}

/** How many frames of the stack are kept to find the place of a declaration: a compiler's helpers may stand between. */
const keptFrames = 4

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
  const P extends string | null | undefined = undefined,
  const A extends ArgumentSchema = {},
>(declaration: Declaration<N, R, P, A>) {
  const site: { stack?: string } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = keptFrames
  Error.captureStackTrace(site, AsRestRoute)
  Error.stackTraceLimit = limit
  return <This extends object>(
    _handler: (this: This, request: RestRequest<ParametersOf<R, A>>) => Result,
    context: PublicMethod<This> & PermissionCheck<This, P, RestRequest<ParametersOf<R, A>>>,
  ): void => {
    const place = context as unknown as ClassMethodDecoratorContext | string | undefined
    if (typeof place !== 'object' || place.kind !== 'method') {
      throw new TypeError(
        '@AsRestRoute needs standard decorators on a method: remove "experimentalDecorators" from tsconfig.json.',
      )
    }
    rememberRoute(place.metadata as object, {
      declaration: declaration as unknown as RouteDeclaration,
      member: String(place.name),
      isStatic: place.static,
      isPrivate: place.private,
      site,
    })
  }
}
