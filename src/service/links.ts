import type { HttpRequest } from '../request/rest-request.js'
import type { ResponseLink } from '../response/rest-response.js'
import type { Dispatcher } from './dispatch.js'
import { requestTo } from './inner-request.js'

const apiRelation = 'https://api.w.org/'

type Links = ReadonlyMap<string, readonly ResponseLink[]>

/** Writes the links of a response into its body (WIRE 8.5). */
export class LinkWriter {
  /** @param root `https://shop.example/wp-json/` */
  constructor(
    readonly dispatcher: Dispatcher,
    readonly root: () => string,
  ) {}

  /**
   * The body with its links as `_links`: attributes before `href`; relations of api.w.org shortened, last, and followed
   * by the `curies` that explain them. A list becomes a map, as in WordPress.
   */
  async merged(body: unknown, links: Links, request: HttpRequest): Promise<unknown> {
    if (links.size === 0 || (typeof body !== 'object' && body !== undefined)) return body
    return { ...(body as object | null), _links: await this.written(links, request) }
  }

  async written(links: Links, request: HttpRequest): Promise<Record<string, unknown>> {
    const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    const shortened: [string, unknown][] = []
    for (const [rel, entries] of links) {
      const written = await Promise.all(entries.map((link) => this.#written(rel, link, request)))
      if (rel.startsWith(apiRelation)) shortened.push([`wp:${rel.slice(apiRelation.length)}`, written])
      else body[rel] = written
    }
    for (const [rel, written] of shortened) body[rel] = written
    if (shortened.length > 0) body['curies'] = [{ name: 'wp', href: `${apiRelation}{rel}`, templated: true }]
    return body
  }

  async #written(
    rel: string,
    { href, attributes }: ResponseLink,
    request: HttpRequest,
  ): Promise<Record<string, unknown>> {
    const link = { ...attributes, href }
    const allow = rel === 'self' ? await this.#allowedAt(href, request) : ''
    return allow === '' ? link : { ...link, targetHints: { allow: allow.split(', ') } }
  }

  /** What this caller may do at an address of this service. */
  async #allowedAt(href: string, request: HttpRequest): Promise<string> {
    const inner = requestTo(href, this.root(), request)
    const found = inner && this.dispatcher.table.match(inner.route, 'GET')
    if (!inner || !found) return ''
    inner.matched(found.params, found.handler.arguments.defaults)
    return found.handler.arguments.check(inner) === null ? this.dispatcher.allowedMethods(inner, found.route) : ''
  }
}
