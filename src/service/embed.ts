import { parseList } from '../sanitizers/lists.js'
import type { HttpRequest } from '../request/rest-request.js'
import type { Dispatcher } from './dispatch.js'
import { requestTo } from './inner-request.js'
import type { LinkWriter } from './links.js'

/** A link as it stands in a body. */
interface WrittenLink {
  readonly href: string
  readonly embeddable?: boolean
}

/**
 * A body with `_embedded`: what its embeddable links lead to, fetched as the same caller (WIRE 8.6). The items of a
 * list are embedded each for itself. An address is fetched once per answer.
 * @param wanted the parameter `_embed`: empty, `0`, `1` or `true` for every relation, else a list of relations.
 */
export async function withEmbedded(
  body: unknown,
  wanted: unknown,
  request: HttpRequest,
  dispatcher: Dispatcher,
  links: LinkWriter,
): Promise<unknown> {
  const relations = relationsIn(wanted)
  const fetched = new Map<string, Promise<unknown>>()
  const fetch = (href: string): Promise<unknown> => {
    let result = fetched.get(href)
    if (!result) fetched.set(href, (result = fetchEmbedded(href, request, dispatcher, links)))
    return result
  }
  if (Array.isArray(body)) return Promise.all(body.map((item) => embeddedInto(item, relations, fetch)))
  return embeddedInto(body, relations, fetch)
}

function relationsIn(wanted: unknown): ReadonlySet<string> | null {
  if (typeof wanted === 'string' && ['', '0', '1', 'true'].includes(wanted)) return null
  return new Set(Object.values(parseList(wanted)).map(String))
}

async function embeddedInto(
  item: unknown,
  relations: ReadonlySet<string> | null,
  fetch: (href: string) => Promise<unknown>,
): Promise<unknown> {
  if (typeof item !== 'object' || item === null || !('_links' in item)) return item
  const embedded: Record<string, unknown> = {}
  for (const [rel, entries] of Object.entries(item._links as Record<string, unknown>)) {
    if (!Array.isArray(entries) || (relations && !relations.has(rel))) continue
    const list = entries as readonly WrittenLink[]
    if (!list.some((link) => link.embeddable === true)) continue
    embedded[rel] = await Promise.all(list.map((link) => (link.embeddable === true ? fetch(link.href) : [])))
  }
  return Object.keys(embedded).length === 0 ? item : { ...item, _embedded: embedded }
}

async function fetchEmbedded(
  href: string,
  outer: HttpRequest,
  dispatcher: Dispatcher,
  links: LinkWriter,
): Promise<unknown> {
  const inner = requestTo(href, links.root(), outer)
  if (!inner) return []
  const found = dispatcher.table.match(inner.route, 'GET')
  if (!('context' in inner.parsed.query)) inner.parsed.query['context'] = 'embed'
  const most = found?.handler.args['per_page']?.maximum
  if (most !== undefined && !('per_page' in inner.parsed.query)) inner.parsed.query['per_page'] = most
  const { response } = await dispatcher.answer(inner)
  return links.merged(response.body, response.links, inner)
}
