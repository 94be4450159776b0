import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AsRestRoute,
  currentUser,
  currentUserCan,
  endpoint,
  inject,
  RestError,
  RestResponse,
  SiteOptions,
  type AnyRequest,
  type Around,
  type Next,
  type RestRequest,
} from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { refusalOf } from '../start/refusal.js'
import { startService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { withoutResponseCache } from '../support/response-cache.js'

/** What ran, in order. */
const steps: string[] = []

const step =
  (name: string): Around =>
  async (request, next) => {
    steps.push(`${name} begins`)
    try {
      return await next()
    } finally {
      steps.push(`${name} ends`)
    }
  }

/** A helper for requests of any route. */
const tenantOf = (request: AnyRequest): string => request.get_header('X-Tenant') ?? ''

const tenants: Around = (request, next) => {
  if (tenantOf(request) === 'unknown')
    throw new RestError('tenant_unknown', 'There is no such tenant.', { status: 404 })
  if (tenantOf(request) === 'moved') return new RestResponse(null, 307, { Location: 'https://other.example/' })
  return tenantOf(request) === 'plain' ? { answered: 'early' } : next()
}

class Counter {
  count = 0
}

const counted: Around = async (_request, next) => {
  const counter = inject(Counter)
  const response = await next()
  counter.count += 1
  return response.header('X-Count', String(counter.count))
}

class ShopApi {
  static readonly around = [step('class')]

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/items/(?P<id>\\d+)',
    permission: 'public',
    args: { size: { type: 'integer', default: 2, maximum: 9 } },
    around: [
      step('declaration'),
      async (request, next) => {
        // The types of the declaration: validated, and with defaults.
        const size: number = request.get_param('size')
        const id: string = request.get_param('id')
        const response = await next()
        return response.header('X-Seen', `${id} ${size}`)
      },
    ],
  })
  show(request: RestRequest<{ id: string; size: number }>) {
    steps.push('handler')
    if (request.pathId('id') === 404) throw new RestError('item_missing', 'There is no such item.', { status: 404 })
    return { id: request.pathId('id'), self: this instanceof ShopApi }
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/items', method: 'POST', permission: 'mayAdd', allow_batch: true })
  add(request: RestRequest) {
    steps.push('handler')
    return new RestResponse({ title: request.get_param('title') }, 201)
  }

  mayAdd(request: RestRequest) {
    return request.get_param('title') !== 'forbidden'
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/cached', permission: 'public', cache: 60 })
  cached() {
    steps.push('handler')
    return { cached: true }
  }
}

const plain = endpoint(
  { namespace: 'shop/v1', route: '/plain', permission: 'public', around: [counted] },
  () => new RestResponse({ user: currentUser().id }),
)

for (const way of ways)
  test(`around runs its functions in order, and may answer, change or measure (${way.name})`, async (context) => {
    const { send } = await way.open(context, [ShopApi, plain], { around: [step('service'), tenants] })
    const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      steps.length = 0
      return send(path, { method, headers })
    }
    const order = ['service begins', 'class begins', 'declaration begins', 'handler']
    const back = ['declaration ends', 'class ends', 'service ends']

    const shown = await get('/shop/v1/items/5')
    assert.deepEqual(await shown.json(), { id: 5, self: true })
    assert.equal(shown.headers.get('X-Seen'), '5 2')
    assert.equal(shown.headers.get('Allow'), 'GET')
    assert.deepEqual(steps, [...order, ...back])

    const head = await get('/shop/v1/items/5', {}, 'HEAD')
    assert.equal(head.headers.get('X-Seen'), '5 2')
    assert.equal(await head.text(), '')
    assert.deepEqual(steps, [...order, ...back])

    // An error of the handler passes through the functions, which may catch it.
    const missing = await get('/shop/v1/items/404')
    assert.equal(missing.status, 404)
    assert.equal(((await missing.json()) as { code: string }).code, 'item_missing')
    assert.deepEqual(steps, [...order, ...back])

    // What is refused before the handler does not reach the functions.
    assert.equal((await get('/shop/v1/items/5?size=10')).status, 400)
    assert.deepEqual(steps, [])

    const early = await get('/shop/v1/items/5', { 'X-Tenant': 'plain' })
    assert.deepEqual([early.status, await early.json()], [200, { answered: 'early' }])
    assert.deepEqual(steps, ['service begins', 'service ends'])
    const unknown = await get('/shop/v1/items/5', { 'X-Tenant': 'unknown' })
    assert.equal(unknown.status, 404)
    assert.equal(((await unknown.json()) as { code: string }).code, 'tenant_unknown')
    const moved = await send('/shop/v1/items/5', { headers: { 'X-Tenant': 'moved' }, redirect: 'manual' })
    assert.deepEqual([moved.status, moved.headers.get('Location')], [307, 'https://other.example/'])

    // `inject` gives the same object each time.
    assert.equal((await get('/shop/v1/plain')).headers.get('X-Count'), '1')
    assert.equal((await get('/shop/v1/plain')).headers.get('X-Count'), '2')
  })

test('functions around know the caller, and see only callers who are permitted', async () => {
  const callers: string[] = []
  const named: Around = (request, next) => {
    callers.push(`${request.user.login} ${currentUser().id === request.user.id} ${currentUserCan('edit_posts')}`)
    return next()
  }
  const open = endpoint({ namespace: 'shop/v1', route: '/open', permission: 'public' }, () => null)
  const closed = endpoint(
    { namespace: 'shop/v1', route: '/closed', permission: () => currentUserCan('edit_posts') },
    () => null,
  )
  await using service = await startTestService([open, closed], { around: [named] })
  const [editor, subscriber] = [service.as('editor'), service.as('subscriber', 'application_password')]
  for (const client of [service, editor, subscriber]) {
    await client.get('/shop/v1/open')
    await client.get('/shop/v1/closed')
  }
  assert.deepEqual(callers, [' true false', 'editor true true', 'editor true true', 'subscriber true false'])
})

const once = ['service begins', 'class begins', 'handler', 'class ends', 'service ends']

test('a caller without permission does not reach the functions around, and each item of a batch does', async (context) => {
  const site = await startService([ShopApi], { around: [step('service')] })
  context.after(() => site.close())
  const json = { 'Content-Type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${site.rest}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
  steps.length = 0
  assert.equal((await post('shop/v1/items', { title: 'forbidden' })).status, 401)
  assert.deepEqual(steps, [])
  const requests = ['one', 'forbidden', 'two'].map((title) => ({ path: '/shop/v1/items', body: { title } }))
  const batch = (await (await post('batch/v1', { requests })).json()) as { responses: { status: number }[] }
  assert.deepEqual(
    batch.responses.map(({ status }) => status),
    [201, 401, 201],
  )
  assert.deepEqual(steps, [...once, ...once])
})

test(
  'the functions around run once for a response that is then cached',
  { skip: withoutResponseCache },
  async (context) => {
    const site = await startService([ShopApi], { around: [step('service')] })
    context.after(() => site.close())
    steps.length = 0
    for (let index = 0; index < 3; index += 1)
      assert.deepEqual(await (await fetch(`${site.rest}shop/v1/cached`)).json(), { cached: true })
    assert.deepEqual(steps, once)
  },
)

const twice: Around = async (_request, next) => {
  await next()
  return next()
}
const nothing = (async (_request: unknown, next: Next) => void (await next())) as unknown as Around
const catching: Around = async (_request, next) => {
  try {
    return await next()
  } catch (error) {
    return new RestResponse({ caught: (error as Error).message }, 502)
  }
}

const declared = { namespace: 'shop/v1', permission: 'public' } as const
const wrong = [
  endpoint({ ...declared, route: '/twice', around: [twice] }, () => null),
  endpoint({ ...declared, route: '/nothing', around: [nothing] }, () => null),
  endpoint({ ...declared, route: '/caught', around: [catching] }, () => {
    throw new Error('the disk is full')
  }),
]

test('a wrong function around is a 500 that the log explains, and one may catch what a handler throws', async (context) => {
  const site = await startService(wrong)
  context.after(() => site.close())
  const status = async (path: string) => (await fetch(`${site.rest}shop/v1/${path}`)).status
  const reason = () => String(site.log.at(-1)?.fields['err'])
  assert.equal(await status('twice'), 500)
  assert.match(reason(), /^HandlerError: twice around .* called next\(\) again\. A request is handled once\.$/)
  assert.equal(await status('nothing'), 500)
  assert.match(
    reason(),
    /^HandlerError: nothing around .* must return a RestResponse, a JSON value or null; it returned undefined\./,
  )
  const caught = await fetch(`${site.rest}shop/v1/caught`)
  assert.deepEqual([caught.status, await caught.json()], [502, { caught: 'the disk is full' }])
})

class WithStart {
  start() {}
}

test('a handler that fails after a function around it has answered is logged, and leaves no rejection unhandled', async (context) => {
  const unhandled: unknown[] = []
  const onUnhandled = (err: unknown): unknown => unhandled.push(err)
  process.on('unhandledRejection', onUnhandled)
  context.after(() => process.off('unhandledRejection', onUnhandled))
  const hurried: Around = (_request, next) => {
    void next()
    return { answered: 'early' }
  }
  const failing = endpoint({ ...declared, route: '/failing', around: [hurried] }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    throw new Error('too late')
  })
  const site = await startService([failing])
  context.after(() => site.close())
  const response = await fetch(`${site.rest}shop/v1/failing`)
  assert.deepEqual([response.status, await response.json()], [200, { answered: 'early' }])
  const logged = () => site.log.find(({ fields }) => fields['code'] === 'handler-not-awaited')
  while (logged() === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.match(String(logged()?.fields['err']), /too late/)
  assert.equal(logged()?.fields['requestId'], response.headers.get('x-request-id'))
  assert.deepEqual(unhandled, [])
})

test('a handler whose failure no function around it has seen is logged once', async (context) => {
  const unhandled: unknown[] = []
  const onUnhandled = (err: unknown): unknown => unhandled.push(err)
  process.on('unhandledRejection', onUnhandled)
  context.after(() => process.off('unhandledRejection', onUnhandled))
  const turns = () => new Promise((resolve) => setTimeout(resolve, 5))
  const ignoring: Around = async (_request, next) => {
    void next()
    await turns()
    return { answered: 'alone' }
  }
  const ignoringAtOnce: Around = (_request, next) => {
    void next()
    return { answered: 'alone' }
  }
  const failing: Around = async (_request, next) => {
    void next()
    await turns()
    throw new RestError('own', 'failed itself', { status: 502 })
  }
  const again: Around = async (_request, next) => {
    const response = await next()
    void next()
    await turns()
    return response
  }
  const answeringFor: Around = async (_request, next) => {
    try {
      return await next()
    } catch {
      return { answered: 'instead' }
    }
  }
  const racing: Around = (_request, next) =>
    Promise.race([
      next(),
      turns()
        .then(turns)
        .then(() => null as never),
    ]).catch(() => ({ answered: 'raced' }))
  const listening: Around = (_request, next) => next().catch(() => ({ answered: 'heard' }))
  const waitingLater: Around = async (_request, next) => {
    const response = next()
    await turns()
    return response.catch(() => ({ answered: 'waited' }))
  }
  const passing: Around = (_request, next) => next()
  const fails = () => {
    throw new Error('the disk is full')
  }
  const table: [around: Around, handler: () => unknown, status: number, answered: string | undefined, lines: number][] =
    [
      [ignoring, fails, 200, 'alone', 1],
      [ignoringAtOnce, fails, 200, 'alone', 1],
      [failing, fails, 502, undefined, 1],
      [again, () => ({ answered: 'once' }), 200, 'once', 1],
      [answeringFor, fails, 200, 'instead', 0],
      [racing, fails, 200, 'raced', 0],
      [listening, fails, 200, 'heard', 0],
      [waitingLater, fails, 200, 'waited', 0],
      [passing, fails, 500, undefined, 0],
    ]
  const site = await startService(
    table.map(([around, handler], index) =>
      endpoint({ ...declared, route: `/case-${index}`, around: [around] }, async () => handler() as object),
    ),
  )
  context.after(() => site.close())
  for (const [index, [around, , status, answered, lines]] of table.entries()) {
    const response = await fetch(`${site.rest}shop/v1/case-${index}`)
    const body = (await response.json()) as { answered?: string }
    await turns()
    const requestId = response.headers.get('x-request-id')
    const logged = site.log.filter(
      ({ fields }) => fields['code'] === 'handler-not-awaited' && fields['requestId'] === requestId,
    )
    assert.deepEqual(
      [around.name, response.status, body.answered, logged.length],
      [around.name, status, answered, lines],
    )
  }
  assert.deepEqual(unhandled, [])
})

test('a class with start() cannot be built while the service runs; the option services builds it before', async (context) => {
  const late: Around = (_request, next) => {
    inject(WithStart)
    return next()
  }
  const refused = await startService([plain], { around: [late] })
  context.after(() => refused.close())
  assert.equal((await fetch(`${refused.rest}shop/v1/plain`)).status, 500)
  assert.match(String(refused.log.at(-1)?.fields['err']), /WithStart has start\(\).*Name it in the option 'services'/)
  const site = await startService([plain], { around: [late], services: [WithStart] })
  context.after(() => site.close())
  assert.equal((await fetch(`${site.rest}shop/v1/plain`)).status, 200)
})

test('inject in around works until it awaits something', async (context) => {
  const late: Around = async (_request, next) => {
    const options = inject(SiteOptions)
    await options.get('blogname')
    inject(Counter)
    return next()
  }
  const site = await startService([plain], { around: [late] })
  context.after(() => site.close())
  assert.equal((await fetch(`${site.rest}shop/v1/plain`)).status, 500)
  assert.match(String(site.log.at(-1)?.fields['err']), /inject\(Counter\) works only while the service builds a class/)
})

test('a list around with anything but functions stops the start', async () => {
  class Guard {}
  class Listed {
    static readonly around = 'guard'

    @AsRestRoute({ ...declared, route: '/listed', around: [step('fine'), Guard] as never })
    list() {
      return null
    }
  }
  const { diagnostics } = await refusalOf([Listed], {
    around: ['log', (a: never, b: never, c: never) => [a, b, c]] as never,
  })
  assert.deepEqual(
    diagnostics.map(({ code, subject, message }) => [code, subject.split(' ', 2).join(' '), message]),
    [
      ['around-invalid', 'option around[0]', "it is 'log', but must be a function: async (request, next) => next()."],
      ['around-invalid', 'option around[1]', 'it takes 3 parameters. It takes the request and next.'],
      [
        'around-invalid',
        'Listed.list (GET',
        "entry 1 of 'around' is a class, but must be a function: async (request, next) => next(). Inject the class in it.",
      ],
      [
        'around-invalid',
        'Listed.list (GET',
        "the static 'around' of its class is 'guard', but must be a list of functions: [async (request, next) => next()].",
      ],
    ],
  )
})

test('a function around handlers keeps the default of a third parameter', async (context) => {
  const marked = async (_request: AnyRequest, next: Next, value = 'default') => (await next()).header('X-Mark', value)
  const site = await startService([plain], { around: [marked] })
  context.after(() => site.close())
  const response = await fetch(`${site.rest}shop/v1/plain`)
  assert.equal(response.headers.get('X-Mark'), 'default')
})
