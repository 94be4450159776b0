import { fault, type Fault } from '../base/fault.js'
import type { SanitizeCallback } from '../validation/rules.js'
import { methods } from '../routing/declaration.js'
import { findShadowed } from '../routing/shadow.js'
import { checkDeclaration } from './declaration-faults.js'
import type { Diagnostic } from './startup-error.js'
import { endpointText, subjectOf, type ServedRoute, type RouteSource } from '../routing/handler-class.js'
import { sourceLocationOf, sourceLocationText } from '../routing/source-location.js'

/** The sanitisers, routes and instances that declarations are compared with, besides each other. */
export interface CheckContext {
  readonly sanitizers: ReadonlyMap<string, SanitizeCallback>
  /** The routes of the service itself, which come after those of the application. */
  readonly builtInRoutes: readonly ServedRoute[]
  /** The instance of a handler class, or the dependencies of an endpoint; null when it cannot be built. */
  readonly instanceOf: (source: RouteSource) => object | null
}

/**
 * All faults of these declarations: of each by itself, then of each against the others. Plain JavaScript has no compiler,
 * so every part of a declaration is checked.
 */
export function faultsOfRoutes(
  routes: readonly ServedRoute[],
  { sanitizers, builtInRoutes, instanceOf }: CheckContext,
): readonly Diagnostic[] {
  // Many routes have the same rules and the same ends of patterns, which are checked once.
  const validPatternEnds = new Set<string>()
  const validRules = new Set<string>()
  const handlerNames = handlerNamesOf(routes)
  const faults: Diagnostic[] = []
  const comparable: ServedRoute[] = []
  for (const route of routes) {
    const { faults: routeFaults, isComparable } = checkDeclaration(route, {
      sanitizers,
      validPatternEnds,
      validRules,
      instance: instanceOf(route.source),
      handlerNames: handlerNames.get(route.source) ?? new Set(),
    })
    for (const fault of routeFaults) faults.push(diagnosticOf(route, fault))
    if (isComparable) comparable.push(route)
  }
  return [...faults, ...faultsOfComparables(comparable, builtInRoutes)]
}

/** The members of each class that answer requests. */
function handlerNamesOf(routes: readonly ServedRoute[]): ReadonlyMap<RouteSource, ReadonlySet<string>> {
  const names = new Map<RouteSource, Set<string>>()
  for (const { source, member } of routes) {
    const members = names.get(source)
    if (members === undefined) names.set(source, new Set([member]))
    else members.add(member)
  }
  return names
}

function diagnosticOf(route: ServedRoute, fault: Fault): Diagnostic {
  return { ...fault, location: sourceLocationOf(route.site), subject: subjectOf(route) }
}

function faultsOfComparables(routes: readonly ServedRoute[], builtInRoutes: readonly ServedRoute[]): Diagnostic[] {
  const distinct: ServedRoute[] = []
  const duplicates: Diagnostic[] = []
  const builtIn = new Set(builtInRoutes)
  const byMethod = new Map<string, Map<string, ServedRoute>>(methods.map((method) => [method, new Map()]))
  for (const route of builtInRoutes) byMethod.get(route.method)?.set(route.pattern, route)
  for (const route of routes) {
    const patterns = byMethod.get(route.method)
    const earlier = patterns?.get(route.pattern)
    if (earlier !== undefined)
      duplicates.push(diagnosticOf(route, builtIn.has(earlier) ? reservedFault : duplicateFault(earlier)))
    else {
      patterns?.set(route.pattern, route)
      distinct.push(route)
    }
  }
  const shadowed = findShadowed([...distinct, ...builtInRoutes])
  return [
    ...duplicates,
    ...shadowed.map(({ route, by }) =>
      builtIn.has(route) ? diagnosticOf(by, hidingFault(route)) : diagnosticOf(route, shadowFault(by)),
    ),
  ]
}

const reservedFault = fault(
  'route-reserved',
  'the service itself already answers this method of this route. Choose another route.',
)

function duplicateFault(earlier: ServedRoute): Fault {
  return fault(
    'route-duplicate',
    `${earlier.name} (${sourceLocationText(sourceLocationOf(earlier.site))}) already answers this method of this route. Remove one of them.`,
  )
}

function hidingFault(builtInRoute: ServedRoute): Fault {
  return fault(
    'route-hides-own',
    `it would hide ${endpointText(builtInRoute.declaration)}, which the service itself answers: it comes first and matches every path of that route. Narrow it, or choose another route.`,
  )
}

function shadowFault(by: ServedRoute): Fault {
  return fault(
    'route-shadowed',
    `it can never be reached: ${subjectOf(by)} (${sourceLocationText(sourceLocationOf(by.site))}) comes first and matches every path that this route matches. Declare this one before it, or narrow that one.`,
  )
}
