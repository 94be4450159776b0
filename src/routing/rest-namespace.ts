import type { AnyString, WrittenArguments } from './argument-checks.js'
import { methodDecorator, route, type Declaration, type MethodKeys, type SharedDeclaration } from './as-rest-route.js'
import type { NamespaceCheck } from './checks.js'
import { addDeclaringFunction, captureSite } from './declaration-site.js'
import type { Method } from './declaration.js'
import type { ParametersOf } from './parameters.js'
import {
  createEndpoint,
  type DependencyClasses,
  type EndpointKeys,
  type Handler,
  type RestEndpoint,
} from './rest-endpoint.js'
import type { WrittenResponses } from './response-checks.js'
import type { TargetCheck } from './target-checks.js'

/** `AsRestRoute`, `route` and `endpoint` whose declarations need no namespace, because all have this one. */
export interface RestNamespace<N extends string> {
  readonly namespace: N
  AsRestRoute<
    const R extends string,
    const M extends Method | AnyString = 'GET',
    const P extends string | null | undefined = null,
    const A extends WrittenArguments = {},
    const S extends WrittenResponses = {},
  >(
    declaration: MethodKeys<R, M, P, A, S>,
  ): <Context>(_target: unknown, context: Context & TargetCheck<Context, P, ParametersOf<R, A>, S>) => void
  route<
    const R extends string,
    const M extends Method | AnyString = 'GET',
    const P extends string | null | undefined = null,
    const A extends WrittenArguments = {},
    const S extends WrittenResponses = {},
  >(
    declaration: MethodKeys<R, M, P, A, S>,
  ): SharedDeclaration<N, R, M, P, A, S>
  endpoint<
    const R extends string,
    const M extends Method | AnyString = 'GET',
    const P extends 'public' | null | undefined = null,
    const A extends WrittenArguments = {},
    const S extends WrittenResponses = {},
    const D extends DependencyClasses = {},
    const Returned = unknown,
  >(
    declaration: EndpointKeys<R, M, P, A, D, S>,
    handler: Handler<R, A, D, Returned, S>,
  ): RestEndpoint
}

/**
 * Declares routes of one namespace without repeating it:
 *
 *     const shop = restNamespace('shop/v1')
 *
 *     export class ProductsApi {
 *       @shop.AsRestRoute({ route: '/products', permission: 'public' })
 *       list() { … }
 *     }
 */
export function restNamespace<const N extends string>(namespace: N & NamespaceCheck<N>): RestNamespace<N> {
  const withNamespace = (declaration: object): object => ({ namespace, ...declaration })
  function AsRestRoute(declaration: object) {
    return methodDecorator(withNamespace(declaration), captureSite())
  }
  function endpoint(declaration: object, handler: unknown): RestEndpoint {
    return createEndpoint(withNamespace(declaration), handler, captureSite())
  }
  addDeclaringFunction(AsRestRoute)
  addDeclaringFunction(endpoint)
  return {
    namespace,
    AsRestRoute,
    endpoint,
    route: (declaration: object) => route(withNamespace(declaration) as Declaration<string, string, string, null, {}>),
  } as unknown as RestNamespace<N>
}
