import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import { endpoint, StartupError } from 'as-rest-route'
import * as v from 'valibot'
import { z } from 'zod'
import { z as zod3 } from 'zod/v3'
import { startService } from '../support/start-service.js'
import { json, shop } from './schema-library-routes.js'

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
  const responseTo = async (path: string) => (await fetch(`${site.rest}shop/v1/${path}`)).json()
  assert.deepEqual(await responseTo('zod?a=1&b=2&c=3&d=4&e=5&f=x&g=true&h=7&i[]=8'), {
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
  assert.deepEqual(await responseTo('valibot?a=1&b=2&f=x'), { a: 1, b: '2', f: 6 })
  assert.deepEqual(await responseTo('arktype?a=1&b=2'), { a: 1, b: '2' })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal(await (await fetch(`${site.rest}shop/v1/body`, { ...json({ n: 5 }), method })).json(), 5)
})
