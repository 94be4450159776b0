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

/** A route that the document cannot say. */
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

/** The declared routes as OpenAPI 3.1. What it cannot say is listed under `x-left-out`. */
export function openApiDocument(routes: readonly RouteSummary[], facts: OpenApiFacts): OpenApiDocument {
  const { placed, omissions } = placedRoutes(routes)
  const names = operationNames(
    placed.map(({ route }) => route),
    (handler) => handler,
    (name, words) => `${name}.${words.join('_')}`,
  )
  const paths: Record<string, Record<string, unknown>> = Object.create(null) as Record<string, Record<string, unknown>>
  for (const [index, { path, labels, route, template }] of placed.entries()) {
    const operations = (paths[path] ??= {})
    operations[route.method.toLowerCase()] = operationOf(route, template, labels, names[index] ?? '')
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

interface PlacedRoute {
  readonly path: string
  /** Names of the parameters in the path; a later route of the path may have others. */
  readonly labels: readonly string[]
  readonly route: RouteSummary
  readonly template: PathTemplate
}

/** Each route at its paths; paths that differ in the names of their parameters only are one path to OpenAPI. */
function placedRoutes(routes: readonly RouteSummary[]): {
  readonly placed: readonly PlacedRoute[]
  readonly omissions: readonly Omission[]
} {
  const placed: PlacedRoute[] = []
  const omissions: Omission[] = []
  const first = new Map<string, PathTemplate>()
  const taken = new Set<string>()
  for (const route of routes) {
    const pattern = `/${route.namespace}${route.route}`
    const omit = (reason: string) => omissions.push({ method: route.method, route: pattern, reason })
    const templates = pathTemplates(pattern)
    if (templates === null) omit('The pattern is more than literal text and named groups.')
    for (const template of templates ?? []) {
      const shape = shapeOf(template)
      const known = first.get(shape) ?? template
      first.set(shape, known)
      const path = templateText(known.pieces)
      if (taken.has(`${route.method} ${path}`)) omit(`Another pattern has the path ${path} already.`)
      else placed.push({ path, labels: parametersOf(known).map(({ name }) => name), route, template })
      taken.add(`${route.method} ${path}`)
    }
  }
  return { placed, omissions }
}

function shapeOf({ pieces }: PathTemplate): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : '{}')).join('')
}
