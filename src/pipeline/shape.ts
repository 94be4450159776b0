import type { MaybePromise } from '../base/maybe-promise.js'
import { hasRawBody } from '../http/raw-body.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { FailureReports } from './failure-reports.js'
import { withEmbedded } from './embed.js'
import { hasLinks, isPlain, linkedBody } from './links.js'
import type { Pipeline } from './pipeline.js'
import { ignoreFailuresIn } from './raw-response.js'

/**
 * The stage between handler and serializer: `_fields`, then links, then `_embed`. Most responses need none of them and are
 * returned as they are. Inner requests are not embedded: an embedded resource would embed others without end.
 */
// Rules: docs/wire.md#the-order-of-a-request.
export function shape(
  response: RestResponse,
  request: HttpRequest,
  pipeline: Pipeline,
  failures: FailureReports,
): MaybePromise<RestResponse> {
  const embed = request.isInner ? undefined : request.parsed.query['_embed']
  if (embed === undefined && isPlain(response, request)) return response
  return shaped(response, embed, request, { pipeline, failures })
}

async function shaped(
  response: RestResponse,
  embed: unknown,
  request: HttpRequest,
  dependencies: { readonly pipeline: Pipeline; readonly failures: FailureReports },
): Promise<RestResponse> {
  const isEmbedding = embed !== undefined && !hasRawBody(response)
  if (isEmbedding || hasLinks(response)) ignoreFailuresIn(response)
  const body = await linkedBody(response, request, dependencies.pipeline)
  return response.withBody(isEmbedding ? await withEmbedded(body, embed, request, dependencies) : body)
}
