import type { SanitizeCallback } from '../arguments/rules.js'
import { parsePattern, routePattern } from '../route/pattern.js'
import { findShadowed } from '../route/shadow.js'
import { examine } from './declaration-faults.js'
import type { StartFault } from './fault.js'
import { subjectOf, type FoundRoute } from './handler-class.js'
import { placeOf, placeText } from './place.js'

/**
 * Everything that is doubtful about these declarations, all at once (DESIGN 4): each by itself, then each against the
 * others. Callers in plain JavaScript have no compiler, so nothing about a declaration is taken for granted.
 */
export function faultsOfRoutes(
  routes: readonly FoundRoute[],
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): readonly StartFault[] {
  const examined = routes.map((route) => ({ route, ...examine(route, sanitizers) }))
  const faults = examined.flatMap(({ route, sentences }) => sentences.map((sentence) => faultOf(route, sentence)))
  const comparable = examined.flatMap(({ route, isComparable }) => (isComparable ? route : []))
  return [...faults, ...duplicates(comparable), ...shadowed(comparable)]
}

function faultOf(route: FoundRoute, sentence: string): StartFault {
  return { place: placeOf(route.site), subject: subjectOf(route), sentence }
}

/** `/shop/v1/products`, as it is registered: without the slashes that matching ignores. */
function patternOf({ declaration: { namespace, route } }: FoundRoute): string {
  return `/${namespace}/${route.replace(/^\/+|\/+$/g, '')}`
}

function keyOf(found: FoundRoute): string {
  return `${found.declaration.method ?? 'GET'} ${patternOf(found)}`
}

function duplicates(routes: readonly FoundRoute[]): StartFault[] {
  const first = new Map<string, FoundRoute>()
  return routes.flatMap((route) => {
    const earlier = first.get(keyOf(route))
    if (earlier === undefined) {
      first.set(keyOf(route), route)
      return []
    }
    return [
      faultOf(
        route,
        `${earlier.handlers.name}.${earlier.member} (${placeText(placeOf(earlier.site))}) already answers this method of this route. Remove one of them.`,
      ),
    ]
  })
}

function shadowed(routes: readonly FoundRoute[]): StartFault[] {
  const keys = new Set<string>()
  const distinct = routes.filter((route) => !keys.has(keyOf(route)) && keys.add(keyOf(route)))
  const parsed = distinct.map((found) => ({
    found,
    syntax: parsePattern(patternOf(found), routePattern),
    method: found.declaration.method ?? 'GET',
    namespace: found.declaration.namespace,
  }))
  return findShadowed(parsed).map(({ route, by }) =>
    faultOf(
      route.found,
      `it can never be reached: ${subjectOf(by.found)} (${placeText(placeOf(by.found.site))}) comes first and matches every path that this route matches. Declare this one before it, or narrow that one.`,
    ),
  )
}
