import { faultsOf } from '../arguments/check.js'
import type { SanitizeCallback } from '../arguments/rules.js'
import { declarationKeys, methods } from '../route/declaration.js'
import { lostBackslash, parsePattern, PatternFault, routePattern, translatePattern } from '../route/pattern.js'
import { exponentialRisk } from '../route/safety.js'
import { findShadowed } from '../route/shadow.js'
import type { StartFault } from './fault.js'
import { subjectOf, type FoundRoute } from './handler-class.js'
import { nearest } from '../errors/nearest.js'
import { placeOf, placeText } from './place.js'

/**
 * Everything that is doubtful about these declarations, all at once (DESIGN 4): each by itself, then each against the
 * others. Callers in plain JavaScript have no compiler, so nothing about a declaration is taken for granted.
 */
export function faultsOfRoutes(
  routes: readonly FoundRoute[],
  sanitizers: ReadonlyMap<string, SanitizeCallback>,
): readonly StartFault[] {
  const faults = routes.flatMap((route) =>
    sentencesAbout(route, sanitizers).map((sentence) => faultOf(route, sentence)),
  )
  const wellFormed = routes.filter((route) => patternSentence(route.declaration.route) === null)
  return [...faults, ...duplicates(wellFormed), ...shadowed(wellFormed)]
}

function faultOf(route: FoundRoute, sentence: string): StartFault {
  return { place: placeOf(route.site), subject: subjectOf(route), sentence }
}

function sentencesAbout(found: FoundRoute, sanitizers: ReadonlyMap<string, SanitizeCallback>): string[] {
  const { declaration } = found
  const sentences = [
    ...unknownKeys(declaration),
    namespaceSentence(declaration.namespace),
    methodSentence(declaration.method),
    patternSentence(declaration.route),
    targetSentence(found),
    permissionSentence(found),
  ].filter((sentence) => sentence !== null)
  const { args } = declaration
  if (args === undefined) return sentences
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return [...sentences, `'args' must map the name of each argument to its rules.`]
  }
  return [...sentences, ...faultsOf(args, sanitizers)]
}

function unknownKeys(declaration: object): string[] {
  return Object.keys(declaration)
    .filter((key) => !declarationKeys.includes(key))
    .map((key) => `'${key}' is not a key of a declaration.${suggestion(key, declarationKeys)}`)
}

function suggestion(wrong: string, known: Iterable<string>): string {
  const near = nearest(wrong, known)
  return near === null ? ` Known are: ${[...known].join(', ')}.` : ` Did you mean '${near}'?`
}

function namespaceSentence(namespace: unknown): string | null {
  if (typeof namespace === 'string' && /^[^/\s]+(?:\/[^/\s]+)*\/v\d+$/.test(namespace)) return null
  return `namespace '${String(namespace)}' must read '<name>/v<N>', for example 'shop/v1'.`
}

function methodSentence(method: unknown): string | null {
  if (method === undefined || (methods as readonly unknown[]).includes(method)) return null
  return `method '${String(method)}' is not one of ${methods.join(', ')}.${typeof method === 'string' && (methods as readonly string[]).includes(method.toUpperCase()) ? ` Write '${method.toUpperCase()}'.` : ''}`
}

function patternSentence(route: unknown): string | null {
  if (typeof route !== 'string' || !route.startsWith('/')) return `route '${String(route)}' must start with '/'.`
  const lost = lostBackslash(route)
  if (lost !== null) return lost
  try {
    const { syntax } = translatePattern(route, routePattern)
    const risk = exponentialRisk(syntax)
    return risk === null ? null : `route '${route}' can take exponential time: ${risk}`
  } catch (error) {
    if (error instanceof PatternFault) return `route '${route}' cannot be used: ${error.message}`
    throw error
  }
}

function targetSentence({ isStatic, isPrivate, member, handlers }: FoundRoute): string | null {
  if (isStatic)
    return `'${member}' is static. A handler belongs to an object, so that it can have dependencies: remove 'static'.`
  if (isPrivate) return `'${member}' is private, so the service cannot call it. Rename it without '#'.`
  const target: unknown = (handlers.prototype as Record<string, unknown>)[member]
  if (typeof target === 'function' && target.length > 1) {
    return `'${member}' takes ${target.length} parameters. A handler takes the request, or nothing; dependencies are taken in the constructor.`
  }
  return null
}

function permissionSentence({ declaration: { permission }, handlers }: FoundRoute): string | null {
  if (permission === undefined || permission === null || permission === 'public') return null
  if (typeof permission !== 'string') return `permission must be 'public', the name of a method, or null.`
  const prototype = handlers.prototype as object
  const callback: unknown =
    permission === 'constructor' ? undefined : (prototype as Record<string, unknown>)[permission]
  if (typeof callback === 'function' && !(permission in Object.prototype)) {
    return callback.length > 1
      ? `permission '${permission}' takes ${callback.length} parameters. It takes the request, or nothing.`
      : null
  }
  return `permission '${permission}' is not a method of this class.${permissionAdvice(permission, prototype)}`
}

function permissionAdvice(permission: string, prototype: object): string {
  const candidates = methodNames(prototype)
  const near = nearest(permission, ['public', ...candidates])
  if (near !== null) return ` Did you mean '${near}'?`
  return ` Use 'public'${candidates.length > 0 ? `, one of: ${candidates.join(', ')}` : ''}, or add the method.`
}

function methodNames(prototype: object): string[] {
  const names = new Set<string>()
  for (
    let level: object | null = prototype;
    level && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const name of Object.getOwnPropertyNames(level)) if (name !== 'constructor') names.add(name)
  }
  return [...names]
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
