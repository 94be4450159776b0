import type { HttpRequest } from '../http/http-request.js'
import { filterFields } from '../http/fields.js'
import { hasRawBody } from '../http/raw-body.js'
import { RestResponse, type ResponseLink } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { HandlerMatch } from '../routing/table.js'
import { requestTo } from './inner-request.js'
import type { Pipeline } from './pipeline.js'

const apiRelation = 'https://api.w.org/'

type Links = ReadonlyMap<string, readonly ResponseLink[]>

/**
 * The body of a response with its links. Items of a list that are responses become their bodies. Then `_fields` removes the
 * other members. Then the links of the response are added, which `_fields` does not remove. A body that is not JSON stays as
 * it is.
 */
// Rules: docs/wire.md#_links.
export async function linkedBody(response: RestResponse, request: HttpRequest, pipeline: Pipeline): Promise<unknown> {
  if (hasRawBody(response)) return response.body
  const fields = response.status < 400 ? request.get_param('_fields') : null
  const items = await itemsOf(response.body, request, pipeline)
  return merged(fields === null ? items : filterFields(items, fields), response.links, request, pipeline)
}

async function itemsOf(body: unknown, request: HttpRequest, pipeline: Pipeline): Promise<unknown> {
  if (!holdsResponses(body)) return body
  return Promise.all(
    body.map((item) => (item instanceof RestResponse ? merged(item.body, item.links, request, pipeline) : item)),
  )
}

/**
 * The body with its links as `_links`: attributes before `href`; relations of api.w.org shortened, last, and followed
 * by the `curies` that explain them. A list becomes a map, as in WordPress; a scalar stays without links.
 */
async function merged(body: unknown, links: Links, request: HttpRequest, pipeline: Pipeline): Promise<unknown> {
  if (links.size === 0 || (typeof body !== 'object' && body !== undefined)) return body
  return { ...(body as object | null), _links: await linksBody(links, request, pipeline) }
}

async function linksBody(links: Links, request: HttpRequest, pipeline: Pipeline): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const shortened: [string, unknown][] = []
  for (const [rel, entries] of links) {
    const written = await Promise.all(entries.map((link) => linkBody(rel, link, request, pipeline)))
    if (rel.startsWith(apiRelation)) shortened.push([`wp:${rel.slice(apiRelation.length)}`, written])
    else body[rel] = written
  }
  for (const [rel, written] of shortened) body[rel] = written
  if (shortened.length > 0) body['curies'] = [{ name: 'wp', href: `${apiRelation}{rel}`, templated: true }]
  return body
}

/** `targetHints` that the handler has set are not changed. */
async function linkBody(
  rel: string,
  { href, attributes, hintsOf = href }: ResponseLink,
  request: HttpRequest,
  pipeline: Pipeline,
): Promise<Record<string, unknown>> {
  const link = { ...attributes, href }
  if (rel !== 'self' || 'targetHints' in attributes) return link
  const allow = await allowedAt(hintsOf, request, pipeline)
  return allow === '' ? link : { ...link, targetHints: { allow: allow.split(', ') } }
}

/** The methods that this caller may use at an address of this service. */
async function allowedAt(href: string, request: HttpRequest, pipeline: Pipeline): Promise<string> {
  const inner = requestTo(href, request)
  const match = inner && pipeline.table.match(inner.route, 'GET')
  return inner && match && (await isAccepted(inner, match, pipeline)) ? pipeline.allowedMethods(inner, match.route) : ''
}

/** Whether the body of a response is sent unchanged. */
export function isPlain(response: RestResponse, request: HttpRequest): boolean {
  return !hasLinks(response) && request.get_param('_fields') === null
}

/** Whether a response has links, or a body of responses, which may have some. */
export function hasLinks(response: RestResponse): boolean {
  return response.links.size > 0 || holdsResponses(response.body)
}

function holdsResponses(body: unknown): body is readonly unknown[] {
  return Array.isArray(body) && body.some((item) => item instanceof RestResponse)
}

/** A validator that throws counts as a refusal, and is no fault of the request that shows the link. */
async function isAccepted(inner: HttpRequest, match: HandlerMatch<Endpoint>, pipeline: Pipeline): Promise<boolean> {
  try {
    pipeline.bind(inner, match)
    return (await pipeline.validate(inner, match)) === null
  } catch {
    return false
  }
}
