import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { AsRestRoute, endpoint, route, type RequestOf } from 'as-rest-route'
import * as v from 'valibot'
import { z } from 'zod'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { startService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { json, shop } from './schema-library-routes.js'

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
    const responseTo = async (body: unknown) => {
      const response = await send('/shop/v1/events/7/bookings', json(body))
      return [response.status, await response.json()]
    }
    assert.deepEqual(await responseTo({ email: 'a@b.example' }), [
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
    assert.deepEqual(await responseTo({ seats: 9, email: 'a@b.example', guests: [{ name: 'Agnes' }, { name: 'B' }] }), [
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
    assert.deepEqual(await responseTo({ seats: 1, email: 'a@b.example', from: '2026-05-02', until: '2026-05-01' }), [
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
    const responseTo = async (path: string) => (await send(`/shop/v1${path}`)).json()
    assert.deepEqual(await responseTo('/events'), { page: 1 })
    assert.deepEqual(await responseTo('/events?page=3'), { page: 3 })
    assert.deepEqual(await responseTo('/events?page=2'), { page: 2 })
    assert.deepEqual(await responseTo('/events?page=3'), { page: 3 })
    assert.equal(((await responseTo('/events?page=0')) as { code: string }).code, 'rest_invalid_param')
    assert.equal(await responseTo('/plain?name=abc'), 'ABC')
    // Without a JSON Schema nothing tells which arguments are required.
    assert.equal(((await responseTo('/plain')) as { code: string }).code, 'rest_invalid_param')
    assert.deepEqual(await responseTo('/search/here?q=bread&limit=5&other=1'), { q: 'bread', limit: 5, where: 'here' })
    assert.match(((await responseTo('/search/here?q=b&limit=x')) as { message: string }).message, /q, limit|limit, q/)
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
  const responseTo = async (query: string, body: unknown) =>
    (await (await fetch(`${site.rest}shop/v1/halls/1${query}`, json(body))).json()) as unknown
  assert.deepEqual(await responseTo('?_fields=a&_embed', { capacity: 5 }), 5)
  const message = 'capcity is not an argument of this route. Did you mean capacity?'
  assert.deepEqual(await responseTo('?zzz=1', { capcity: 5 }), {
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

/** Strict objects of the libraries, which take the place of `additional_args: false`. */
const strict = {
  Zod: z.strictObject({ capacity: z.number() }),
  Valibot: v.strictObject({ capacity: v.number() }),
  ArkType: type({ capacity: 'number' }).onUndeclaredKey('reject'),
} as const

for (const [library, args] of Object.entries(strict))
  test(`a strict object of ${library} refuses a misspelt argument, and takes parameters of the service`, async (context) => {
    const declared = { ...shop, route: '/halls', method: 'POST', args } as never
    const site = await startService([endpoint(declared, () => 'built')])
    context.after(() => site.close())
    const responseTo = async (query: string, body: unknown) => {
      const response = await fetch(`${site.rest}shop/v1/halls${query}`, json(body))
      return [response.status, ((await response.json()) as { readonly code?: string }).code]
    }
    assert.deepEqual(await responseTo('?_locale=user', { capacity: 5 }), [200, undefined])
    for (const [query, body] of [
      ['', { capacity: 5, capcity: 5 }],
      ['?capcity=5', { capacity: 5 }],
    ] as const)
      assert.deepEqual(await responseTo(query, body), [400, 'rest_invalid_param'])
  })
