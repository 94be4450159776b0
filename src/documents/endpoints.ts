import type { ResponseSchemas } from '../validation/responses.js'
import type { ArgumentSchema } from '../validation/rules.js'
import { whyUnavailable } from '../auth/availability.js'
import { isSelected } from '../http/fields.js'
import type { HttpRequest } from '../http/http-request.js'
import { RestResponse } from '../http/rest-response.js'
import type { RouteTable } from '../routing/table.js'
import { compileEndpoint } from '../routing/compile-endpoint.js'
import type { Endpoint } from '../routing/endpoint.js'
import { indexDocument } from './index-document.js'
import { namespaceDocument } from './namespace-document.js'

/** The options of the site that the index shows. */
export interface IndexSite {
  readonly name: string
  readonly description: string
  readonly siteurl: string
  readonly home: string
  /** The name of the time zone; empty when the site has only an offset. */
  readonly timezoneString: string
  /** Hours, as a text: `5.5`. */
  readonly gmtOffset: string
  readonly showOnFront: string
  readonly pageOnFront: number
  readonly pageForPosts: number
}

export interface DocumentDependencies {
  /** Read for each request: the table is complete only after the endpoints are created. */
  readonly table: () => RouteTable<Endpoint>
  readonly site: IndexSite
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  readonly environment: string
}

/** The arguments of the index. */
export const indexArguments: ArgumentSchema = { context: { default: 'view' } }

const routes = { type: ['object', 'array'], additionalProperties: { type: 'object' } } as const

/** The response of the index, for documents. */
export const indexResponses: ResponseSchemas = {
  200: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      description: { type: 'string' },
      url: { type: 'string' },
      home: { type: 'string' },
      gmt_offset: { type: ['string', 'number'] },
      timezone_string: { type: 'string' },
      namespaces: { type: 'array', items: { type: 'string' } },
      authentication: { type: ['object', 'array'] },
      routes,
    },
    required: ['name', 'url', 'home', 'namespaces', 'authentication', 'routes'],
  },
}

/** The response of the index of a namespace, for documents. */
export const namespaceResponses: ResponseSchemas = {
  200: {
    type: 'object',
    properties: { namespace: { type: 'string' }, routes },
    required: ['namespace', 'routes'],
  },
}

/** The endpoint of the index, `GET /`. */
export function indexEndpoint({ table, site, root, environment }: DocumentDependencies): Endpoint {
  return document(null, '/', indexArguments, (request) => {
    const { routes, namespaces } = table()
    const facts = {
      name: site.name,
      description: site.description,
      url: site.siteurl,
      home: site.home,
      gmtOffset: site.timezoneString === '' ? site.gmtOffset : Number(site.gmtOffset),
      timezone: site.timezoneString,
      showOnFront: site.showOnFront,
      pageOnFront: site.pageOnFront,
      pageForPosts: site.pageForPosts,
    }
    const available = whyUnavailable(environment, request.incoming) === null
    const response = new RestResponse(indexDocument(facts, namespaces, routes, root(), available))
    return hasLinks(request) ? response.addLink('help', 'https://developer.wordpress.org/rest-api/') : response
  })
}

/** Whether the index has its links: without `_fields`, when `_fields` names them, or with `_embed`. */
// Rules: docs/wire.md#the-index.
function hasLinks(request: HttpRequest): boolean {
  return isSelected(['_links', '_embedded'], request.get_param('_fields')) || request.has_param('_embed')
}

/**
 * The endpoint of a namespace's index, `GET /<namespace>`. WordPress registers it with the first route of a namespace.
 */
export function namespaceEndpoint(namespace: string, { table, root }: DocumentDependencies): Endpoint {
  const args = { namespace: { default: namespace }, ...indexArguments }
  return document(namespace, '', args, (request) =>
    new RestResponse(namespaceDocument(textOf(request.get_param('namespace')), table().routes, root())).addLink(
      'up',
      root(),
    ),
  )
}

/** A list or map names no namespace. A map has no prototype, so `String` would throw. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value)
}

function document(
  namespace: string | null,
  route: string,
  args: ArgumentSchema,
  handle: (request: HttpRequest) => RestResponse,
): Endpoint {
  const name = route === '/' ? 'index' : `index of ${namespace}`
  return compileEndpoint({ declaration: { namespace, route, args }, handle, name })
}
