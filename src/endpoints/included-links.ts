import { isSelected } from '../http/fields.js'
import type { ResponseLink, RestResponse } from '../http/rest-response.js'

/** The parameters that choose the links of a response. */
export interface LinkedRequest {
  get_param(name: '_fields'): unknown
  has_param(name: '_embed'): boolean
}

/** @param hintsOf the address of this service whose methods the link lists. Default: `href`. */
export const linkTo = (href: string, hintsOf = href): ResponseLink => ({ href, attributes: {}, hintsOf })

/**
 * Adds links, unless `_fields` of the request leaves them out. In WordPress, `_fields` does so for the links of its own
 * endpoints, and never removes the links of other responses.
 */
// Rules: docs/wire.md#_fields.
export function withIncludedLinks(
  response: RestResponse,
  request: LinkedRequest,
  links: Readonly<Record<string, ResponseLink>>,
): RestResponse {
  const fields = request.get_param('_fields')
  const isIncluded = isSelected(request.has_param('_embed') ? ['_links', '_embedded'] : ['_links'], fields)
  if (!isIncluded) return response
  for (const [rel, link] of Object.entries(links)) response.links.set(rel, [link])
  return response
}
