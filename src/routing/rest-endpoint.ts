import type { Complaint } from '../base/complaint.js'
import type { RestRequest } from '../http/rest-request.js'
import type { AnyString, WrittenArguments } from './argument-checks.js'
import type { RouteKeys } from './as-rest-route.js'
import type { NamespaceCheck } from './checks.js'
import type { Method, RouteDeclaration } from './declaration.js'
import { addDeclaringFunction, captureSite, type DeclarationSite } from './declaration-site.js'
import type { ParametersOf } from './parameters.js'
import { registerEndpoint, type Target } from './registry.js'
import type { ResponseCheck, WrittenResponses } from './response-checks.js'
import { snapshotOf } from './snapshot.js'
import type { IsSendable, UnsendableSentence } from './target-checks.js'

/** Classes by name: `{ records: RecordStore }`. */
export type DependencyClasses = Readonly<Record<string, abstract new (...parameters: never[]) => unknown>>

/** The instances of these classes, by the same names. */
export type DependenciesOf<D> = {
  readonly [Name in keyof D]: D[Name] extends abstract new (...parameters: never[]) => infer Instance ? Instance : never
}

/** Returns whether the caller may use the endpoint. Any value but `true` refuses. */
export type PermissionFunction<P extends object, D> = (
  request: RestRequest<P>,
  dependencies: DependenciesOf<D>,
) => boolean | Promise<boolean>

/** The keys of a declaration for a handler function. */
export interface EndpointKeys<R extends string, M extends string, P, A, D, S> extends RouteKeys<R, M, P, A, S> {
  /**
   * `'public'`, or a function that returns whether the caller may use the endpoint. Default: the capability that the option
   * `rest_default_capability` names.
   */
  readonly permission?: P | PermissionFunction<ParametersOf<R, A>, D>
  /** The classes whose instances the handler and the permission function get as their second parameter. */
  readonly dependencies?: D
}

/** A declaration for a handler function, with its literal types kept, each part checked where it is written. */
export interface EndpointDeclaration<
  N extends string,
  R extends string,
  M extends string,
  P,
  A,
  D,
  S,
> extends EndpointKeys<R, M, P, A, D, S> {
  /** `<name>/v<N>`, for example `shop/v1`. */
  readonly namespace: N & NamespaceCheck<N>
}

/** A handler function. What it returns must be a RestResponse, a JSON value or null, or a promise of one. */
export type Handler<R extends string, A, D, Returned, S> = ((
  request: RestRequest<ParametersOf<R, A>>,
  dependencies: DependenciesOf<D>,
) => Returned) &
  (IsSendable<Returned> extends true
    ? ResponseCheck<Returned, S, 'the handler', unknown>
    : Complaint<UnsendableSentence<'the handler'>>)

/** An endpoint as a value. A service serves it if its module exports it, or if it is in the list passed to `boot`. */
export interface RestEndpoint {
  /** `shop/v1` */
  readonly namespace: string
  /** As declared: `/products/(?P<id>\d+)` */
  readonly route: string
  readonly method: Method
}

/**
 * Declares a function as an HTTP endpoint. The types of the request and of the dependencies follow from the declaration:
 *
 *     export const showProduct = endpoint(
 *       { namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', permission: 'public', dependencies: { records: RecordStore } },
 *       async (request, { records }) => records.get(request.pathId('id')),
 *     )
 *
 * The handler returns a RestResponse, or a JSON value or `null`, which is sent with the status 200. The start of the
 * service refuses a wrong declaration, as it does with {@link AsRestRoute}.
 */
export function endpoint<
  const N extends string,
  const R extends string,
  const M extends Method | AnyString = 'GET',
  const P extends 'public' | null | undefined = null,
  const A extends WrittenArguments = {},
  const D extends DependencyClasses = {},
  const S extends WrittenResponses = {},
  const Returned = unknown,
>(declaration: EndpointDeclaration<N, R, M, P, A, D, S>, handler: Handler<R, A, D, Returned, S>): RestEndpoint {
  return createEndpoint(declaration, handler, captureSite())
}
addDeclaringFunction(endpoint)

const handlerFunction: Target = { kind: 'function', isSymbol: false, isStatic: false, isPrivate: false }

/** @param declaration anything: the start of the service reports what is wrong with it. */
export function createEndpoint(declaration: unknown, handler: unknown, site: DeclarationSite): RestEndpoint {
  const copy = snapshotOf(declaration) as RouteDeclaration
  const { namespace, route, method = 'GET' } = (copy ?? {}) as RouteDeclaration
  const value: RestEndpoint = Object.freeze({ namespace, route, method })
  registerEndpoint(value, { declaration: copy, member: '', target: handlerFunction, site, handler })
  return value
}
