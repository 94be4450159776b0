import type { HttpRequest } from '../http/rest-request.js'
import { filterFields } from '../http/fields.js'
import { RestResponse, type ResponseLink } from '../http/rest-response.js'
import type { Dispatcher } from './dispatch.js'
import { requestTo } from './inner-request.js'

const apiRelation = 'https://api.w.org/'

type Links = ReadonlyMap<string, readonly ResponseLink[]>

/** Writes the links of a response into its body. */
// Rules: docs/wire.md#_links.
export class LinkWriter {
  constructor(readonly dispatcher: Dispatcher) {}

  /**
   * What is sent of a response: items of a list that are responses become their bodies, then `_fields` leaves out what
   * was not asked for, then come the response's own links, which `_fields` does not reach.
   */
  async bodyOf(response: RestResponse, request: HttpRequest): Promise<unknown> {
    const fields = response.status < 400 ? request.get_param('_fields') : null
    const items = await this.#withItems(response.body, request)
    return this.#merged(fields === null ? items : filterFields(items, fields), response.links, request)
  }

  async #withItems(body: unknown, request: HttpRequest): Promise<unknown> {
    if (!holdsResponses(body)) return body
    return Promise.all(
      body.map((item) => (item instanceof RestResponse ? this.#merged(item.body, item.links, request) : item)),
    )
  }

  /**
   * The body with its links as `_links`: attributes before `href`; relations of api.w.org shortened, last, and followed
   * by the `curies` that explain them. A list becomes a map, as in WordPress; a scalar stays without links.
   */
  async #merged(body: unknown, links: Links, request: HttpRequest): Promise<unknown> {
    if (links.size === 0 || (typeof body !== 'object' && body !== undefined)) return body
    return { ...(body as object | null), _links: await this.#written(links, request) }
  }

  async #written(links: Links, request: HttpRequest): Promise<Record<string, unknown>> {
    const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    const shortened: [string, unknown][] = []
    for (const [rel, entries] of links) {
      const written = await Promise.all(entries.map((link) => this.#link(rel, link, request)))
      if (rel.startsWith(apiRelation)) shortened.push([`wp:${rel.slice(apiRelation.length)}`, written])
      else body[rel] = written
    }
    for (const [rel, written] of shortened) body[rel] = written
    if (shortened.length > 0) body['curies'] = [{ name: 'wp', href: `${apiRelation}{rel}`, templated: true }]
    return body
  }

  /** Hints that the handler gave itself are left alone. */
  async #link(rel: string, { href, attributes }: ResponseLink, request: HttpRequest): Promise<Record<string, unknown>> {
    const link = { ...attributes, href }
    if (rel !== 'self' || 'targetHints' in attributes) return link
    const allow = await this.#allowedAt(href, request)
    return allow === '' ? link : { ...link, targetHints: { allow: allow.split(', ') } }
  }

  /** What this caller may do at an address of this service. */
  async #allowedAt(href: string, request: HttpRequest): Promise<string> {
    const inner = requestTo(href, request)
    const found = inner && this.dispatcher.table.match(inner.route, 'GET')
    if (!inner || !found) return ''
    inner.matched(found.params, found.handler.arguments.defaults)
    return isAccepted(inner, found.handler.arguments) ? this.dispatcher.allowedMethods(inner, found.route) : ''
  }
}

/** Whether a response is sent otherwise than its body stands, whatever its links lead to. */
export function isPlain(response: RestResponse, request: HttpRequest): boolean {
  return response.links.size === 0 && !holdsResponses(response.body) && request.get_param('_fields') === null
}

function holdsResponses(body: unknown): body is readonly unknown[] {
  return Array.isArray(body) && body.some((item) => item instanceof RestResponse)
}

/** A validator that breaks says no; its fault is not that of the request that shows the link. */
function isAccepted(inner: HttpRequest, { check }: { readonly check: (request: HttpRequest) => unknown }): boolean {
  try {
    return inner.problem === null && check(inner) === null
  } catch {
    return false
  }
}
