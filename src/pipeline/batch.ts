import type { ResponseErrorCode } from '../base/response-errors.js'
import type { ResponseSchemas } from '../validation/responses.js'
import type { ArgumentSchema } from '../validation/rules.js'
import { toBoolean } from '../php/cast.js'
import { copyFloats } from '../php/float-members.js'
import { urlParts } from '../php/url-parts.js'
import { RestError } from '../http/rest-error.js'
import { parseQuery, type ParameterMap } from '../http/query.js'
import type { LimitDecision } from '../http/exchange.js'
import type { HttpRequest } from '../http/http-request.js'
import { errorResponse } from '../http/error-response.js'
import { RestResponse } from '../http/rest-response.js'
import type { HandlerMatch } from '../routing/table.js'
import { compileEndpoint } from '../routing/compile-endpoint.js'
import type { Endpoint } from '../routing/endpoint.js'
import { tooLargeText } from '../http/refusal.js'
import { innerResponse, innerRequest } from './inner-request.js'
import type { FailureReports } from './failure-reports.js'
import { noRoute, type Pipeline } from './pipeline.js'
import { withLimitHeaders } from './request-limits.js'
import { envelopeOf } from './response-writer.js'

// Rules: docs/wire.md#batch.
/** The arguments of a batch. */
export const batchArguments: ArgumentSchema = {
  validation: { type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
  requests: {
    required: true,
    type: 'array',
    maxItems: 25,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
        path: { type: 'string', required: true },
        body: { type: 'object', properties: {}, additionalProperties: true },
        headers: {
          type: 'object',
          properties: {},
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
      },
    },
  },
}

const envelope = {
  type: 'object',
  properties: { body: {}, status: { type: 'integer' }, headers: { type: ['object', 'array'] } },
  required: ['body', 'status', 'headers'],
} as const

/** The schemas of the response to a batch, for OpenAPI documents. An item is null when it was valid and another one was not. */
export const batchResponses: ResponseSchemas = {
  207: {
    type: 'object',
    properties: {
      failed: { type: 'string', enum: ['validation'] },
      responses: { type: 'array', items: { anyOf: [envelope, { type: 'null' }] } },
    },
    required: ['responses'],
  },
}

interface BatchItem {
  readonly path: string
  readonly method?: string
  readonly body?: ParameterMap
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/**
 * One request of a batch, validated before the first of them runs. Request, match and refusal are in one object. WordPress
 * 6.9 had a list of each, and a path that could not be parsed, which has no match, gave every later request the handler
 * and the permission of another one (CVE-2026-63030).
 */
interface CheckedItem {
  readonly request: HttpRequest
  /** `null` when no route matched, or the path could not be parsed. */
  readonly match: HandlerMatch<Endpoint> | null
  /** The response in place of running the request; `null` when it will run. */
  readonly refusal: RestResponse | null
  readonly limited: LimitDecision | null
}

export interface BatchDependencies {
  readonly pipeline: Pipeline
  readonly failures: FailureReports
}

/** `POST /batch/v1`: several writes in one request, to routes that allow it. */
export function batchEndpoint(dependencies: BatchDependencies): Endpoint {
  // Without a namespace, so that the index does not list one.
  const declaration = { namespace: null, route: '/batch/v1', method: 'POST', args: batchArguments } as const
  return compileEndpoint({ declaration, handle: (request) => handleBatch(request, dependencies), name: 'batch' })
}

async function handleBatch(outer: HttpRequest, dependencies: BatchDependencies): Promise<RestResponse> {
  const items: CheckedItem[] = []
  for (const item of outer.get_param('requests') as readonly BatchItem[])
    items.push(await checkItem(item, outer, dependencies))
  if (outer.get_param('validation') === 'require-all-validate' && items.some(({ refusal }) => refusal !== null)) {
    const responses = items.map((item) => refusedItem(item, dependencies))
    return new RestResponse({ failed: 'validation', responses }, 207)
  }
  const responses: RestResponse[] = []
  // One after the other, because a later item may rely on the writes of an earlier one.
  for (const item of items) responses.push(await run(item, dependencies))
  const wholeResponse = new RestResponse({ responses: responses.map(envelopeOf) }, 207)
  // Envelopes have no cookies, so the whole response carries those of all items.
  wholeResponse.cookies.push(...responses.flatMap(({ cookies }) => cookies))
  return wholeResponse
}

/** An item of a batch that does not run: null when it is valid. The response has no `Allow`, so no permission is checked. */
function refusedItem({ refusal, match, limited }: CheckedItem, { pipeline }: BatchDependencies): unknown {
  if (refusal === null) return null
  if (match !== null) pipeline.addCrossOrigin(refusal, match.route)
  return envelopeOf(limited === null ? refusal : withLimitHeaders(refusal, limited))
}

async function checkItem(
  { path, method = 'POST', body, headers }: BatchItem,
  outer: HttpRequest,
  { pipeline, failures }: BatchDependencies,
): Promise<CheckedItem> {
  const target = splitPath(path)
  if (!target) {
    const refusal = errorResponse(badRequest('parse_path_failed', 'Could not parse the path.'))
    return { request: outer, match: null, refusal, limited: null }
  }
  const form = Object.assign(Object.create(null) as ParameterMap, body)
  if (body !== undefined) copyFloats(body, form)
  const request = innerRequest({ ...target, method, form, headers: flatHeaders(headers) }, outer)
  const match = pipeline.table.match(target.route, method)
  if (!match) return { request, match, refusal: errorResponse(noRoute()), limited: null }
  pipeline.bind(request, match)
  const limited = await pipeline.limit(request, match)
  const accepted = new RestResponse(null)
  const response = await innerResponse(request, failures, async () => {
    const problem =
      batchProblem(match.handler) ??
      limited?.refusal ??
      sizeProblem(match.handler, body) ??
      (await pipeline.validate(request, match))
    return problem ? errorResponse(problem) : accepted
  })
  return { request, match, refusal: response === accepted ? null : response, limited }
}

function batchProblem({ allowBatch }: Endpoint): RestError | null {
  if (allowBatch) return null
  return badRequest('rest_batch_not_allowed', 'The requested route does not support batch requests.')
}

/** A 413 for an item whose body, as JSON without white space, is larger than its route allows; null for any other. */
function sizeProblem({ bodyLimit }: Endpoint, body: ParameterMap | undefined): RestError | null {
  if (typeof bodyLimit !== 'number' || body === undefined || Buffer.byteLength(JSON.stringify(body)) <= bodyLimit)
    return null
  return new RestError('rest_request_too_large', tooLargeText(bodyLimit), { status: 413 })
}

/** An error in one item becomes the response to that item. The other items still run. */
async function run(
  { request, match, refusal, limited }: CheckedItem,
  dependencies: BatchDependencies,
): Promise<RestResponse> {
  if (!match) return refusal ?? errorResponse(noRoute())
  const { pipeline, failures } = dependencies
  const response = await innerResponse(request, failures, async () =>
    limited?.refusal && refusal ? pipeline.refused(refusal, request, match) : pipeline.respond(request, match, refusal),
  )
  return limited === null ? response : withLimitHeaders(response, limited)
}

/** The route and the query of a path, or of a whole URL; `null` for one that PHP does not parse. */
function splitPath(
  path: string,
): { readonly route: string; readonly query: ParameterMap; readonly problem: RestError | null } | null {
  const parts = urlParts(path)
  if (!parts) return null
  // WordPress takes the query `0` for none.
  const { parameters: query, problem } = parseQuery(toBoolean(parts.query) ? parts.query : '')
  return { route: parts.path, query, problem }
}

function flatHeaders(headers: BatchItem['headers']): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of Object.entries(headers ?? {}))
    flat[name.toLowerCase().replaceAll('_', '-')] = typeof value === 'string' ? value : value.join(',')
  return flat
}

function badRequest(code: ResponseErrorCode, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}
