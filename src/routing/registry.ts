import type { RouteDeclaration } from './declaration.js'

/** A declaration together with the class member that carries it. */
export interface DeclaredRoute {
  readonly declaration: RouteDeclaration
  /** Name of the member: of the method. */
  readonly member: string
  readonly target: Target
  readonly site: DeclarationSite
}

/** What carries a declaration. */
export interface Target {
  /** `method`, or what cannot serve a route: `getter`, `setter`, `accessor`, `field`, `class`. */
  readonly kind: string
  /** Whether its name is a symbol, by which no declaration can call it. */
  readonly isSymbol: boolean
  readonly isStatic: boolean
  readonly isPrivate: boolean
}

/**
 * Made by the decorator, whose own frame comes first; the next one is where it was written. The stack is put into words
 * only when somebody asks for the place.
 */
export interface DeclarationSite {
  /** Text, unless somebody's `Error.prepareStackTrace` made something else of it. */
  readonly stack?: unknown
}

/**
 * Decorators that TypeScript emits find no metadata object unless this symbol exists before the class is evaluated;
 * other compilers bring their own. The key is the one they agree on.
 */
const metadataKey: symbol = ((Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata'))

interface Registry {
  /** One entry for each copy of this package in the process. */
  readonly copies: string[]
  /** By the metadata object of the declaring class. */
  readonly routes: Map<object, DeclaredRoute[]>
}

/** Kept on the process, not in the module: so that a second copy of the package is noticed instead of losing routes. */
const registryKey = Symbol.for('as-rest-route')
const holder = globalThis as { [registryKey]?: Registry }
const registry: Registry = (holder[registryKey] ??= { copies: [], routes: new Map() })
registry.copies.push(import.meta.url)

/** Where the copies of this package were loaded from; more than one is a start-up fault. */
export function loadedCopies(): readonly string[] {
  return registry.copies
}

/** Decorators of one method are applied from the bottom up; the routes are kept in the order in which they are written. */
export function rememberRoute(metadata: object, route: DeclaredRoute): void {
  const known = registry.routes.get(metadata)
  if (!known) {
    registry.routes.set(metadata, [route])
    return
  }
  let index = known.length
  while (known[index - 1]?.member === route.member) index -= 1
  known.splice(index, 0, route)
}

/**
 * The declarations of a class and of its base classes, in the order in which the methods are written. A method that the
 * class declares anew replaces what its base class declared on that name.
 */
export function declaredRoutes(handlers: object): readonly DeclaredRoute[] {
  const levels: (readonly DeclaredRoute[])[] = []
  const redeclared = new Set<string>()
  let metadata = metadataOf(handlers)
  while (metadata) {
    const own = registry.routes.get(metadata) ?? []
    levels.unshift(own.filter((route) => !redeclared.has(route.member)))
    for (const route of own) redeclared.add(route.member)
    metadata = Object.getPrototypeOf(metadata) as object | null
  }
  return levels.flat()
}

/** These classes in the order in which they declare: a module lists its exports by name, which says nothing. */
export function inWrittenOrder<T extends object>(classes: readonly T[]): T[] {
  if (classes.length < 2) return [...classes]
  const order = new Map([...registry.routes.keys()].map((metadata, index) => [metadata, index]))
  const positionOf = (handlers: T): number => {
    let metadata = metadataOf(handlers)
    while (metadata && !order.has(metadata)) metadata = Object.getPrototypeOf(metadata) as object | null
    return (metadata && order.get(metadata)) ?? 0
  }
  return [...classes].sort((left, right) => positionOf(left) - positionOf(right))
}

/** Declarations that none of these classes serves, directly or as a base class. */
export function unreachedRoutes(classes: readonly object[]): readonly DeclaredRoute[] {
  const reached = new Set<object>()
  for (const handlers of classes) {
    let metadata = metadataOf(handlers)
    while (metadata) {
      reached.add(metadata)
      metadata = Object.getPrototypeOf(metadata) as object | null
    }
  }
  return [...registry.routes].flatMap(([metadata, routes]) => (reached.has(metadata) ? [] : routes))
}

function metadataOf(handlers: object): object | null {
  return (handlers as Record<symbol, object | null | undefined>)[metadataKey] ?? null
}
