import type { DiagnosticCode } from '../base/startup-errors.js'
import type { RestRequest } from '../http/rest-request.js'
import type { ArgumentsCheck, ArgumentsContext, AnyString, WrittenArguments } from './argument-checks.js'
import type { AroundOf } from './around.js'
import type { CacheCheck, MethodCheck, NamespaceCheck, RouteCheck } from './checks.js'
import type { CacheDeclaration, Method, RouteDeclaration } from './declaration.js'
import type { ParametersOf } from './parameters.js'
import { addDeclaringFunction, framesOf, type DeclarationSite } from './declaration-site.js'
import type { IdempotencyKey } from './idempotency-key.js'
import type { RateLimitDeclaration } from './rate-limit.js'
import { registerRoute, type Target } from './registry.js'
import type { ResponsesCheck, WrittenResponses } from './response-checks.js'
import { snapshotOf } from './snapshot.js'
import type { TargetCheck } from './target-checks.js'

/** The keys of every declaration but its namespace and its permission. */
export interface RouteKeys<R extends string, M extends string, P, A, S> {
  /** A PCRE pattern beginning with `/`; `(?P<id>\d+)` is the path parameter `id`. */
  readonly route: R & RouteCheck<R>
  /** Default `GET`. */
  readonly method?: M & MethodCheck<M>
  /** Rules by argument name; or one schema of a library for all arguments: `z.object({ … })`. */
  readonly args?: ArgumentsContext<A> & A & ArgumentsCheck<A>
  /**
   * `false`: arguments without rules are refused with 400, so that a misspelt name is noticed. Captures of the path and
   * parameters of the service itself, which begin with `_`, are accepted. Default true.
   */
  readonly additional_args?: boolean
  /**
   * The responses of the route: a schema for each status, in the rules of `args`. The body of a response has the
   * described properties and no others. Default: any body.
   */
  readonly responses?: WrittenResponses & S & ResponsesCheck<S>
  /** Whether `POST /batch/v1` may carry requests to this route. Default false. */
  readonly allow_batch?: boolean
  /** Whether the index and OPTIONS describe the route. Default true. */
  readonly show_in_index?: boolean
  /**
   * A JSON Schema of the resource, as documentation: responses are not checked against it. OPTIONS shows that of the last
   * declaration of the route that has one. Default: the schema of the successful response in `responses`, or of its items if
   * that is a list.
   */
  readonly schema?: Readonly<Record<string, unknown>>
  /**
   * For how many seconds a response may be sent again, by the service, browsers and proxies. The service drops it as soon
   * as data that it depends on is written. Only for a public GET whose handler reads the parameters of the request and
   * nothing else of it. Default: never.
   */
  readonly cache?: (number | CacheDeclaration) & CacheCheck<M, P>
  /**
   * Functions around the handler, the outermost first: `[measured, (request, next) => …]`. They run within those of the
   * configuration and of the class, after the permission.
   */
  readonly around?: AroundOf<ParametersOf<R, A>>
  /**
   * Seconds until a request is answered with 503 and the `signal` of the request aborts; 0 for no limit. The limit ends when
   * the head of the response is sent. Default: the option `request_timeout`, 30.
   */
  readonly timeout?: number
  /**
   * How many requests each caller may make: `{ requests: 100, per: 'minute' }`. Further ones are refused with 429 and
   * `Retry-After`. A caller is a user; without a login, the network of the address. In the example, all 100 may come at once,
   * and then one every 0.6 seconds. All processes count together. Default: no limit.
   */
  readonly rate_limit?: RateLimitDeclaration
  /**
   * For a POST: requests may (`'optional'`) or must (`'required'`) have the header `Idempotency-Key`. A request with
   * the key of an earlier request of the same caller gets the response to that request, and the handler does not run. Responses are kept for 24
   * hours. Default: the header has no effect.
   */
  readonly idempotency_key?: IdempotencyKey
  /** For a GET: whether the handler may answer with an `EventStream`. Default false. */
  readonly event_stream?: boolean
  /**
   * Bytes that the body of a request may have, in place of the option `body_limit`: fewer or more. A larger body is refused
   * with 413 and not kept in memory. Default: the option.
   */
  readonly body_limit?: number
  /** How many files a `multipart/form-data` body may have, from 0 to 1,000; more are refused with 400. Default 20. */
  readonly max_files?: number
}

/** The keys of a declaration for a method of a class. */
export interface MethodKeys<R extends string, M extends string, P, A, S> extends RouteKeys<R, M, P, A, S> {
  /** `'public'`, or the name of a method of this class. Default: the capability that the option `rest_default_capability` names. */
  readonly permission?: P
}

/** A declaration with its literal types kept, each part checked where it is written. */
export interface Declaration<N extends string, R extends string, M extends string, P, A, S = {}> extends MethodKeys<
  R,
  M,
  P,
  A,
  S
> {
  /** `<name>/v<N>`, for example `shop/v1`. */
  readonly namespace: N & NamespaceCheck<N>
}

/** The result of {@link route}: the declaration with the defaults of the keys that were left out. */
export interface SharedDeclaration<N extends string, R extends string, M extends string, P, A, S = {}> {
  readonly namespace: N
  readonly route: R
  readonly method: M
  readonly permission: P
  readonly args: A
  readonly responses: S
  /** Absent when not declared. */
  readonly additional_args?: boolean
  readonly allow_batch: boolean
  readonly show_in_index: boolean
  /** Absent when none is declared. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Absent when responses are not cached. */
  readonly cache?: (number | CacheDeclaration) & CacheCheck<M, P>
  /** Absent when none are declared. */
  readonly around?: AroundOf<ParametersOf<R, A>>
  /** Absent when none is declared. */
  readonly timeout?: number
  /** Absent when none is declared. */
  readonly rate_limit?: RateLimitDeclaration
  /** Absent when none is declared. */
  readonly idempotency_key?: IdempotencyKey
  /** Absent when it is not declared. */
  readonly event_stream?: boolean
  /** Absent when none is declared. */
  readonly body_limit?: number
  /** Absent when none is declared. */
  readonly max_files?: number
}

/** Keeps the literal types of a declaration that is held in a constant, for {@link RequestOf}. */
export function route<
  const N extends string,
  const R extends string,
  const M extends Method | AnyString = 'GET',
  const P extends string | null | undefined = null,
  const A extends WrittenArguments = {},
  const S extends WrittenResponses = {},
>(declaration: Declaration<N, R, M, P, A, S>): SharedDeclaration<N, R, M, P, A, S> {
  const defaults = { method: 'GET', permission: null, args: {}, responses: {}, allow_batch: false, show_in_index: true }
  return { ...defaults, ...declaration } as unknown as SharedDeclaration<N, R, M, P, A, S>
}

/** The request of a declaration held in a constant: `request: RequestOf<typeof listProducts>`. */
export type RequestOf<D extends { readonly route: string }> = RestRequest<
  ParametersOf<D['route'], D extends { readonly args: infer A } ? A : {}>
>

/** The number of stack frames recorded to find the source of a declaration: the decorator itself and its caller. */
const siteFrames = 2

/** The frames of a decorator without parentheses: helpers of the compiler call the decorator, and the class calls them. */
const siteFramesOfBare = 8

/**
 * Declares a method as an HTTP endpoint; nothing is registered by hand. Repeatable: one method may answer several
 * routes. The compiler refuses a wrong declaration where types can express the rule. The start of the service
 * refuses every wrong declaration, and a missing one, as in `@AsRestRoute list() {}`.
 *
 * @throws TypeError when the compiler option `experimentalDecorators` is on.
 */
export function AsRestRoute<
  const N extends string,
  const R extends string,
  const M extends Method | AnyString = 'GET',
  const P extends string | null | undefined = null,
  const A extends WrittenArguments = {},
  const S extends WrittenResponses = {},
>(
  declaration: Declaration<N, R, M, P, A, S>,
): <Context>(_target: unknown, context: Context & TargetCheck<Context, P, ParametersOf<R, A>, S>) => void
export function AsRestRoute(declaration: unknown, bareContext?: DecoratorContext | string) {
  const previousLimit = Error.stackTraceLimit
  Error.stackTraceLimit = bareContext === undefined ? siteFrames : siteFramesOfBare
  // An error takes 192 bytes. `captureStackTrace` would take 360, and the frame of a helper function 64 more.
  const site = new Error()
  Error.stackTraceLimit = previousLimit
  // A bare decorator has no declaration. The start reports a function in its place.
  return bareContext === undefined
    ? methodDecorator(declaration, site)
    : registerDeclaration(AsRestRoute, bareContext, withoutHelpers(site))
}
addDeclaringFunction(AsRestRoute)

/** @param declaration anything: the start of the service reports what is wrong with it. */
export function methodDecorator(declaration: unknown, site: DeclarationSite) {
  const copy = snapshotOf(declaration)
  return (_target: unknown, context: DecoratorContext | string | symbol | undefined): void =>
    registerDeclaration(copy, context, site)
}

function registerDeclaration(
  declaration: unknown,
  context: DecoratorContext | string | symbol | undefined,
  site: DeclarationSite,
): void {
  if (typeof context !== 'object') throw legacyDecoratorsError(site)
  registerRoute(context.metadata as object, {
    declaration: declaration as RouteDeclaration,
    member: String(context.name ?? ''),
    target: targetOf(context),
    site,
  })
}

function targetOf(context: DecoratorContext): Target {
  const target = {
    kind: context.kind,
    isSymbol: typeof context.name === 'symbol',
    isStatic: 'static' in context && context.static,
    isPrivate: 'private' in context && context.private,
  }
  const isPublicMethod = target.kind === 'method' && !target.isSymbol && !target.isStatic && !target.isPrivate
  return isPublicMethod ? publicMethod : target
}

/** The target of nearly all declarations; one object for all of them saves memory. */
const publicMethod: Target = { kind: 'method', isSymbol: false, isStatic: false, isPrivate: false }

/** The site of a decorator without parentheses: its class, whose frame follows the helpers that a compiler adds. */
function withoutHelpers(site: DeclarationSite): DeclarationSite {
  const frames = framesOf(site).split('\n')
  const sourceIndex = frames.findIndex(
    (frame) => !/^\s+at (?:\S+\.)?\w*(?:decorat|apply_?dec|memberDec)\w* /i.test(frame),
  )
  return { stack: ['Error', ...frames.slice(sourceIndex)].join('\n') }
}

export const legacyDecoratorsCode = 'decorators-legacy' satisfies DiagnosticCode

/** The error for decorators of `experimentalDecorators`. Its stack begins at the source of the decorator. */
function legacyDecoratorsError(site: DeclarationSite): TypeError {
  const error = new TypeError(
    '@AsRestRoute needs standard decorators: remove "experimentalDecorators" from tsconfig.json ' +
      '(or from the options of the tool that compiles this file).',
  )
  error.stack = `${error.name}: ${error.message}\n${framesOf(site)}`
  return Object.assign(error, { code: legacyDecoratorsCode })
}
