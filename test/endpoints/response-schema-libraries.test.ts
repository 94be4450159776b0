import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { AsRestRoute, endpoint, RestResponse } from 'as-rest-route'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as zod3 } from 'zod/v3'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { startService } from '../support/start-service.js'
import { failing, loggedMessage, shop, unhandledRejections } from './schema-library-routes.js'

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

/** What a handler returns, and schemas of the same body in three libraries. */
const ticket = { id: 1, title: 'Fair', holder: { name: 'Agnes', salary: 5 }, secret: 'x' }
const libraries: Readonly<Record<string, z.ZodType>> = {
  Zod: z.object({ id: z.int().min(1), title: z.string(), holder: z.object({ name: z.string() }) }),
  Valibot: toStandardJsonSchema(
    v.object({ id: v.pipe(v.number(), v.minValue(1)), title: v.string(), holder: v.object({ name: v.string() }) }),
  ) as never,
  ArkType: type({ id: 'number >= 1', title: 'string', holder: { name: 'string' } }).onDeepUndeclaredKey(
    'delete',
  ) as never,
}

for (const [library, schema] of Object.entries(libraries))
  test(`a response schema of ${library} limits what is sent, and is described`, async (context) => {
    let id = 1
    const route = endpoint({ ...shop, route: '/tickets', responses: { 200: schema } }, () => ({ ...ticket, id }))
    const site = await startService([route])
    context.after(() => site.close())
    const get = (init?: RequestInit) => fetch(`${site.rest}shop/v1/tickets`, init)
    assert.deepEqual(await (await get()).json(), { id: 1, title: 'Fair', holder: { name: 'Agnes' } })
    id = 0
    const refused = await get()
    assert.equal(refused.status, 500)
    assert.doesNotMatch(await refused.text(), /Agnes|secret/)
    assert.match(loggedMessage(site), /its response with the status 200 is not as declared: body\.id/)

    interface Described {
      readonly properties: Readonly<Record<string, { readonly type?: string }>>
    }
    const typesOf = ({ properties }: Described) => Object.values(properties).map((property) => property.type)
    const help = (await (await get({ method: 'OPTIONS' })).json()) as { readonly schema: Described }
    const options = { title: 'Shop', baseUrl: site.url, restPrefix: 'wp-json' }
    const document = JSON.parse(JSON.stringify(openApiDocument(site.service.routes, options))) as {
      readonly paths: Record<
        string,
        { get: { responses: Record<string, { content: Record<string, { schema: Described }> }> } }
      >
    }
    const described = document.paths['/shop/v1/tickets']?.get.responses['200']?.content['application/json']?.schema
    for (const schemaOf of [help.schema, described]) {
      assert.ok(schemaOf)
      assert.deepEqual(Object.keys(schemaOf.properties).sort(), ['holder', 'id', 'title'])
      assert.deepEqual([...typesOf(schemaOf)].sort(), [library === 'Zod' ? 'integer' : 'number', 'object', 'string'])
    }
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
