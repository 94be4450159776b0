import { fault, type Fault } from '../base/fault.js'
import { UnresolvedDependencyError, type Container, type Contract } from '../container/container.js'
import { isMap } from '../php/array-shape.js'
import { isEndpoint, subjectOf, type ServedRoute, type RouteSource } from '../routing/handler-class.js'
import { sourceLocationOf, sourceLocationText } from '../routing/source-location.js'
import type { Diagnostic } from './startup-error.js'

/** The instances of handler classes and the dependencies of endpoints. */
export type Instances = ReadonlyMap<RouteSource, object>

/**
 * Builds the handler classes of the routes, the dependencies of their endpoints, and the classes of the option `services`. What
 * cannot be built is left out and reported.
 */
export function buildInstances(
  routes: readonly ServedRoute[],
  container: Container,
  services: readonly Contract<object>[] = [],
): { readonly instances: Instances; readonly faults: readonly Diagnostic[] } {
  const faults: Diagnostic[] = []
  const instances = new Map<RouteSource, object>()
  const failed = new Set<RouteSource>()
  for (const route of routes) {
    const { source } = route
    if (instances.has(source) || failed.has(source)) continue
    try {
      instances.set(source, instanceFor(route, container))
    } catch (error) {
      if (!(error instanceof UnresolvedDependencyError)) throw error
      failed.add(source)
      faults.push({
        ...unresolvedFault(error, isEndpoint(source)),
        location: sourceLocationOf(route.site),
        subject: subjectOf(route),
      })
    }
  }
  for (const [index, service] of services.entries())
    try {
      container.get(service)
    } catch (error) {
      if (!(error instanceof UnresolvedDependencyError)) throw error
      faults.push({ ...unresolvedFault(error), location: null, subject: `option services[${index}]` })
    }
  return { instances, faults }
}

/** @throws UnresolvedDependencyError */
function instanceFor({ source, declaration }: ServedRoute, container: Container): object {
  if (!isEndpoint(source)) return container.get(source)
  const { dependencies } = declaration ?? {}
  if (!isMap(dependencies)) return noDependencies
  // The checks of the declaration report a dependency that is not a class.
  const classes = Object.entries(dependencies).filter(([, type]) => typeof type === 'function')
  return Object.freeze(Object.fromEntries(classes.map(([name, type]) => [name, container.get(type)])))
}

const noDependencies = Object.freeze({})

/**
 * The fault for an error of the container.
 * @param isDependency whether the first class of the chain is a dependency too. For an endpoint it is; for a handler class it is
 * the class itself.
 */
export function unresolvedFault(
  { code, chain, message, cause }: UnresolvedDependencyError,
  isDependency = chain.length > 1,
): Fault {
  const thrownAt = cause instanceof Error ? sourceLocationOf(cause) : null
  const problem = isDependency || chain.length > 1 ? 'a dependency cannot be built' : 'its class cannot be built'
  return fault(code, `${problem}. ${message}${thrownAt ? ` (${sourceLocationText(thrownAt)})` : ''}`)
}
