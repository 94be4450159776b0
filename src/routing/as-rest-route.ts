import type { RestRequest } from '../http/rest-request.js'
import type { ArgumentsCheck, OtherText, WrittenSchema } from './argument-checks.js'
import type { CacheCheck, MethodCheck, NamespaceCheck, RouteCheck } from './checks.js'
import type { CacheDeclaration, Method, RouteDeclaration } from './declaration.js'
import type { ParametersOf } from './parameters.js'
import { rememberRoute, type DeclarationSite, type Target } from './registry.js'
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

/** How many frames of the stack are kept to find the place of a declaration: the decorator's own, and where it was written. */
const keptFrames = 2

/** Written without parentheses, it is called by the compiler's helpers, and they by the class. */
const keptFramesOfBare = 8

/**
 * Declares a method as an HTTP endpoint; nothing is registered by hand. Repeatable: one method may answer several
 * routes. Wrong declarations are refused by the compiler where types can see it, and by the start of the service
 * always, also one that is forgotten altogether, as in `@AsRestRoute list() {}`.
 *
 * @throws TypeError when the compiler option `experimentalDecorators` is on.
 */
export function AsRestRoute<
  const N extends string,
  const R extends string,
  const M extends Method | OtherText = 'GET',
  const P extends string | null | undefined = null,
  const A extends WrittenSchema = {},
>(
  declaration: Declaration<N, R, M, P, A>,
): <Context>(_target: unknown, context: Context & TargetCheck<Context, P, ParametersOf<R, A>>) => void
export function AsRestRoute(declaration: unknown, bare?: DecoratorContext | string) {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = bare === undefined ? keptFrames : keptFramesOfBare
  // An error, not `captureStackTrace` on a plain object, which takes 100 bytes more for each of thousands of routes.
  const site = new Error()
  Error.stackTraceLimit = limit
  // Of what it is given then, nothing is a declaration; a function is none either.
  if (bare !== undefined) return remember(AsRestRoute, bare, withoutHelpers(site))
  const written = snapshotOf(declaration)
  return (_target: unknown, context: DecoratorContext | string | symbol | undefined): void =>
    remember(written, context, site)
}

function remember(
  declaration: unknown,
  context: DecoratorContext | string | symbol | undefined,
  site: DeclarationSite,
): void {
  if (typeof context !== 'object') throw legacyDecorators(site)
  rememberRoute(context.metadata as object, {
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
  const isUsual = target.kind === 'method' && !target.isSymbol && !target.isStatic && !target.isPrivate
  return isUsual ? publicMethod : target
}

/** What nearly all declarations stand on, kept once. */
const publicMethod: Target = { kind: 'method', isSymbol: false, isStatic: false, isPrivate: false }

/**
 * The frames of a site from where the decorator was written on, a line each. Its own comes first, under the name that a
 * bundler gave it or under its own, unless whoever words stacks has left it out.
 */
export function framesOf({ stack = '' }: DeclarationSite): string {
  const [, first = '', ...others] = String(stack).split('\n')
  const name = /^\s+at (\S+) /.exec(first)?.[1]
  const isOwn = name !== undefined && (name === AsRestRoute.name || /^AsRestRoute\d*$/.test(name))
  return (isOwn ? others : [first, ...others]).join('\n')
}

/** The site of a decorator without parentheses: where its class is, which comes behind the helpers that a compiler adds. */
function withoutHelpers(site: DeclarationSite): DeclarationSite {
  const frames = framesOf(site).split('\n')
  const written = frames.findIndex((frame) => !/^\s+at (?:\S+\.)?\w*(?:decorat|apply_?dec|memberDec)\w* /i.test(frame))
  return { stack: ['Error', ...frames.slice(written)].join('\n') }
}

/** Reads as if it were thrown where the decorator is written. */
function legacyDecorators(site: DeclarationSite): TypeError {
  const error = new TypeError(
    '@AsRestRoute needs standard decorators: remove "experimentalDecorators" from tsconfig.json ' +
      '(or from the options of the tool that compiles this file).',
  )
  error.stack = `${error.name}: ${error.message}\n${framesOf(site)}`
  return error
}
