import type { ResponseLink } from '../response/rest-response.js'

const apiRelation = 'https://api.w.org/'

/**
 * The links of a response as its `_links` (WIRE 8.5): attributes before `href`; relations of api.w.org shortened, last,
 * and followed by the `curies` that explain them.
 */
export function linksBody(links: ReadonlyMap<string, readonly ResponseLink[]>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  const shortened: [string, unknown][] = []
  for (const [rel, entries] of links) {
    const written = entries.map(({ href, attributes }) => ({ ...attributes, href }))
    if (rel.startsWith(apiRelation)) shortened.push([`wp:${rel.slice(apiRelation.length)}`, written])
    else body[rel] = written
  }
  for (const [rel, written] of shortened) body[rel] = written
  if (shortened.length > 0) body['curies'] = [{ name: 'wp', href: `${apiRelation}{rel}`, templated: true }]
  return body
}

/** Merges the links into a body; a list becomes a map, as in WordPress. */
export function withLinks(body: unknown, links: ReadonlyMap<string, readonly ResponseLink[]>): unknown {
  if (links.size === 0 || (typeof body !== 'object' && body !== undefined)) return body
  return { ...(body as object | null), _links: linksBody(links) }
}
