import { compileArguments } from '../arguments/compile.js'
import type { ArgumentSchema } from '../arguments/rules.js'
import { whyUnavailable } from '../authentication/availability.js'
import type { HttpRequest } from '../request/rest-request.js'
import { RestResponse } from '../response/rest-response.js'
import type { Route, RouteTable } from '../route/table.js'
import type { Endpoint } from '../service/endpoint.js'
import type { Site } from '../site/site.js'
import { indexDocument } from './index-document.js'
import { namespaceDocument } from './namespace-document.js'

export interface DocumentParts {
  readonly table: RouteTable<Endpoint>
  readonly site: Site
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  readonly environment: string
}

/**
 * The given endpoints together with those that describe them: the index first, and before the first endpoint of each
 * namespace the document of that namespace (WIRE 2.2.1, 8.1, 8.2).
 */
export function documentEndpoints(endpoints: readonly Endpoint[], parts: DocumentParts): readonly Endpoint[] {
  const all: Endpoint[] = [indexEndpoint(parts)]
  const known = new Set([''])
  for (const endpoint of endpoints) {
    if (!known.has(endpoint.namespace)) all.push(namespaceEndpoint(endpoint.namespace, parts))
    known.add(endpoint.namespace)
    all.push(endpoint)
  }
  return all
}

function indexEndpoint({ table, site, root, environment }: DocumentParts): Endpoint {
  return document('', '/', { context: { default: 'view' } }, (request) => {
    const routes = table.routes()
    const namespaces = [...new Set(routes.map(({ namespace }) => namespace))].filter((namespace) => namespace !== '')
    const facts = {
      name: site.name,
      description: site.description,
      url: site.siteurl,
      home: site.home,
      gmtOffset: site.timezoneString === '' ? site.gmtOffset : Number(site.gmtOffset),
      timezone: site.timezoneString,
    }
    const available = whyUnavailable(environment, request.incoming) === null
    return indexDocument(facts, namespaces, routes, root(), available)
  })
}

function namespaceEndpoint(namespace: string, { table, root }: DocumentParts): Endpoint {
  const args = { namespace: { default: namespace }, context: { default: 'view' } }
  return document(namespace, '', args, (request) =>
    namespaceDocument(String(request.get_param('namespace')), table.routes() as readonly Route<Endpoint>[], root()),
  )
}

function document(
  namespace: string,
  route: string,
  args: ArgumentSchema,
  body: (request: HttpRequest) => unknown,
): Endpoint {
  return {
    namespace,
    route,
    methods: ['GET'],
    args,
    arguments: compileArguments(args, new Map()),
    requirement: { kind: 'anyone' },
    question: null,
    permit: null,
    handle: (request) => new RestResponse(body(request)),
    allowBatch: false,
    showInIndex: true,
    name: route === '/' ? 'index' : `index of ${namespace}`,
  }
}
