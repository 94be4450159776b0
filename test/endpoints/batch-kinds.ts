import { AsRestRoute, currentUser, currentUserCan, RestError, RestResponse, type RestRequest } from '../../src/index.js'

/** One run of a handler: which one, with what, for whom. */
export interface HandlerRun {
  readonly handler: string
  readonly login: string
  readonly method: string
  readonly route: string
  readonly mark: string | null
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What ran since the last `forgetRuns`, in its order. */
export const handlerRuns: HandlerRun[] = []
/** The sources of the arguments of each handler run. */
export const sources: unknown[] = []
/** The permission callbacks that were asked, with the route and the caller of the request. */
export const permissionRuns: object[] = []

export function forgetRuns(): void {
  for (const list of [handlerRuns, sources, permissionRuns]) list.length = 0
}

function respond(handler: string, request: RestRequest): RestResponse {
  const mark = request.get_header('X-Mark')
  const { method, route } = request
  const run = copyOf({ handler, login: currentUser().login, method, route, mark, arguments: request.get_params() })
  handlerRuns.push(run)
  sources.push(
    copyOf([
      request.get_url_params(),
      request.get_query_params(),
      request.get_body_params(),
      request.get_default_params(),
      request.headers,
    ]),
  )
  return new RestResponse(run, 200, { 'X-Mark': mark ?? '' })
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

function recordRun(callback: string, { method, route }: RestRequest): void {
  permissionRuns.push({ callback, login: currentUser().login, method, route })
}

const argumentsWith = (count: number) =>
  ({
    title: { type: 'string', required: true, sanitize_callback: 'sanitize_text_field' },
    count: { type: 'integer', default: count, minimum: 0 },
    tags: { type: 'array', items: { type: 'string' }, default: [`of ${count}`] },
  }) as const

const things = { namespace: 'items/v1', route: '/things/(?P<id>\\d+)', allow_batch: true } as const

/** Each handler records its run and answers with it. */
export class ThingsApi {
  @AsRestRoute({ ...things, method: 'POST', permission: 'public', args: argumentsWith(7) })
  create(request: RestRequest) {
    return respond('create', request)
  }

  @AsRestRoute({ ...things, method: 'PUT', permission: 'public', args: argumentsWith(70) })
  replace(request: RestRequest) {
    return respond('replace', request)
  }

  @AsRestRoute({ ...things, method: 'PATCH', permission: 'owns', args: argumentsWith(700) })
  change(request: RestRequest) {
    return respond('change', request)
  }

  @AsRestRoute({ ...things, method: 'DELETE', permission: 'isEditor' })
  remove(request: RestRequest) {
    return respond('remove', request)
  }

  /** The default capability of the service applies. */
  @AsRestRoute({ namespace: 'items/v1', route: '/desk', method: 'POST', allow_batch: true, args: argumentsWith(7000) })
  edit(request: RestRequest) {
    return respond('edit', request)
  }

  @AsRestRoute({ namespace: 'items/v1', route: '/closed', method: 'POST', permission: 'public' })
  closed(request: RestRequest) {
    return respond('closed', request)
  }

  @AsRestRoute({
    namespace: 'items/v1',
    route: '/failing/(?P<how>\\w+)',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
  })
  async fail(request: RestRequest<{ how: string }>) {
    const response = respond('fail', request)
    const how = request.get_param('how')
    if (how === 'conflict') throw new RestError('items_conflict', 'It exists.', { status: 409 })
    if (how === 'teapot') return new RestResponse({ code: 'items_teapot' }, 418)
    if (how === 'later') await Promise.reject(new Error('it broke later'))
    if (how === 'error') throw new Error('it broke')
    return response
  }

  @AsRestRoute({
    namespace: 'items/v1',
    route: '/guarded/(?P<how>\\w+)',
    method: 'POST',
    permission: 'guard',
    allow_batch: true,
  })
  guarded(request: RestRequest) {
    return respond('guarded', request)
  }

  @AsRestRoute({
    namespace: 'items/v1',
    route: '/checked',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
    args: {
      value: {
        validate_callback: (value) => (value === 'refused' ? new RestError('items_refused', 'Refused.') : true),
        sanitize_callback: (value) => {
          if (value === 'broken') throw new Error('the sanitiser broke')
          return `clean ${String(value)}`
        },
      },
    },
  })
  check(request: RestRequest) {
    return respond('check', request)
  }

  async owns(request: RestRequest<{ id: string }>) {
    recordRun('owns', request)
    await new Promise(setImmediate)
    return currentUser().id !== 0 && Number(request.get_param('id')) % 2 === 0
  }

  isEditor(request: RestRequest) {
    recordRun('isEditor', request)
    return currentUserCan('edit_posts')
  }

  async guard(request: RestRequest<{ how: string }>) {
    recordRun('guard', request)
    const how = request.get_param('how')
    if (how === 'teapot') throw new RestError('items_guard', 'No.', { status: 418 })
    if (how === 'error') throw new Error('the guard broke')
    return false
  }
}

export const logins = ['', 'sam', 'mia'] as const
/** Nobody, a subscriber, or an editor. */
export type Login = (typeof logins)[number]

/** What an item says. */
export interface Values {
  /** Of a thing: the subscriber and the editor own those with even ids. */
  readonly id: number
  readonly word: string
  readonly count: number | undefined
  readonly tags: readonly string[] | undefined
  readonly mark: string
  readonly inQuery: boolean
}

export interface BatchRequest {
  readonly path: string
  readonly method?: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** An item of a batch, and the response that follows from its kind, its values and the caller. */
export interface Item {
  readonly request: BatchRequest
  readonly status: number
  /** `code` of the response's body. */
  readonly code: string | null
  /** The item is refused before any item of the batch runs. */
  readonly isInvalid: boolean
  readonly run: HandlerRun | null
}

/** @param path below `/items/v1`. */
function requestOf(method: string, path: string, { word, count, tags, mark, inQuery }: Values): BatchRequest {
  const parameters: Record<string, string> = { title: ` <i>${word}</i> ` }
  if (count !== undefined) parameters['count'] = String(count)
  if (tags !== undefined) parameters['tags'] = tags.join(',')
  const headers = { 'X-Mark': mark }
  const whole = `/items/v1${path}`
  return inQuery
    ? { method, path: `${whole}?${new URLSearchParams(parameters)}`, headers }
    : { method, path: whole, body: parameters, headers }
}

const argumentsOf = ({ word, count, tags }: Values, defaultCount: number) => ({
  title: word,
  count: count ?? defaultCount,
  tags: tags ?? [`of ${defaultCount}`],
})

function runOf(handler: string, { method = 'POST', path }: BatchRequest, login: Login, values: Values, args: object) {
  const [route = ''] = path.split('?')
  return { handler, login, method, route, mark: values.mark, arguments: { ...args } }
}

const answered = (request: BatchRequest, run: HandlerRun): Item => ({
  request,
  status: 200,
  code: null,
  isInvalid: false,
  run,
})

/** @param run what the handler did before it failed; null when the permission said no. */
const failed = (request: BatchRequest, status: number, code: string, run: HandlerRun | null): Item => ({
  request,
  status,
  code,
  isInvalid: false,
  run,
})

const denied = (request: BatchRequest, login: Login): Item =>
  failed(request, login === '' ? 401 : 403, 'rest_forbidden', null)

const invalid = (request: BatchRequest, status: number, code: string): Item => ({
  request,
  status,
  code,
  isInvalid: true,
  run: null,
})

type Kind = (values: Values, login: Login) => Item

/** @param how the handler fails, as the path says. */
function failing(how: string, status: number, code: string): Kind {
  return (values, login) => {
    const request = { path: `/items/v1/failing/${how}`, headers: { 'X-Mark': values.mark } }
    return failed(request, status, code, runOf('fail', request, login, values, { how }))
  }
}

/** @param how the permission callback says no, as the path says. */
const guarded = (how: string): BatchRequest => ({ path: `/items/v1/guarded/${how}` })

function checked(value: string): BatchRequest {
  return { path: '/items/v1/checked', body: { value } }
}

const invalidPath =
  (path: string, status: number, code: string): Kind =>
  (values) =>
    invalid({ ...requestOf('POST', '', values), path }, status, code)

const unparsable = (path: string) => invalidPath(path, 400, 'parse_path_failed')
const unknown = (path: string) => invalidPath(path, 404, 'rest_no_route')
/** More than the 1,000 variables that a query may have. */
const longQuery = Array.from({ length: 1001 }, (_, index) => `p${index}`).join('&')

/** Items that every caller may send, and that are answered. */
export const goodKinds = {
  'a creation': (values, login) => {
    const { id } = values
    const request = requestOf('POST', `/things/${id}`, values)
    return answered(request, runOf('create', request, login, values, { id: String(id), ...argumentsOf(values, 7) }))
  },
  'another method of the same path': (values, login) => {
    const { id } = values
    const request = requestOf('PUT', `/things/${id}`, values)
    return answered(request, runOf('replace', request, login, values, { id: String(id), ...argumentsOf(values, 70) }))
  },
  'a whole address': (values, login) => {
    const { id } = values
    const request = requestOf('POST', `/things/${id}`, values)
    const run = runOf('create', request, login, values, { id: String(id), ...argumentsOf(values, 7) })
    return answered({ ...request, path: `http://elsewhere.example${request.path}` }, run)
  },
  'a sanitiser of its own': (values, login) => {
    const request = { ...checked(values.word), headers: { 'X-Mark': values.mark } }
    return answered(request, runOf('check', request, login, values, { value: `clean ${values.word}` }))
  },
} satisfies Record<string, Kind>

/** Items that pass the validation, and then are denied or fail; the first three are answered for some callers. */
const failingKinds = {
  'a permission callback that asks for the path': (values, login) => {
    const { id } = values
    const request = requestOf('PATCH', `/things/${id}`, values)
    if (login === '' || id % 2 === 1) return denied(request, login)
    return answered(request, runOf('change', request, login, values, { id: String(id), ...argumentsOf(values, 700) }))
  },
  'a permission callback that asks for a role': (values, login) => {
    const { id, mark } = values
    const request = { method: 'DELETE', path: `/items/v1/things/${id}`, headers: { 'X-Mark': mark } }
    if (login !== 'mia') return denied(request, login)
    return answered(request, runOf('remove', request, login, values, { id: String(id) }))
  },
  'the default capability': (values, login) => {
    const request = requestOf('POST', '/desk', values)
    if (login !== 'mia') return denied(request, login)
    return answered(request, runOf('edit', request, login, values, argumentsOf(values, 7000)))
  },
  'a permission callback that says no': (_values, login) => denied(guarded('no'), login),
  'a permission callback that throws a RestError': () => failed(guarded('teapot'), 418, 'items_guard', null),
  'a permission callback that throws': () => failed(guarded('error'), 500, 'internal_server_error', null),
  'a handler that throws': failing('error', 500, 'internal_server_error'),
  'a handler that rejects': failing('later', 500, 'internal_server_error'),
  'a handler that throws a RestError': failing('conflict', 409, 'items_conflict'),
  'a handler that answers with an error': failing('teapot', 418, 'items_teapot'),
} satisfies Record<string, Kind>

/** Items that are refused before any item of the batch runs. */
const invalidKinds = {
  'an argument that is missing': ({ id }) =>
    invalid({ path: `/items/v1/things/${id}` }, 400, 'rest_missing_callback_param'),
  'an argument of another type': ({ id, word }) =>
    invalid({ path: `/items/v1/things/${id}?title=x&count=${word}` }, 400, 'rest_invalid_param'),
  'a validator that refuses': () => invalid(checked('refused'), 400, 'rest_invalid_param'),
  'a sanitiser that throws': () => invalid(checked('broken'), 500, 'internal_server_error'),
  'a query that is too long': ({ id }) =>
    invalid({ path: `/items/v1/things/${id}?${longQuery}` }, 400, 'rest_too_many_params'),
  'a route that does not allow batches': invalidPath('/items/v1/closed', 400, 'rest_batch_not_allowed'),
  'an unknown route': unknown('/items/v1/nowhere'),
  'a path without its slash': unknown('items/v1/things/2'),
  'an empty path': unknown(''),
  'the root': unknown('/'),
  'a method that the route does not have': ({ word }) =>
    invalid({ method: 'PATCH', path: '/items/v1/desk', body: { title: word } }, 404, 'rest_no_route'),
  'an unparsable port': unparsable('http://127.0.0.1:99999:x/items/v1/things/2?title=x'),
  'an unparsable address': unparsable('//:80/items/v1/things/2?title=x'),
  'a URL without a host': unparsable('http:///items/v1/things/2?title=x'),
  'a batch': (values) => {
    const requests = [requestOf('POST', `/things/${values.id}`, values), requestOf('POST', '/desk', values)]
    return invalid({ path: '/batch/v1', body: { requests } }, 400, 'rest_batch_not_allowed')
  },
  'a batch that begins with an unparsable path': (values) => {
    const requests = [{ path: 'http://127.0.0.1:99999:x' }, requestOf('POST', `/things/${values.id}`, values)]
    return invalid({ path: '/batch/v1?validation=normal', body: { requests } }, 400, 'rest_batch_not_allowed')
  },
  'a batch of a batch': (values) => {
    const requests = [{ path: '/batch/v1', body: { requests: [requestOf('POST', `/things/${values.id}`, values)] } }]
    return invalid({ path: '/batch/v1', body: { requests } }, 400, 'rest_batch_not_allowed')
  },
} satisfies Record<string, Kind>

export const validKinds: Readonly<Record<string, Kind>> = { ...goodKinds, ...failingKinds }
export const kinds: Readonly<Record<string, Kind>> = { ...validKinds, ...invalidKinds }
