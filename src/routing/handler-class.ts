import { isMap } from '../php/array-shape.js'
import type { RouteDeclaration } from './declaration.js'
import { declaredRoutes, type DeclaredRoute, type DeclarationSite, type Target } from './registry.js'
import { routeKey } from './table.js'

/** A class that carries declarations. */
export type HandlerClass = abstract new (...given: never[]) => object

/** One declared route together with the class that serves it. */
export class FoundRoute implements DeclaredRoute {
  #pattern: string | null = null

  constructor(
    readonly declared: DeclaredRoute,
    readonly handlers: HandlerClass,
  ) {}

  /** What it is registered by, `/shop/v1/products`: without the slashes that matching ignores. */
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
}

/** Whether a value is a class with at least one declaration, of its own or of a base class. */
export function isHandlerClass(value: unknown): value is HandlerClass {
  return typeof value === 'function' && declaredRoutes(value).length > 0
}

/**
 * The routes of these classes, in order. A class whose declarations a subclass among them serves is left to that
 * subclass: a base class shares its routes, it does not answer them twice.
 */
export function routesOf(classes: readonly HandlerClass[]): readonly FoundRoute[] {
  const served = classes.filter((type) => !classes.some((other) => other !== type && isBelow(other, type)))
  return served.flatMap((handlers) => declaredRoutes(handlers).map((declared) => new FoundRoute(declared, handlers)))
}

function isBelow(type: HandlerClass, base: HandlerClass): boolean {
  return Object.prototype.isPrototypeOf.call(base, type)
}

/** `ProductsApi.show (GET shop/v1/products/(?P<id>\d+))` */
export function subjectOf({ handlers, member, target, declaration }: FoundRoute): string {
  const name = handlers.name || '(a class without a name)'
  return `${target.kind === 'class' ? name : `${name}.${member}`} (${endpointText(declaration)})`
}

/** `GET shop/v1/products`; of a declaration that may be anything. */
export function endpointText(declared: unknown): string {
  if (!isMap(declared)) return 'no declaration'
  const { namespace, route, method = 'GET' } = declared as Partial<Record<keyof RouteDeclaration, unknown>>
  const text = (value: unknown) => (typeof value === 'string' ? value : '?')
  return `${text(method)} ${text(namespace)}${text(route)}`
}
