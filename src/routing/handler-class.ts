import { isMap } from '../php/array-shape.js'
import type { DeclarationSite } from './declaration-site.js'
import type { RouteDeclaration } from './declaration.js'
import { declaredRoutes, type DeclaredRoute, type Target } from './registry.js'
import type { RestEndpoint } from './rest-endpoint.js'
import { routeKey } from './table.js'

/** A class with declarations. */
export type HandlerClass = abstract new (...parameters: never[]) => object

/** A handler class or an endpoint. */
export type RouteSource = HandlerClass | RestEndpoint

/** One declared route together with the class or the endpoint that serves it. */
export class ServedRoute implements DeclaredRoute {
  #pattern: string | null = null

  /** @param exportName the name by which a module exports an endpoint; null when it is not known. */
  constructor(
    readonly declared: DeclaredRoute,
    readonly source: RouteSource,
    readonly exportName: string | null = null,
  ) {}

  /** Its key in the route table, `/shop/v1/products`, without the slashes that matching ignores. */
  get pattern(): string {
    return (this.#pattern ??= routeKey(this.declaration.namespace, this.declaration.route))
  }

  get namespace(): string {
    return this.declaration.namespace
  }

  get method(): string {
    return this.declaration.method ?? 'GET'
  }

  get declaration(): RouteDeclaration {
    return this.declared.declaration
  }

  get member(): string {
    return this.declared.member
  }

  get target(): Target {
    return this.declared.target
  }

  get site(): DeclarationSite {
    return this.declared.site
  }

  /** `ProductsApi.show`, `ProductsApi` for a declaration on a class, or `showProduct`. */
  get name(): string {
    if (isEndpoint(this.source)) return this.exportName ?? handlerName(this.declared.handler)
    const name = this.source.name || '(a class without a name)'
    return this.target.kind === 'class' ? name : `${name}.${this.member}`
  }
}

const handlerName = (handler: unknown): string => (typeof handler === 'function' && handler.name) || '(an endpoint)'

/** Whether a value is a class with at least one declaration, of its own or of a base class. */
export function isHandlerClass(value: unknown): value is HandlerClass {
  return typeof value === 'function' && declaredRoutes(value).length > 0
}

/** Whether a value is a result of `endpoint`. */
export function isEndpoint(value: unknown): value is RestEndpoint {
  return typeof value === 'object' && value !== null && declaredRoutes(value)[0]?.target.kind === 'function'
}

export function isRouteSource(value: unknown): value is RouteSource {
  return isHandlerClass(value) || isEndpoint(value)
}

/**
 * The routes of these classes and endpoints, in order. A base class of another class among them is left out: the subclass
 * serves its routes.
 * @param exportNames the names of endpoints.
 */
export function routesOf(
  sources: readonly RouteSource[],
  exportNames: ReadonlyMap<RouteSource, string> = new Map(),
): readonly ServedRoute[] {
  const leafSources = sources.filter((type) => !sources.some((other) => other !== type && isSubclass(other, type)))
  return leafSources.flatMap((source) =>
    declaredRoutes(source).map((declared) => new ServedRoute(declared, source, exportNames.get(source) ?? null)),
  )
}

function isSubclass(type: RouteSource, base: RouteSource): boolean {
  return Object.prototype.isPrototypeOf.call(base, type)
}

/** `ProductsApi.show (GET shop/v1/products/(?P<id>\d+))` */
export function subjectOf({ name, declaration }: ServedRoute): string {
  return `${name} (${endpointText(declaration)})`
}

/** `GET shop/v1/products`, for a declaration of any type. */
export function endpointText(declaration: unknown): string {
  if (!isMap(declaration)) return 'no declaration'
  const { namespace, route, method = 'GET' } = declaration as Partial<Record<keyof RouteDeclaration, unknown>>
  const text = (value: unknown) => (typeof value === 'string' ? value : '?')
  return `${text(method)} ${text(namespace)}${text(route)}`
}

/** The static list `around` of a handler class or of its base class. */
export function aroundOf(source: RouteSource): readonly unknown[] {
  return isEndpoint(source) ? [] : ((Reflect.get(source, 'around') as readonly unknown[] | undefined) ?? [])
}

/** A function of a list `around`, and where the list is declared. */
export interface DeclaredAround {
  readonly around: unknown
  readonly declaredIn: 'configuration' | 'class' | 'declaration'
  /** The class whose static list it is, or the handler of the declaration; null for the configuration. */
  readonly owner: string | null
}

/**
 * The functions around the handler of a route in the order in which they run, the outermost first.
 * @param configured the list of the configuration.
 */
export function declaredAround(route: ServedRoute, configured: readonly unknown[] = []): readonly DeclaredAround[] {
  const { source, declaration, name } = route
  const ofDeclaration: readonly unknown[] = declaration.around ?? []
  return [
    ...configured.map((around): DeclaredAround => ({ around, declaredIn: 'configuration', owner: null })),
    ...aroundOf(source).map((around): DeclaredAround => ({
      around,
      declaredIn: 'class',
      owner: ownerOfAround(source),
    })),
    ...ofDeclaration.map((around): DeclaredAround => ({ around, declaredIn: 'declaration', owner: name })),
  ]
}

/** The name of the class, or of its base class, that has the static list `around`. */
function ownerOfAround(source: RouteSource): string {
  let owner: object = source
  while (!Object.hasOwn(owner, 'around')) owner = Object.getPrototypeOf(owner) as object
  return (owner as HandlerClass).name || '(a class without a name)'
}
