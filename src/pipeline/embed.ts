import { toBoolean } from '../php/cast.js'
import type { HttpRequest } from '../http/http-request.js'
import { hasRawBody } from '../http/raw-body.js'
import { parseList } from '../sanitizers/lists.js'
import { cancelBody } from './raw-response.js'
import { innerResponse, requestTo } from './inner-request.js'
import type { Pipeline } from './pipeline.js'
import type { FailureReports } from './failure-reports.js'

/** A link as it stands in a body. */
interface BodyLink {
  readonly href: string
  readonly embeddable?: boolean
}

export interface EmbedDependencies {
  readonly pipeline: Pipeline
  readonly failures: FailureReports
}

type Fetch = (href: string) => Promise<unknown>

/**
 * A body with `_embedded`: the targets of its embeddable links, fetched for the same caller. Each item of a list has its own.
 * An address is fetched once per response. Rules: docs/wire.md#_embed.
 * @param embed the parameter `_embed`: empty, `0`, `1` or `true` for every relation, else a list of relations.
 */
export async function withEmbedded(
  body: unknown,
  embed: unknown,
  request: HttpRequest,
  dependencies: EmbedDependencies,
): Promise<unknown> {
  const relations = relationsIn(embed)
  const fetched = new Map<string, Promise<unknown>>()
  const fetch: Fetch = (href) => {
    let result = fetched.get(href)
    if (!result) fetched.set(href, (result = fetchEmbedded(href, request, dependencies)))
    return result
  }
  if (Array.isArray(body)) return Promise.all(body.map((item) => embeddedInto(item, relations, fetch)))
  return embeddedInto(body, relations, fetch)
}

/** The relations that `_embed` names; null for all of them. */
function relationsIn(embed: unknown): ReadonlySet<string> | null {
  if (typeof embed === 'string' && ['', '0', '1', 'true'].includes(embed)) return null
  const relations = Object.values(parseList(embed)).map(String)
  return relations.length === 0 ? null : new Set(relations)
}

async function embeddedInto(item: unknown, relations: ReadonlySet<string> | null, fetch: Fetch): Promise<unknown> {
  if (typeof item !== 'object' || item === null || !('_links' in item)) return item
  const links = item._links
  if (typeof links !== 'object' || links === null) return item
  const embedded: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [rel, entries] of Object.entries(links)) {
    if (!Array.isArray(entries) || (relations && !relations.has(rel))) continue
    const results = await Promise.all(
      entries.map((link: unknown) => (isEmbeddable(link) ? fetch(link.href) : Promise.resolve([]))),
    )
    if (results.some((result) => !isEmptyTarget(result))) embedded[rel] = results
  }
  return Object.keys(embedded).length === 0 ? item : { ...item, _embedded: embedded }
}

function isEmbeddable(link: unknown): link is BodyLink {
  return (
    typeof link === 'object' &&
    link !== null &&
    (link as BodyLink).embeddable === true &&
    typeof (link as BodyLink).href === 'string'
  )
}

/** Whether the target of a link is empty. A relation that has only empty targets is not embedded. */
function isEmptyTarget(result: unknown): boolean {
  return !result || (Array.isArray(result) && result.length === 0)
}

async function fetchEmbedded(
  href: string,
  outer: HttpRequest,
  { pipeline, failures }: EmbedDependencies,
): Promise<unknown> {
  const inner = requestTo(href, outer)
  if (!inner) return []
  const { query } = inner.parsed
  if (!toBoolean(query['context'])) query['context'] = 'embed'
  const match = pipeline.table.match(inner.route, 'GET')
  const maximum = match?.handler.args['per_page']?.maximum
  if (maximum !== undefined && !toBoolean(query['per_page'])) query['per_page'] = maximum
  const response = await innerResponse(inner, failures, async () => pipeline.run(inner, match, false))
  if (typeof response.body === 'string' || !hasRawBody(response)) return response.body
  // A body that is not JSON cannot be embedded.
  cancelBody(response)
  return []
}
