import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import {
  AsRestRoute,
  endpoint,
  RestResponse,
  route,
  StartupError,
  type RequestOf,
  type RestRequest,
} from 'as-rest-route'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as zod3 } from 'zod/v3'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { startService, type StartedService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { withoutResponseCache } from '../support/response-cache.js'

const shop = { namespace: 'shop/v1', permission: 'public' } as const

const booking = z
  .object({
    id: z.coerce.number().int(),
    seats: z.number().int().min(1).max(8),
    email: z.email(),
    kind: z.enum(['adult', 'child']).default('adult'),
    note: z.string().optional(),
    guests: z.array(z.object({ name: z.string().min(2) })).optional(),
    from: z.iso
      .date()
      .transform((day) => new Date(`${day}T00:00:00Z`))
      .optional(),
    until: z.iso.date().optional(),
  })
  .refine(({ from, until }) => !from || !until || from <= new Date(until), {
    message: 'The dates are in the wrong order.',
  })

const book = route({ ...shop, route: '/events/(?P<id>\\d+)/bookings', method: 'POST', args: booking })

class BookingsApi {
  @AsRestRoute(book)
  book(request: RequestOf<typeof book>) {
    const seats: number = request.get_param('seats')
    const kind: 'adult' | 'child' = request.get_param('kind')
    const note: string | null = request.get_param('note')
    const from: Date | null = request.get_param('from')
    return {
      id: request.get_param('id') + 0,
      seats,
      kind,
      note,
      from: from?.getTime() ?? null,
      all: request.get_params(),
    }
  }
}

const list = endpoint(
  {
    ...shop,
    route: '/events',
    cache: 60,
    args: toStandardJsonSchema(
      v.object({ page: v.optional(v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1)), '1') }),
    ),
  },
  (request) => ({ page: request.get_param('page') * 1 }),
)

const plain = endpoint(
  { ...shop, route: '/plain', args: v.object({ name: v.pipe(v.string(), v.minLength(3)) }) },
  (request) => request.get_param('name').toUpperCase(),
)

const search = endpoint(
  { ...shop, route: '/search/(?P<where>\\w+)', args: type({ q: 'string > 1', 'limit?': 'string.integer.parse' }) },
  (request) => {
    const limit: number | null = request.get_param('limit')
    return { q: request.get_param('q'), limit, where: request.get_param('where') }
  },
)

/** The message of the error that was logged last. */
function loggedMessage(site: StartedService): string {
  const err: unknown = site.log.at(-1)?.fields['err']
  return err instanceof Error ? err.message : ''
}

const json = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

for (const way of ways) {
  test(`a Zod schema validates all arguments, and the handler reads what it makes of them: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BookingsApi])
    const response = await send(
      '/shop/v1/events/7/bookings?secret=1&seats=500&_locale=user',
      json({ seats: 2, email: 'a@b.example', from: '2026-05-01', extra: true, guests: [{ name: 'Agnes', x: 1 }] }),
    )
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), {
      id: 7,
      seats: 2,
      kind: 'adult',
      note: null,
      from: Date.parse('2026-05-01'),
      all: {
        kind: 'adult',
        _locale: 'user',
        seats: 2,
        email: 'a@b.example',
        from: '2026-05-01T00:00:00.000Z',
        guests: [{ name: 'Agnes' }],
        id: 7,
      },
    })
  })

  test(`faults of a schema are answered as WordPress answers them: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BookingsApi])
    const answer = async (body: unknown) => {
      const response = await send('/shop/v1/events/7/bookings', json(body))
      return [response.status, await response.json()]
    }
    assert.deepEqual(await answer({ email: 'a@b.example' }), [
      400,
      {
        code: 'rest_missing_callback_param',
        message: 'Missing parameter(s): seats',
        data: { status: 400, params: ['seats'] },
      },
    ])
    const seats = 'Too big: expected number to be <=8'
    const guest = 'guests[1][name]: Too small: expected string to have >=2 characters'
    const detail = (param: string, message: string) => ({ code: 'rest_invalid_param', message, data: { param } })
    assert.deepEqual(await answer({ seats: 9, email: 'a@b.example', guests: [{ name: 'Agnes' }, { name: 'B' }] }), [
      400,
      {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): seats, guests',
        data: {
          status: 400,
          params: { seats, guests: guest },
          details: { seats: detail('seats', seats), guests: detail('guests', guest) },
        },
      },
    ])
    assert.deepEqual(await answer({ seats: 1, email: 'a@b.example', from: '2026-05-02', until: '2026-05-01' }), [
      400,
      {
        code: 'rest_invalid_param',
        message: 'The dates are in the wrong order.',
        data: { status: 400, params: [], details: [] },
      },
    ])
  })

  test(`Valibot and ArkType validate as well: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [list, plain, search])
    const answer = async (path: string) => (await send(`/shop/v1${path}`)).json()
    assert.deepEqual(await answer('/events'), { page: 1 })
    assert.deepEqual(await answer('/events?page=3'), { page: 3 })
    assert.deepEqual(await answer('/events?page=2'), { page: 2 })
    assert.deepEqual(await answer('/events?page=3'), { page: 3 })
    assert.equal(((await answer('/events?page=0')) as { code: string }).code, 'rest_invalid_param')
    assert.equal(await answer('/plain?name=abc'), 'ABC')
    // Without a JSON Schema nothing tells which arguments are required.
    assert.equal(((await answer('/plain')) as { code: string }).code, 'rest_invalid_param')
    assert.deepEqual(await answer('/search/here?q=bread&limit=5&other=1'), { q: 'bread', limit: 5, where: 'here' })
    assert.match(((await answer('/search/here?q=b&limit=x')) as { message: string }).message, /q, limit|limit, q/)
  })
}

test('the index, OPTIONS and OpenAPI describe the schema of a library', async (context) => {
  const site = await startService([BookingsApi, list])
  context.after(() => site.close())
  const help = (await (await fetch(`${site.rest}shop/v1/events/7/bookings`, { method: 'OPTIONS' })).json()) as {
    endpoints: [{ args: Record<string, Record<string, unknown>> }]
  }
  const { seats, kind, note, guests } = help.endpoints[0].args
  assert.deepEqual(seats, { type: 'integer', minimum: 1, maximum: 8, required: true })
  assert.deepEqual(kind, { type: 'string', default: 'adult', enum: ['adult', 'child'], required: false })
  assert.deepEqual(note, { type: 'string', required: false })
  assert.equal((guests as { items?: { type?: string } } | undefined)?.items?.type, 'object')
  const api = openApiDocument(site.service.routes, {
    title: 'Shop',
    baseUrl: site.url,
    restPrefix: 'wp-json',
  }) as never as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: { required: string[] } }> } } }>
  }
  const operation = api.paths['/shop/v1/events/{id}/bookings']?.post
  assert.deepEqual(operation?.requestBody.content['application/json']?.schema.required, ['seats', 'email'])
})

const event = z.object({ id: z.number(), title: z.string(), at: z.date().optional() })
const rows = [{ id: 1, title: 'Fair', at: new Date(0), secret: 'x' }]

class EventsApi {
  @AsRestRoute({ ...shop, route: '/rows', responses: { 200: z.array(event) } })
  list() {
    return rows.map((row) => new RestResponse(row).addLink('self', '/x'))
  }

  @AsRestRoute({ ...shop, route: '/wrong', responses: { 200: z.object({ title: z.string().min(9) }) } })
  wrong() {
    return { title: 'short', secret: 'x' }
  }
}

for (const environment of ['development', 'production'] as const)
  test(`a body has what its schema makes of it, and a refused one is a 500: ${environment}`, async (context) => {
    const site = await startService([EventsApi], { environment })
    context.after(() => site.close())
    const response = await fetch(`${site.rest}shop/v1/rows`)
    const [first] = (await response.json()) as [Record<string, unknown>]
    const { _links, ...body } = first
    assert.deepEqual(body, { id: 1, title: 'Fair', at: '1970-01-01T00:00:00.000Z' })
    assert.ok(_links)
    const wrong = await fetch(`${site.rest}shop/v1/wrong`)
    assert.equal(wrong.status, 500)
    assert.doesNotMatch(await wrong.text(), /secret/)
    assert.match(
      loggedMessage(site),
      /^EventsApi\.wrong: its response with the status 200 is not as declared: body\.title: Too small/,
    )
  })

/** Bodies of the three versions of Zod's API, with functions of an application. */
const bodies: Readonly<Record<string, z.ZodType>> = {
  'Zod 3': zod3.array(
    zod3.object({ id: zod3.number().refine((id) => id > 0, 'not positive'), at: zod3.string().transform(Number) }),
  ) as never,
  'Zod 4': z.array(
    z.object({ id: z.number().refine((id) => id > 0, 'not positive'), at: z.string().transform(Number) }),
  ),
  'Zod Mini': mini.array(
    mini.object({
      id: mini.number().check(mini.refine((id) => id > 0, 'not positive')),
      at: mini.pipe(mini.string(), mini.transform(Number)),
    }),
  ) as never,
}

for (const [version, schema] of Object.entries(bodies))
  for (const environment of ['development', 'production'] as const)
    test(`a response schema with functions is served by ${version}: ${environment}`, async (context) => {
      let id = 1
      const list = endpoint({ ...shop, route: '/list', responses: { 200: schema } }, () => [{ id, at: '5', secret: 1 }])
      const site = await startService([list], { environment })
      context.after(() => site.close())
      for (const _ of [1, 2]) {
        id = 1
        const accepted = await fetch(`${site.rest}shop/v1/list`)
        assert.deepEqual([accepted.status, await accepted.json()], [200, [{ id: 1, at: 5 }]])
        id = -1
        assert.equal((await fetch(`${site.rest}shop/v1/list`)).status, 500)
        assert.match(loggedMessage(site), /is not as declared: body\[0\]\.id: not positive/)
      }
    })

/** A name that an asynchronous check finds free. @param order gets an entry for each check. */
const freeName = (taken: ReadonlySet<string>, order: string[]) =>
  z.string().refine(
    async (value) => {
      order.push(`schema ${value}`)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return !taken.has(value)
    },
    { message: 'This name is taken.' },
  )

for (const way of ways)
  test(`an asynchronous schema is awaited before the permission and the handler: ${way.name}`, async (context) => {
    const order: string[] = []
    const name = freeName(new Set(['ann']), order)
    const register = endpoint(
      {
        namespace: 'shop/v1',
        route: '/names/(?P<id>\\d+)',
        method: 'POST',
        allow_batch: true,
        permission: (request) => {
          order.push(`permission ${request.get_param('id') + 1}`)
          return true
        },
        args: z.object({ id: z.coerce.number(), name, age: z.coerce.number().default(18) }),
      },
      (request) => request.get_params(),
    )
    const limited = endpoint(
      { ...shop, route: '/limited', rate_limit: { requests: 10, per: 'minute' }, args: z.object({ name }) },
      (request) => request.get_param('name'),
    )
    const read = endpoint({ ...shop, route: '/names/(?P<id>\\d+)' }, () => null)
    const { send } = await way.open(context, [register, limited, read])

    const accepted = await send('/shop/v1/names/5', json({ name: 'mia', extra: 1 }))
    assert.deepEqual([accepted.status, await accepted.json()], [200, { id: 5, name: 'mia', age: 18 }])
    assert.deepEqual(order, ['schema mia', 'permission 6'])
    const refused = await send('/shop/v1/names/5', json({ name: 'ann' }))
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { data: { params: unknown } }).data.params],
      [400, { name: 'This name is taken.' }],
    )
    // For Allow of another method, where the schema refuses the request as a whole, the value has its described type.
    order.length = 0
    assert.equal((await send('/shop/v1/names/5')).headers.get('allow'), 'POST, GET')
    assert.equal(order.at(-1), 'permission 6')

    const items = ['ann', 'mia'].map((each) => ({ path: '/shop/v1/names/5', body: { name: each } }))
    const batch = await send('/batch/v1', json({ requests: items }))
    const { responses } = (await batch.json()) as { responses: { status: number }[] }
    assert.deepEqual(
      responses.map(({ status }) => status),
      [400, 200],
    )
    assert.equal(await (await send('/shop/v1/limited?name=mia')).json(), 'mia')
    assert.equal((await send('/shop/v1/limited?name=ann')).status, 400)
  })

for (const way of ways)
  test(
    `an asynchronous schema runs for each request to a cached route: ${way.name}`,
    { skip: withoutResponseCache },
    async (context) => {
      const taken = new Set(['ann'])
      const order: string[] = []
      const args = z.object({ name: freeName(taken, order) })
      const cached = endpoint({ ...shop, route: '/cached', cache: 60, args }, (request) => [
        request.get_param('name'),
        order.length,
      ])
      const { send } = await way.open(context, [cached])
      const bodies = [await send('/shop/v1/cached?name=mia'), await send('/shop/v1/cached?name=mia')]
      assert.deepEqual(await Promise.all(bodies.map((each) => each.json())), [
        ['mia', 1],
        ['mia', 1],
      ])
      // The response is cached. What the schema finds out is not.
      assert.deepEqual(order, ['schema mia', 'schema mia'])
      assert.equal((await send('/shop/v1/cached?name=ann')).status, 400)
      taken.add('mia')
      assert.equal((await send('/shop/v1/cached?name=mia')).status, 400)
    },
  )

/** Schemas of one argument whose asynchronous check rejects, as it does when a database fails. */
const rejecting: Readonly<Record<string, z.ZodType>> = {
  'an asynchronous function': z.object({ name: z.string().refine(async (name) => failing(name)) }),
  'a function that returns a promise': z.object({ name: z.string().refine((name) => failing(name)) }),
  'a transformation': z.object({ name: z.string().transform((name) => failing(name)) }),
  'a check of the whole': z.object({ name: z.string() }).check(async ({ value }) => void (await failing(value.name))),
  'a check within a union of lists': z.object({
    name: z.union([z.array(z.number()), z.string().superRefine(async (name) => void (await failing(name)))]),
  }),
  'a recursive schema': z.lazy(() => z.object({ name: z.string().refine((name) => failing(name)) })),
  'Zod 3': zod3.object({ name: zod3.string().refine((name) => failing(name)) }) as never,
  Valibot: v.objectAsync({
    name: v.pipeAsync(
      v.string(),
      v.checkAsync((name) => failing(name)),
    ),
  }) as never,
}

/** The list of unhandled rejections, to which those of the test are added. */
function unhandledRejections(context: TestContext): readonly unknown[] {
  const unhandled: unknown[] = []
  const note = (error: unknown): unknown => unhandled.push(error)
  process.on('unhandledRejection', note)
  context.after(() => process.off('unhandledRejection', note))
  return unhandled
}

async function failing(name: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 1))
  if (name === 'down') throw new Error('the database is down')
  return true
}

for (const [part, args] of Object.entries(rejecting))
  test(`an asynchronous schema that rejects is a 500, and no rejection is left unhandled: ${part}`, async (context) => {
    const unhandled = unhandledRejections(context)
    const permission = (request: RestRequest) => request.get_params() !== null
    const base = { namespace: 'shop/v1', route: '/names' } as const
    const site = await startService([
      endpoint({ ...base, method: 'POST', permission, args }, () => 'written'),
      endpoint({ ...base, permission: 'public' }, () => 'read'),
      endpoint({ ...shop, route: '/cached', cache: 60, args }, () => 'cached'),
    ])
    context.after(() => site.close())
    for (const _ of [1, 2]) {
      assert.equal((await fetch(`${site.rest}shop/v1/names`, json({ name: 'down' }))).status, 500)
      assert.equal((await fetch(`${site.rest}shop/v1/cached?name=down`)).status, 500)
      // For Allow, what fails counts as a refusal.
      assert.equal((await fetch(`${site.rest}shop/v1/names?name=down`)).headers.get('allow'), 'GET')
      assert.equal((await fetch(`${site.rest}shop/v1/names?name=up`)).headers.get('allow'), 'POST, GET')
      assert.equal((await fetch(`${site.rest}shop/v1/names`, json({ name: 'up' }))).status, 200)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(unhandled, [])
  })

for (const way of ways)
  test(`for Allow, a schema runs only when a permission callback reads what it validates: ${way.name}`, async (context) => {
    const runs: string[] = []
    const args = z.object({
      note: z.preprocess((value) => (runs.push('preprocess'), JSON.parse(value as string) as unknown), z.unknown()),
      name: z.string().refine(async (value) => (runs.push('refine'), value !== 'ann')),
    })
    const base = { namespace: 'shop/v1', method: 'POST', args } as const
    const { send } = await way.open(context, [
      endpoint({ ...shop, route: '/read' }, () => null),
      endpoint({ ...base, route: '/read', permission: () => true }, () => null),
      endpoint({ ...shop, route: '/header' }, () => null),
      endpoint(
        { ...base, route: '/header', permission: (request) => request.get_header('x-key') === null },
        () => null,
      ),
    ])
    for (const path of ['/shop/v1/read', '/shop/v1/header'])
      for (const method of ['GET', 'OPTIONS'])
        assert.equal((await send(path, { method })).headers.get('allow'), 'GET, POST', `${method} ${path}`)
    assert.deepEqual(runs, [])
  })

/** Permission callbacks that admit ann, and note what they read of their arguments. */
const readingCallbacks: Readonly<Record<string, (name: () => unknown) => boolean | Promise<boolean>>> = {
  'at once': (name) => name() === 'ann',
  'after a wait': async (name) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return name() === 'ann'
  },
  'without heeding errors': (name) => {
    try {
      return name() === 'ann'
    } catch {
      return true
    }
  },
  'without heeding errors, and ending after the schema': async (name) => {
    let isAnn = true
    try {
      isAnn = name() === 'ann'
    } catch {
      // The test is about a callback that goes on.
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    return isAnn
  },
}

for (const [moment, callback] of Object.entries(readingCallbacks))
  test(`for Allow, a permission callback gets what an asynchronous schema makes of its arguments: read ${moment}`, async (context) => {
    const unhandled = unhandledRejections(context)
    const seen: unknown[] = []
    let runs = 0
    const name = z.string().transform(async (value) => {
      runs += 1
      await failing(value)
      return value.toLowerCase()
    })
    const permission = (request: RestRequest<{ name: string }>) =>
      callback(() => {
        const value = request.get_param('name')
        seen.push(value)
        return value
      })
    const base = { namespace: 'shop/v1', route: '/names' } as const
    const site = await startService([
      endpoint({ ...base, permission: 'public' }, () => null),
      endpoint({ ...base, method: 'POST', permission, args: z.object({ name }) }, () => null),
      endpoint({ ...base, method: 'PUT', permission, args: z.object({ name }) }, () => null),
    ])
    context.after(() => site.close())
    for (const [value, allow, values] of [
      ['ANN', 'GET, POST, PUT', ['ann']],
      ['BEN', 'GET', ['ben']],
      ['down', 'GET', []],
    ] as const) {
      seen.length = 0
      runs = 0
      const response = await fetch(`${site.rest}shop/v1/names?name=${value}`)
      assert.deepEqual([response.headers.get('allow'), seen, runs], [allow, values, 1], value)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(unhandled, [])
  })

/** Schemas with a function of an application that is not awaited, and throws for `bad`. */
const throwing: Readonly<Record<string, z.ZodType>> = {
  overwrite: z.object({ name: z.string().overwrite(thrower) }),
  'a default': z.object({ name: z.string(), other: z.string().default(() => thrower('bad')) }),
  'a value for what is refused': z.object({ name: z.string(), other: z.number().catch(() => thrower('bad') as never) }),
  'a transformation': z.object({ name: z.string().transform(thrower) }),
  'a check': z.object({ name: z.string().refine((name) => thrower(name) !== '') }),
  'a check of Zod 3': zod3.object({ name: zod3.string().refine((name) => thrower(name) !== '') }) as never,
}

function thrower(value: string): string {
  if (value === 'bad') throw new Error('a fault of the application')
  return value
}

for (const [part, args] of Object.entries(throwing))
  test(`a schema whose function throws is a 500, and no rejection is left unhandled: ${part}`, async (context) => {
    const unhandled = unhandledRejections(context)
    const base = { namespace: 'shop/v1', method: 'POST', args } as const
    const site = await startService([
      ...['/reads', '/reads-nothing'].map((path) => endpoint({ ...shop, route: path }, () => null)),
      endpoint({ ...base, route: '/reads', permission: (request) => request.get_params() !== null }, () => null),
      endpoint({ ...base, route: '/reads-nothing', permission: () => true }, () => null),
    ])
    context.after(() => site.close())
    assert.equal((await fetch(`${site.rest}shop/v1/reads`, json({ name: 'bad' }))).status, 500)
    assert.match(loggedMessage(site), /a fault of the application/)
    // A callback that throws counts as a refusal.
    assert.equal((await fetch(`${site.rest}shop/v1/reads?name=bad`)).headers.get('allow'), 'GET')
    assert.equal((await fetch(`${site.rest}shop/v1/reads-nothing?name=bad`)).headers.get('allow'), 'GET, POST')
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(unhandled, [])
  })

test('a schema runs once for a request, however many values a permission callback reads of it', async (context) => {
  let runs = 0
  const counted = (later: boolean) =>
    z
      .object({ a: z.coerce.number(), b: z.coerce.number() })
      .refine(({ a, b }) => ((runs += 1), later ? Promise.resolve(a < b) : a < b))
  const seen: unknown[] = []
  const permission = (request: RestRequest<{ a: number; b: number }>) => {
    seen.push(request.get_param('a'), request.get_param('b'))
    return true
  }
  const routes = [true, false].flatMap((later) => [
    endpoint({ ...shop, route: `/pair-${later}` }, () => null),
    endpoint(
      { namespace: 'shop/v1', route: `/pair-${later}`, method: 'POST', args: counted(later), permission },
      () => null,
    ),
  ])
  const site = await startService(routes)
  context.after(() => site.close())
  for (const later of [true, false])
    for (const [query, expectedRuns, allow] of [
      ['a=1&b=2', 1, 'GET, POST'],
      ['a=3&b=4', 1, 'GET, POST'],
      ['a=x&b=2', 0, 'GET'],
    ] as const) {
      runs = 0
      seen.length = 0
      const response = await fetch(`${site.rest}shop/v1/pair-${later}?${query}`)
      assert.deepEqual([response.headers.get('allow'), runs], [allow, expectedRuns], `${later} ${query}`)
      assert.ok(seen.every((value) => typeof value === 'number'))
      const posted = await fetch(
        `${site.rest}shop/v1/pair-${later}`,
        json(Object.fromEntries(new URLSearchParams(query))),
      )
      assert.equal(posted.status, query.includes('x') ? 400 : 200)
    }
})

const later: Readonly<Record<string, z.ZodType>> = {
  'Zod 4': z.object({ a: z.string().refine((name) => failing(name)) }),
  'Zod 4, a transformation': z.object({ a: z.string().transform((name) => failing(name)) }),
  // Zod 3 and a schema that is asynchronous for some values drop the promise of which they complain.
  'Zod 3': zod3.object({ a: zod3.string().refine(() => failing('up')) }) as never,
  'Zod 3, a transformation': zod3.object({ a: zod3.string().transform(() => failing('up')) }) as never,
  'Zod 4, for some values': z.object({ a: z.string().refine((name) => name === 'first' || failing('up')) }),
  Valibot: v.objectAsync({
    a: v.pipeAsync(
      v.string(),
      v.checkAsync((name) => failing(name)),
    ),
  }) as never,
}

for (const [part, schema] of Object.entries(later))
  test(`a response schema that is asynchronous is a 500 that names the library: ${part}`, async (context) => {
    let a = 'first'
    const unhandled = unhandledRejections(context)
    const site = await startService([endpoint({ ...shop, route: '/later', responses: { 200: schema } }, () => ({ a }))])
    context.after(() => site.close())
    await fetch(`${site.rest}shop/v1/later`)
    for (a of ['down', 'down']) {
      assert.equal((await fetch(`${site.rest}shop/v1/later`)).status, 500)
      assert.match(loggedMessage(site), /response schema of (zod|valibot) is asynchronous/)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(unhandled, [])
  })

test('a permission callback reads validated values, also for Allow', async (context) => {
  const seen: unknown[] = []
  const write = endpoint(
    {
      namespace: 'shop/v1',
      route: '/events/(?P<id>\\d+)',
      method: 'POST',
      args: z.object({ id: z.coerce.number(), title: z.string() }),
      permission: (request) => {
        seen.push(request.get_param('id'))
        return true
      },
    },
    (request) => request.get_param('title'),
  )
  const read = endpoint({ ...shop, route: '/events/(?P<id>\\d+)' }, () => null)
  const site = await startService([write, read])
  context.after(() => site.close())
  assert.equal((await fetch(`${site.rest}shop/v1/events/5`)).headers.get('allow'), 'POST, GET')
  const response = await fetch(`${site.rest}shop/v1/events/5`, json({ title: 'Fair' }))
  assert.equal(await response.json(), 'Fair')
  assert.deepEqual(new Set(seen), new Set([5]))
})

test('additional_args: false refuses a misspelt argument', async (context) => {
  const create = endpoint(
    {
      ...shop,
      route: '/halls/(?P<id>\\d+)',
      method: 'POST',
      additional_args: false,
      args: { capacity: { type: 'integer', required: true } },
    },
    (request) => request.get_param('capacity'),
  )
  const site = await startService([create])
  context.after(() => site.close())
  const answer = async (query: string, body: unknown) =>
    (await (await fetch(`${site.rest}shop/v1/halls/1${query}`, json(body))).json()) as unknown
  assert.deepEqual(await answer('?_fields=a&_embed', { capacity: 5 }), 5)
  const message = 'capcity is not an argument of this route. Did you mean capacity?'
  assert.deepEqual(await answer('?zzz=1', { capcity: 5 }), {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): capcity, zzz',
    data: {
      status: 400,
      params: { capcity: message, zzz: 'zzz is not an argument of this route.' },
      details: {
        capcity: { code: 'rest_additional_properties_forbidden', message, data: null },
        zzz: {
          code: 'rest_additional_properties_forbidden',
          message: 'zzz is not an argument of this route.',
          data: null,
        },
      },
    },
  })
})

/** The sentences with which a start refuses a declaration. */
async function refusalsOf(declaration: object): Promise<readonly string[]> {
  const declared = endpoint({ ...shop, route: '/x', ...declaration } as never, () => null)
  try {
    const site = await startService([declared])
    await site.close()
    return []
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error))
    return error.diagnostics.map(({ code, message }) => `${code}: ${message}`)
  }
}

test('a schema in place of the rules of one argument stops the start, with the remedy alone', async () => {
  for (const [vendor, schema] of [
    ['zod', z.email()],
    ['zod', z.number()],
    ['valibot', v.number()],
    ['arktype', type('number')],
  ] as const)
    assert.deepEqual(await refusalsOf({ args: { n: schema, page: { type: 'integer' } } }), [
      `args-invalid: the rules of argument 'n' are a schema of ${vendor}. Write one schema for all arguments: args: z.object({ n: … }).`,
    ])
})

test('a schema of all arguments that accepts no object stops the start', async () => {
  for (const [args, kind] of [
    [z.string(), 'zod for the type string'],
    [z.array(z.string()).optional(), 'zod for the type array'],
    [z.union([z.string(), z.number()]), 'zod for the type string or a number'],
    [v.array(v.string()), 'valibot for the type array'],
    [v.pipe(v.string(), v.minLength(1)), 'valibot for the type string'],
    [type('string[]'), 'arktype for the type array'],
  ] as const) {
    const [first, ...others] = await refusalsOf({ args, method: 'POST' })
    assert.ok(
      first?.startsWith(`args-invalid: 'args' is a schema of ${kind}, but all arguments together are one`),
      first,
    )
    assert.deepEqual(others, [])
  }
  for (const args of [
    z.any(),
    z.record(z.string(), z.string()),
    z.union([z.string(), z.object({ a: z.string() })]),
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    z.preprocess((value) => value, z.object({ a: z.string() })),
    z.string().catch('x'),
    z.lazy(() => z.object({ a: z.string() })),
    v.union([v.object({ a: v.string() }), v.string()]),
    v.variant('kind', [v.object({ kind: v.literal('a') })]),
    v.record(v.string(), v.string()),
    type('Record<string, string>'),
    zod3.object({ a: zod3.string() }),
  ])
    assert.deepEqual(await refusalsOf({ args, method: 'POST' }), [])
})

test('an argument of a path or a query whose schema refuses every text stops the start, with a schema that converts', async () => {
  const refusal = (name: string, kind: string, place: string, conversion: string) =>
    `argument-not-text: argument '${name}' is ${kind}, but a ${place} has only text, so that each ${place} with it is refused. Convert it: ${conversion}.`
  const ofZod = refusal('n', 'a number in its schema of zod', 'query', 'z.coerce.number()')
  for (const n of [
    z.number(),
    z.int().min(1).optional(),
    z.number().default(1),
    z.number().nullable(),
    z.int32().pipe(z.any()),
  ])
    assert.deepEqual(await refusalsOf({ args: z.object({ n }) }), [ofZod])
  assert.deepEqual(await refusalsOf({ args: z.object({ a: z.boolean(), b: z.date(), c: z.array(z.number()) }) }), [
    refusal('a', 'the type boolean in its schema of zod', 'query', 'z.stringbool()'),
    refusal('b', 'the type date in its schema of zod', 'query', 'z.coerce.date()'),
    refusal('c[]', 'a number in its schema of zod', 'query', 'z.coerce.number()'),
  ])
  assert.deepEqual(await refusalsOf({ args: v.object({ n: v.optional(v.pipe(v.number(), v.integer())) }) }), [
    refusal('n', 'a number in its schema of valibot', 'query', 'v.pipe(v.string(), v.toNumber())'),
  ])
  assert.deepEqual(await refusalsOf({ args: type({ n: 'number' }) }), [
    refusal('n', 'a number in its schema of arktype', 'query', "'string.numeric.parse'"),
  ])
  // The body of a POST may have the number, when the group takes no part.
  const optional = { method: 'POST', route: '/y(?:/(?P<id>\\d+))?', args: z.object({ id: z.number().optional() }) }
  assert.deepEqual(await refusalsOf(optional), [])
  // Of a POST only the captures of its path are text.
  const captured = { method: 'POST', route: '/x/(?P<id>\\d+)', args: z.object({ id: z.number(), n: z.number() }) }
  assert.deepEqual(await refusalsOf(captured), [
    refusal('id', 'a number in its schema of zod', 'path', 'z.coerce.number()'),
  ])
})

test('the parts of a recursive schema are examined once each, however many references it has', async () => {
  const shape: Record<string, z.ZodType> = { n: z.coerce.number() }
  for (let reference = 0; reference < 12; reference += 1)
    Object.defineProperty(shape, `child${reference}`, { enumerable: true, get: () => node.optional() })
  const node: z.ZodType = z.object(shape)
  const { def } = node._zod
  let reads = 0
  Object.defineProperty(node._zod, 'def', { get: () => ((reads += 1), def) })
  assert.deepEqual(await refusalsOf({ args: z.object({ a: node, b: node }) }), [])
  assert.ok(reads < 200, `${reads} reads`)
  const faulty = z.object({ list: z.array(z.object({ node, deep: z.object({ n: z.number() }) })) })
  assert.deepEqual(await refusalsOf({ args: faulty }), [
    "argument-not-text: argument 'list[][deep][n]' is a number in its schema of zod, but a query has only text, so that each query with it is refused. Convert it: z.coerce.number().",
  ])
})

test('a schema that makes new parts without end is examined as far as a start can wait', async () => {
  const endless = (): z.ZodType =>
    z.object({
      get a() {
        return endless().optional()
      },
      get b() {
        return endless().optional()
      },
    })
  assert.deepEqual(await refusalsOf({ args: z.object({ a: endless() }), method: 'POST' }), [])
  assert.deepEqual(await refusalsOf({ args: z.object({ a: endless() }) }), [])
})

test('a schema that converts text, or may accept it, is served', async (context) => {
  const converting = {
    zod: z.object({
      a: z.coerce.number(),
      b: z.coerce.number().int().min(1).optional(),
      c: z.string().transform(Number).pipe(z.number()),
      d: z.preprocess(Number, z.number()),
      e: z.union([z.number(), z.string()]),
      f: z.number().catch(6),
      g: z.stringbool(),
      h: z.lazy(() => z.coerce.number()),
      i: z.array(z.coerce.number()),
    }),
    valibot: v.object({
      a: v.pipe(v.string(), v.toNumber()),
      b: v.union([v.number(), v.string()]),
      f: v.fallback(v.number(), 6),
    }),
    arktype: type({ a: 'string.numeric.parse', b: 'number | string' }),
  }
  const site = await startService([
    ...Object.entries(converting).map(([name, args]) =>
      endpoint({ ...shop, route: `/${name}`, args: args as typeof converting.zod }, (request) => request.get_params()),
    ),
    // JSON bodies have numbers.
    ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
      endpoint({ ...shop, route: '/body', method, args: z.object({ n: z.number() }) }, (request) =>
        request.get_param('n'),
      ),
    ),
  ])
  context.after(() => site.close())
  const answer = async (path: string) => (await fetch(`${site.rest}shop/v1/${path}`)).json()
  assert.deepEqual(await answer('zod?a=1&b=2&c=3&d=4&e=5&f=x&g=true&h=7&i[]=8'), {
    a: 1,
    b: 2,
    c: 3,
    d: 4,
    e: '5',
    f: 6,
    g: true,
    h: 7,
    i: [8],
  })
  assert.deepEqual(await answer('valibot?a=1&b=2&f=x'), { a: 1, b: '2', f: 6 })
  assert.deepEqual(await answer('arktype?a=1&b=2'), { a: 1, b: '2' })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal(await (await fetch(`${site.rest}shop/v1/body`, { ...json({ n: 5 }), method })).json(), 5)
})
