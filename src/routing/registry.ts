import type { DeclarationSite } from './declaration-site.js'
import type { RouteDeclaration } from './declaration.js'

/** A declaration together with the class member or the handler function that serves it. */
export interface DeclaredRoute {
  readonly declaration: RouteDeclaration
  /** Name of the method; `''` for a handler function. */
  readonly member: string
  readonly target: Target
  readonly site: DeclarationSite
  /** The handler function of an endpoint without a class. */
  readonly handler?: unknown
}

/** The member of a class that a declaration is on, or a handler function. */
export interface Target {
  /** `method` or `function`, or what cannot serve a route: `getter`, `setter`, `accessor`, `field`, `class`. */
  readonly kind: string
  /** Whether its name is a symbol, by which no declaration can call it. */
  readonly isSymbol: boolean
  readonly isStatic: boolean
  readonly isPrivate: boolean
}

/**
 * Decorators that TypeScript emits find no metadata object unless this symbol exists before the class is evaluated. Other
 * compilers define it themselves, with the same key.
 */
const metadataKey: symbol = ((Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata'))

interface Registry {
  /** One entry for each copy of this package in the process. */
  readonly copies: string[]
  /** By the metadata object of the declaring class, or by the endpoint. */
  readonly routes: Map<object, DeclaredRoute[]>
}

/** A property of the process, not of the module: otherwise the routes of a second copy of the package would be lost. */
const registryKey = Symbol.for('as-rest-route')
const globalHolder = globalThis as { [registryKey]?: Registry }
const registry: Registry = (globalHolder[registryKey] ??= { copies: [], routes: new Map() })
registry.copies.push(import.meta.url)

/** The addresses of the loaded copies of this package. The service does not start with more than one. */
export function loadedCopies(): readonly string[] {
  return registry.copies
}

/** Decorators of one method are applied from the bottom up. The routes are stored in the order of the source. */
export function registerRoute(metadata: object, route: DeclaredRoute): void {
  const routes = registry.routes.get(metadata)
  if (!routes) {
    registry.routes.set(metadata, [route])
    return
  }
  let index = routes.length
  while (routes[index - 1]?.member === route.member) index -= 1
  routes.splice(index, 0, route)
}

export function registerEndpoint(endpoint: object, route: DeclaredRoute): void {
  registry.routes.set(endpoint, [route])
}

/**
 * The declaration of an endpoint, or those of a class and its base classes in the order of the source. A method that the
 * class declares again replaces the declarations of that method in the base class.
 */
export function declaredRoutes(handlers: object): readonly DeclaredRoute[] {
  const levels: (readonly DeclaredRoute[])[] = []
  const redeclared = new Set<string>()
  let metadata = registryKeyOf(handlers)
  while (metadata) {
    const levelRoutes = registry.routes.get(metadata) ?? []
    levels.unshift(levelRoutes.filter((route) => !redeclared.has(route.member)))
    for (const route of levelRoutes) redeclared.add(route.member)
    metadata = Object.getPrototypeOf(metadata) as object | null
  }
  return levels.flat()
}

/** These classes and endpoints in the order of their declarations: a module lists its exports by name. */
export function inWrittenOrder<T extends object>(classes: readonly T[]): T[] {
  if (classes.length < 2) return [...classes]
  const order = new Map([...registry.routes.keys()].map((metadata, index) => [metadata, index]))
  const positionOf = (handlers: T): number => {
    let metadata = registryKeyOf(handlers)
    while (metadata && !order.has(metadata)) metadata = Object.getPrototypeOf(metadata) as object | null
    return (metadata && order.get(metadata)) ?? 0
  }
  return [...classes].sort((left, right) => positionOf(left) - positionOf(right))
}

/** Declarations that none of these classes and endpoints serves. A class serves the declarations of its base classes. */
export function unreachedRoutes(served: readonly object[]): readonly DeclaredRoute[] {
  const servedKeys = new Set<object>()
  for (const handlers of served) {
    let metadata = registryKeyOf(handlers)
    while (metadata) {
      servedKeys.add(metadata)
      metadata = Object.getPrototypeOf(metadata) as object | null
    }
  }
  return [...registry.routes].flatMap(([metadata, routes]) => (servedKeys.has(metadata) ? [] : routes))
}

function registryKeyOf(handlers: object): object | null {
  if (registry.routes.has(handlers)) return handlers
  return (handlers as Record<symbol, object | null | undefined>)[metadataKey] ?? null
}
