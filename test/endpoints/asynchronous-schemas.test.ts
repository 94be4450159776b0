import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoint, type RestRequest } from 'as-rest-route'
import * as v from 'valibot'
import { z } from 'zod'
import { z as zod3 } from 'zod/v3'
import { withoutResponseCache } from '../support/response-cache.js'
import { startService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { failing, json, loggedMessage, shop, unhandledRejections } from './schema-library-routes.js'

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
