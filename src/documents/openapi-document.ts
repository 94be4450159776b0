import { loggedInCookieName } from '../auth/login-cookies.js'
import type { RouteSummary } from '../routing/route-summary.js'
import { operationNames } from './operation-names.js'
import { componentsOf } from './components.js'
import { operationOf } from './operation.js'
import { parametersOf, pathTemplates, templateText, type PathTemplate } from './path-templates.js'

export interface OpenApiFacts {
  readonly title: string
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string
  readonly restPrefix: string
}

/** A route that OpenAPI cannot express. */
interface Omission {
  readonly method: string
  readonly route: string
  readonly reason: string
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: ReturnType<typeof componentsOf>
  readonly 'x-left-out'?: readonly Omission[]
}

/**
 * The declared routes as an OpenAPI 3.1 document. Routes that OpenAPI cannot express are listed under `x-left-out`.
 * @param serviceRoutes the routes of the service itself, which come after those of the application. The version of the document
 *   does not contain their namespaces.
 */
export function openApiDocument(
  routes: readonly RouteSummary[],
  facts: OpenApiFacts,
  serviceRoutes: readonly RouteSummary[] = [],
): OpenApiDocument {
  const { operations, omissions } = operationsOf([...routes, ...serviceRoutes])
  const operationIds = operationNames(
    operations.map(({ route }) => route),
    (handler) => handler,
    (name, words) => `${name}.${words.join('_')}`,
  )
  const paths: Record<string, Record<string, unknown>> = Object.create(null) as Record<string, Record<string, unknown>>
  for (const [index, { path, labels, route, template }] of operations.entries()) {
    const pathItem = (paths[path] ??= {})
    pathItem[route.method.toLowerCase()] = operationOf(route, template, labels, operationIds[index] ?? '')
  }
  return {
    openapi: '3.1.0',
    info: { title: facts.title, version: [...new Set(routes.map(({ namespace }) => namespace))].join(', ') || '0' },
    servers: [{ url: `${facts.baseUrl}/${facts.restPrefix}` }],
    paths,
    components: componentsOf(loggedInCookieName(facts.baseUrl)),
    ...(omissions.length > 0 && { 'x-left-out': omissions }),
  }
}

interface Operation {
  readonly path: string
  /**
   * The names of the parameters in `path`, in order. The route's own names may differ: the first route names the path.
   */
  readonly labels: readonly string[]
  readonly route: RouteSummary
  readonly template: PathTemplate
}

/**
 * One operation for each path of each route. OpenAPI treats paths that differ only in the names of their parameters as
 * one path.
 */
function operationsOf(routes: readonly RouteSummary[]): {
  readonly operations: readonly Operation[]
  readonly omissions: readonly Omission[]
} {
  const operations: Operation[] = []
  const omissions: Omission[] = []
  const firstTemplates = new Map<string, PathTemplate>()
  const usedPaths = new Set<string>()
  for (const route of routes) {
    const pattern = `/${route.namespace}${route.route}`
    const omit = (reason: string) => omissions.push({ method: route.method, route: pattern, reason })
    const templates = pathTemplates(pattern)
    if (templates === null) omit('The pattern is more than literal text and named groups.')
    for (const template of templates ?? []) {
      const shape = shapeOf(template)
      const firstTemplate = firstTemplates.get(shape) ?? template
      firstTemplates.set(shape, firstTemplate)
      const path = templateText(firstTemplate.pieces)
      if (usedPaths.has(`${route.method} ${path}`)) omit(`Another pattern has the path ${path} already.`)
      else operations.push({ path, labels: parametersOf(firstTemplate).map(({ name }) => name), route, template })
      usedPaths.add(`${route.method} ${path}`)
    }
  }
  return { operations, omissions }
}

/** The path with every parameter as `{}`: equal for paths that OpenAPI treats as one. */
function shapeOf({ pieces }: PathTemplate): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : '{}')).join('')
}
