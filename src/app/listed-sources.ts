import { isRouteSource, type RouteSource } from '../routing/handler-class.js'
import { loadedCopies } from '../routing/registry.js'
import type { FoundRouteSources } from './find-route-sources.js'
import type { Diagnostic } from './startup-error.js'

/** The classes and endpoints of the list that `boot` was given. */
export function sourcesIn(values: unknown): FoundRouteSources {
  const exportNames = new Map<RouteSource, string>()
  if (!Array.isArray(values)) {
    const message = `it was given ${sourceDescription(values)}. Give it the folder of the handler classes, new URL('./app/', import.meta.url), or a list of classes and endpoints.`
    return {
      sources: [],
      exportNames,
      faults: [{ code: 'handler-source-invalid', location: null, subject: 'boot', message }],
    }
  }
  const others = values.filter((value) => !isRouteSource(value))
  const faults = others.map((value): Diagnostic => ({
    code: 'route-source-invalid',
    location: null,
    subject: typeof value === 'function' && value.name !== '' ? value.name : String(value),
    message: 'it is not a class with a method declared by @AsRestRoute, and not an endpoint.',
  }))
  return { sources: values.filter(isRouteSource), exportNames, faults }
}

function sourceDescription(source: unknown): string {
  if (source === undefined) return 'undefined'
  if (source === '') return 'an empty path'
  return source instanceof URL ? source.href : `a ${typeof source}`
}

/** @param folder null when `boot` was given a list. */
export function noRouteFault(folder: string | null): Diagnostic {
  return {
    code: 'route-missing',
    location: null,
    subject: folder ?? 'boot([])',
    message:
      'there is no route: no exported class with a method declared by @AsRestRoute, and no exported endpoint. Is this the right folder?',
  }
}

/** Each copy of the package knows only the routes that were declared through it. The others would silently be missing. */
export function copyFaults(): Diagnostic[] {
  const copies = loadedCopies()
  if (copies.length < 2) return []
  return [
    {
      code: 'package-duplicate',
      location: null,
      subject: 'as-rest-route',
      message: `${copies.length} copies of the package are loaded: ${copies.join(', ')}. Install one, and leave it out of bundles ("external").`,
    },
  ]
}
