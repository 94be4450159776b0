import { compileArguments } from '../arguments/compile.js'
import type { ArgumentSchema } from '../arguments/rules.js'
import { RestError } from '../errors/rest-error.js'
import { parseQuery, type Bag } from '../request/query.js'
import type { HttpRequest } from '../request/rest-request.js'
import { errorResponse } from '../response/error-response.js'
import { RestResponse } from '../response/rest-response.js'
import type { HandlerMatch } from '../route/table.js'
import { noRoute, type Dispatcher } from './dispatch.js'
import type { Endpoint } from './endpoint.js'
import { innerRequest } from './inner-request.js'
import { envelopeOf } from './rest.js'

/** WIRE 10. */
const args: ArgumentSchema = {
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

interface BatchItem {
  readonly path: string
  readonly method?: string
  readonly body?: Bag
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/** One request of a batch, after everything that can be judged before any of them runs. */
interface JudgedItem {
  readonly request: HttpRequest | null
  readonly found: HandlerMatch<Endpoint> | null
  readonly problem: RestError | null
}

/** `POST /batch/v1`: several writes in one request, to routes that allow it. */
export function batchEndpoint(dispatcher: Dispatcher): Endpoint {
  return {
    namespace: null,
    route: '/batch/v1',
    methods: ['POST'],
    args,
    arguments: compileArguments(args, new Map()),
    requirement: { kind: 'anyone' },
    question: null,
    permit: null,
    handle: (request) => answer(request, dispatcher),
    allowBatch: false,
    showInIndex: true,
    name: 'batch',
  }
}

async function answer(outer: HttpRequest, dispatcher: Dispatcher): Promise<RestResponse> {
  const items = (outer.get_param('requests') as readonly BatchItem[]).map((item) => judged(item, outer, dispatcher))
  if (outer.get_param('validation') === 'require-all-validate' && items.some(({ problem }) => problem !== null)) {
    const responses = await Promise.all(
      items.map(async (item) => (item.problem ? envelopeOf(await refused(item, dispatcher)) : null)),
    )
    return new RestResponse({ failed: 'validation', responses }, 207)
  }
  const responses: unknown[] = []
  // One after the other: a later item may rely on what an earlier one wrote.
  for (const item of items)
    responses.push(envelopeOf(item.problem ? await refused(item, dispatcher) : await run(item, dispatcher)))
  return new RestResponse({ responses }, 207)
}

function judged(
  { path, method = 'POST', body, headers }: BatchItem,
  outer: HttpRequest,
  { table }: Dispatcher,
): JudgedItem {
  const target = splitPath(path)
  if (!target)
    return { request: null, found: null, problem: badRequest('parse_path_failed', 'Could not parse the path.') }
  const form = Object.assign(Object.create(null) as Bag, body)
  const request = innerRequest(
    { method, route: target.route, query: target.query, form, headers: flatHeaders(headers) },
    outer,
  )
  const found = table.match(target.route, method)
  if (!found) return { request, found, problem: noRoute() }
  request.matched(found.params, found.handler.arguments.defaults)
  if (!found.handler.allowBatch) {
    return {
      request,
      found,
      problem: badRequest('rest_batch_not_allowed', 'The requested route does not support batch requests.'),
    }
  }
  return { request, found, problem: found.handler.arguments.check(request) }
}

async function run({ request, found }: JudgedItem, dispatcher: Dispatcher): Promise<RestResponse> {
  if (!request || !found) return errorResponse(noRoute())
  return withAllow(await dispatcher.execute(request, found.handler), request, found, dispatcher)
}

async function refused({ request, found, problem }: JudgedItem, dispatcher: Dispatcher): Promise<RestResponse> {
  const response = errorResponse(problem ?? noRoute())
  return request && found ? withAllow(response, request, found, dispatcher) : response
}

async function withAllow(
  response: RestResponse,
  request: HttpRequest,
  found: HandlerMatch<Endpoint>,
  dispatcher: Dispatcher,
): Promise<RestResponse> {
  const allow = await dispatcher.allowedMethods(request, found.route)
  return allow === '' ? response : response.header('Allow', allow)
}

/** PHP's parse_url gives up on a path whose port is none. */
function splitPath(path: string): { readonly route: string; readonly query: Bag } | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) && !URL.canParse(path)) return null
  const [route = '', query = ''] = path.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? []
  return { route: route.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''), query: parseQuery(query).bag }
}

function flatHeaders(headers: BatchItem['headers']): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of Object.entries(headers ?? {}))
    flat[name.toLowerCase().replaceAll('_', '-')] = typeof value === 'string' ? value : value.join(', ')
  return flat
}

function badRequest(code: string, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}
