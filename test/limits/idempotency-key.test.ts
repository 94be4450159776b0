import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { AsRestRoute, currentUser, inject, RecordStore, RestError, RestResponse, type RestRequest } from 'as-rest-route'
import { storeAdapterOf } from '../../src/app/stores.js'
import { StoredResponses } from '../../src/cache/stored-responses.js'
import { clientSource } from '../../src/documents/client-source.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { emptyFolder, removeFolders, runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import { storeKinds } from '../support/store-kinds.js'
import { ways, type Send } from '../support/three-ways.js'

const order = { namespace: 'shop/v1', method: 'POST', permission: 'public', idempotency_key: 'optional' } as const

class OrdersApi {
  static handled = 0
  static release = (): void => undefined
  static mayOrder = true

  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...order, route: '/orders', args: { title: { type: 'string', required: true } }, allow_batch: true })
  async create(request: RestRequest<{ title: string }>) {
    OrdersApi.handled += 1
    const { id } = await this.records.insert({ type: 'post', title: request.get_param('title') })
    const response = new RestResponse({ id, number: OrdersApi.handled, price: 2.5, by: currentUser().login }, 201, {
      Location: `${request.root}shop/v1/orders/${id}`,
    })
    return response.addLink('collection', `${request.root}shop/v1/orders`)
  }

  @AsRestRoute({ ...order, route: '/slow' })
  async slow() {
    OrdersApi.handled += 1
    await new Promise<void>((resolve) => (OrdersApi.release = resolve))
    return { number: OrdersApi.handled }
  }

  @AsRestRoute({ ...order, route: '/responses/(?P<kind>\\w+)' })
  responses(request: RestRequest<{ kind: string }>) {
    OrdersApi.handled += 1
    switch (request.get_param('kind')) {
      case 'refused':
        throw new RestError('sold_out', 'Nothing is left.', { status: 409, headers: { 'X-Left': '0' } })
      case 'failed':
        throw new RestError('bank_down', 'Try again.', { status: 502 })
      case 'broken':
        throw new Error('out of order')
      case 'text':
        return new RestResponse('a,b\n', 200, { 'Content-Type': 'text/csv' })
      case 'bytes':
        return new RestResponse(new Uint8Array([0, 255, 7]), 200, { 'Content-Type': 'image/x-test' })
      case 'empty':
        return new RestResponse(null, 204)
      case 'list':
        return [new RestResponse({ id: 1 }).addLink('self', 'https://x.example/1'), { id: 2, none: {} }]
      case 'large':
        return 'x'.repeat(300_000)
      default:
        return Number(OrdersApi.handled)
    }
  }

  @AsRestRoute({ ...order, route: '/required', idempotency_key: 'required', permission: 'may' })
  required() {
    OrdersApi.handled += 1
    return { by: currentUser().login }
  }

  may() {
    return OrdersApi.mayOrder
  }
}

const post = (
  key: string | null,
  body: object = { title: 'Cup' },
  headers: Record<string, string> = {},
): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(key !== null && { 'Idempotency-Key': key }), ...headers },
  body: JSON.stringify(body),
})

/** What a response says, and how many handlers have run for it. */
async function respond(response: () => Promise<Response>) {
  const before = OrdersApi.handled
  const received = await response()
  const { status, headers } = received
  const text = await received.text()
  return { status, text, headers, replayed: headers.get('Idempotent-Replayed'), ran: OrdersApi.handled - before }
}

for (const { name, open } of ways) {
  test(`a repeat gets the response of the first request, and nothing is done again (${name})`, async (t) => {
    const { send, site } = await open(t, [OrdersApi])
    const first = await respond(() => send('/shop/v1/orders', post('key-1')))
    assert.deepEqual([first.status, first.replayed, first.ran], [201, null, 1])
    for (const key of ['key-1', '"key-1"']) {
      const again = await respond(() => send('/shop/v1/orders', post(key)))
      assert.deepEqual([again.status, again.replayed, again.ran, again.text], [201, 'true', 0, first.text])
      assert.equal(again.headers.get('Location'), first.headers.get('Location'))
      assert.equal(again.headers.get('Allow'), first.headers.get('Allow'))
    }
    assert.equal((await site.service.records.list({ type: 'post', status: 'draft' })).length, 1)
    assert.equal((await respond(() => send('/shop/v1/orders', post('key-2')))).ran, 1)
    for (let count = 0; count < 2; count += 1)
      assert.equal((await respond(() => send('/shop/v1/orders', post(null)))).ran, 1)
    // A refused argument is no first request.
    assert.equal((await respond(() => send('/shop/v1/orders', post('key-3', {})))).status, 400)
    assert.equal((await respond(() => send('/shop/v1/orders', post('key-3')))).status, 201)
  })

  test(`another request under the key is a 422, one while the first runs a 409 (${name})`, async (t) => {
    const { send } = await open(t, [OrdersApi])
    await respond(() => send('/shop/v1/orders', post('key')))
    for (const other of [post('key', { title: 'Pot' }), post('key', { title: 'Cup', more: 1 })]) {
      const { status, text, ran } = await respond(() => send('/shop/v1/orders', other))
      assert.deepEqual(
        [status, ran, (JSON.parse(text) as { code: string }).code],
        [422, 0, 'rest_idempotency_key_reused'],
      )
    }
    assert.equal((await respond(() => send('/shop/v1/orders?a=1', post('key')))).status, 422)
    // Another route has keys of its own.
    const before = OrdersApi.handled
    const running = send('/shop/v1/slow', post('key'))
    while (OrdersApi.handled === before) await new Promise((resolve) => setTimeout(resolve, 5))
    const meanwhile = await respond(() => send('/shop/v1/slow', post('key')))
    assert.deepEqual([meanwhile.status, meanwhile.ran, meanwhile.headers.get('Retry-After')], [409, 0, '1'])
    OrdersApi.release()
    const body = await (await running).text()
    const after = await respond(() => send('/shop/v1/slow', post('key')))
    assert.deepEqual([after.status, after.ran, after.text], [200, 0, body])
  })

  test(`every kind of response is repeated as it was, failures of the service are not kept (${name})`, async (t) => {
    const { send } = await open(t, [OrdersApi])
    for (const kind of ['refused', 'text', 'bytes', 'empty', 'list', 'number']) {
      const [first, again] = [
        await respond(() => send(`/shop/v1/responses/${kind}`, post('key'))),
        await respond(() => send(`/shop/v1/responses/${kind}`, post('key'))),
      ]
      assert.deepEqual([again.status, again.text, again.ran], [first.status, first.text, 0], kind)
      for (const header of ['Content-Type', 'X-Left'])
        assert.equal(again.headers.get(header), first.headers.get(header), kind)
      await respond(() => send(`/shop/v1/responses/${kind}`, post(`key of ${kind}`.replaceAll(' ', '-'))))
    }
    for (const [kind, status] of [
      ['failed', 502],
      ['broken', 500],
    ] as const)
      for (let count = 0; count < 2; count += 1) {
        const failed = await respond(() => send(`/shop/v1/responses/${kind}`, post(`of-${kind}`)))
        assert.deepEqual([failed.status, failed.ran], [status, 1])
      }
    const large = await respond(() => send('/shop/v1/responses/large', post('large')))
    assert.deepEqual([large.status, large.ran], [200, 1])
    const again = await respond(() => send('/shop/v1/responses/large', post('large')))
    assert.deepEqual([again.status, again.ran], [409, 0])
    assert.match(again.text, /rest_idempotency_response_not_stored/)
  })

  test(`a key is checked after the permission, and belongs to its caller (${name})`, async (t) => {
    const { send, site } = await open(t, [OrdersApi], { environment: 'local', trusted_proxies: ['127.0.0.1'] })
    const authorization = async (login: string): Promise<Record<string, string>> => {
      const email = `${login}@x.example`
      const { id } = await site.service.users.create({ login, email, password: 'secret', role: 'editor' })
      const { password } = await site.service.applicationPasswords.create(id, { name: 'Test' })
      return { Authorization: `Basic ${btoa(`${login}:${password}`)}` }
    }
    const [ann, ben] = [await authorization('ann'), await authorization('ben')]
    const as = (headers: Record<string, string>, key: string | null = 'key') =>
      respond(() => send('/shop/v1/required', post(key, {}, headers)))
    for (const [key, code] of [
      [null, 'rest_idempotency_key_required'],
      ['', 'rest_idempotency_key_invalid'],
      ['two words', 'rest_idempotency_key_invalid'],
      ['x'.repeat(256), 'rest_idempotency_key_invalid'],
    ] as const) {
      const { status, text, ran } = await as(ann, key)
      assert.deepEqual([status, ran, (JSON.parse(text) as { code: string }).code], [400, 0, code])
    }
    assert.deepEqual((await as(ann)).text, '{"by":"ann"}')
    assert.deepEqual((await as(ben)).text, '{"by":"ben"}')
    assert.deepEqual((await as({ 'X-Forwarded-For': '192.0.2.1' })).text, '{"by":""}')
    assert.deepEqual((await as({ 'X-Forwarded-For': '192.0.2.2' })).ran, 1)
    assert.deepEqual((await as({ 'X-Forwarded-For': '192.0.2.1' })).ran, 0)
    assert.deepEqual([(await as(ann)).replayed, (await as(ann)).ran], ['true', 0])
    OrdersApi.mayOrder = false
    assert.equal((await as(ann)).status, 403)
    OrdersApi.mayOrder = true
  })

  test(`items of a batch have keys of their own, and pages of other origins may send one (${name})`, async (t) => {
    const { send } = await open(t, [OrdersApi])
    const item = (key: string, title = 'Cup') => ({
      path: '/shop/v1/orders',
      body: { title },
      headers: { 'Idempotency-Key': key },
    })
    const requests = [item('a'), item('a'), item('a', 'Pot'), item('b')]
    const { text, ran } = await respond(() => send('/batch/v1', post(null, { requests })))
    const { responses } = JSON.parse(text) as { responses: { status: number; body: unknown }[] }
    assert.deepEqual([responses.map(({ status }) => status), ran], [[201, 201, 422, 201], 2])
    assert.deepEqual(responses[1]?.body, responses[0]?.body)
    for (const method of ['OPTIONS', 'POST']) {
      const { headers } = await send('/shop/v1/orders', {
        ...post('c'),
        method,
        ...(method === 'OPTIONS' && { body: null }),
      })
      assert.match(headers.get('Access-Control-Allow-Headers') ?? '', /, Idempotency-Key$/)
      assert.match(headers.get('Access-Control-Expose-Headers') ?? '', /, Idempotent-Replayed, Retry-After$/)
    }
  })
}

for (const kind of storeKinds)
  describe(`responses stored on ${kind.name}`, { skip: kind.skip }, () => {
    async function database(t: TestContext): Promise<string> {
      const { url, drop } = await kind.create()
      t.after(() => drop())
      return url
    }

    test('a repeat at another process and after a restart is answered, of requests at once one runs', async (t) => {
      const url = await database(t)
      let now = Date.UTC(2026, 5, 1)
      const start = () => startService([OrdersApi], { database: url, clock: () => now })
      const send = ({ rest }: StartedService): Send => {
        return (path, init) => fetch(`${rest}${path.slice(1)}`, init)
      }
      let first = await start()
      const second = await start()
      const original = await respond(() => send(first)('/shop/v1/orders', post('key')))
      const there = await respond(() => send(second)('/shop/v1/orders', post('key')))
      assert.deepEqual([there.status, there.ran, there.text], [201, 0, original.text])
      const before = OrdersApi.handled
      const atOnce = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          send(index % 2 === 0 ? first : second)('/shop/v1/orders', post('at-once')),
        ),
      )
      assert.equal(OrdersApi.handled - before, 1)
      for (const { status } of atOnce) assert.ok(status === 201 || status === 409, `${status}`)
      await first.close()
      first = await start()
      assert.equal((await respond(() => send(first)('/shop/v1/orders', post('key')))).text, original.text)
      now += 24 * 3600 * 1000 - 1
      assert.equal((await respond(() => send(first)('/shop/v1/orders', post('key')))).ran, 0)
      now += 1
      assert.equal((await respond(() => send(first)('/shop/v1/orders', post('key')))).ran, 1)
      await Promise.all([first.close(), second.close()])
    })

    test('a request whose process has died is refused for a minute, and then carried out', async (t) => {
      const url = await database(t)
      const storage = await storeAdapterOf(url).open(url, {})
      t.after(() => storage.close())
      let now = Date.UTC(2026, 5, 1)
      const fail = (error: unknown) => assert.fail(String(error))
      const responses = new StoredResponses(storage.storedResponses, () => now, fail)
      const dead = await responses.claim('name', 'one')
      assert.ok(dead.kind === 'first')
      assert.equal((await responses.claim('name', 'one')).kind, 'running')
      assert.equal((await responses.claim('name', 'two')).kind, 'other')
      now += 60_000
      const next = await responses.claim('name', 'one')
      assert.ok(next.kind === 'first')
      // The first one was not dead after all: it cannot touch what belongs to the second.
      await dead.running.store('late')
      await dead.running.release()
      assert.equal((await responses.claim('name', 'one')).kind, 'running')
      await next.running.store('done')
      assert.deepEqual(await responses.claim('name', 'one'), { kind: 'completed', response: 'done' })
    })

    test('machines whose clocks differ carry a request out once', async (t) => {
      const url = await database(t)
      const storage = await storeAdapterOf(url).open(url, {})
      t.after(() => storage.close())
      const failures: unknown[] = []
      const { now: systemNow } = Date
      t.after(() => (Date.now = systemNow))
      const claimAt = (offset: number) => {
        Date.now = () => systemNow() + offset
        return new StoredResponses(storage.storedResponses, null, (error) => failures.push(error)).claim('key', 'one')
      }
      const first = await claimAt(-300_000)
      assert.ok(first.kind === 'first')
      assert.equal((await claimAt(0)).kind, 'running')
      assert.equal((await claimAt(300_000)).kind, 'running')
      await first.running.store('done')
      assert.equal((await claimAt(25 * 3600 * 1000)).kind, 'completed')
      assert.deepEqual(failures, [])
    })

    test('a clock that is set back prolongs the refusal after the death of a process by no more than a minute', async (t) => {
      const url = await database(t)
      const storage = await storeAdapterOf(url).open(url, {})
      t.after(() => storage.close())
      let now = Date.UTC(2026, 5, 1)
      const responses = new StoredResponses(
        storage.storedResponses,
        () => now,
        (error) => assert.fail(String(error)),
      )
      const dead = await responses.claim('name', 'one')
      assert.ok(dead.kind === 'first')
      now -= 3_600_000
      assert.equal((await responses.claim('name', 'one')).kind, 'running')
      now += 60_000
      const next = await responses.claim('name', 'one')
      assert.ok(next.kind === 'first')
      await dead.running.release()
      await next.running.release()
    })

    test('a renewal that comes after the response, or after the release, changes nothing', async (t) => {
      const url = await database(t)
      const storage = await storeAdapterOf(url).open(url, {})
      t.after(() => storage.close())
      const { storedResponses } = storage
      await storedResponses.add('name', { owner: 'me', fingerprint: 'f', expiresIn: 10, response: null }, 0)
      await storedResponses.change('name', 'me', { expiresIn: 1000, response: 'done' }, 0)
      await storedResponses.change('name', 'me', { expiresIn: 10, response: null }, 0)
      const row = await storedResponses.read('name', 0)
      assert.deepEqual([row?.response, row?.expiresIn], ['done', 1000])
      await storedResponses.remove('name', 'me')
      await storedResponses.change('name', 'me', { expiresIn: 10, response: null }, 0)
      assert.equal(await storedResponses.read('name', 0), null)
    })

    test('number and size are bounded: the oldest responses are deleted, and those that have expired', async (t) => {
      const url = await database(t)
      const storage = await storeAdapterOf(url).open(url, {})
      t.after(() => storage.close())
      const { storedResponses } = storage
      const add = (name: string, expiresIn: number, response: string | null) =>
        storedResponses.add(name, { owner: 'me', fingerprint: 'f', expiresIn, response }, 0)
      await add('expired', 10, 'x')
      await add('running', 11, null)
      for (let number = 0; number < 40; number += 1) await add(`row ${number}`, 1000 + number, 'x'.repeat(100))
      await storedResponses.sweep(10, { rows: 21, characters: 1_000_000 })
      assert.equal(await storedResponses.read('expired', 0), null)
      assert.notEqual(await storedResponses.read('running', 0), null)
      const there = async () => {
        const rows = await Promise.all(
          Array.from({ length: 40 }, (_, number) => storedResponses.read(`row ${number}`, 0)),
        )
        return rows.flatMap((row, number) => (row === null ? [] : [number]))
      }
      assert.deepEqual(
        await there(),
        Array.from({ length: 20 }, (_, index) => 20 + index),
      )
      await storedResponses.sweep(10, { rows: 100, characters: 500 })
      assert.deepEqual(await there(), [35, 36, 37, 38, 39])
    })
  })

test('the OpenAPI document, the generated client and explain name the key', async (t) => {
  const site = await startService([OrdersApi])
  t.after(() => site.close())
  const facts = { title: 'Shop', baseUrl: 'https://shop.example', restPrefix: 'wp-json' }
  const { paths } = openApiDocument(site.service.routes, facts) as unknown as {
    paths: Record<string, { post: { parameters: object[]; responses: object } }>
  }
  const { parameters = [], responses = {} } = paths['/shop/v1/required']?.post ?? {}
  const [{ schema: _schema, description: _description, ...parameter }] = parameters as [Record<string, unknown>]
  assert.deepEqual(parameter, { name: 'Idempotency-Key', in: 'header', required: true })
  for (const status of ['409', '422']) assert.ok(status in responses)
  assert.match(clientSource(site.service.routes, 'https://shop.example/wp-json'), /idempotencyKey\?: string/)

  const folder = emptyFolder()
  t.after(removeFolders)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'api.ts'),
    `import { endpoint } from 'as-rest-route'
    const order = { namespace: 'shop/v1', route: '/orders', method: 'POST', permission: 'public', idempotency_key: 'required' } as const
    export const create = endpoint(order, () => 1)`,
  )
  const database = `sqlite:${join(folder, 'site.sqlite')}`
  await (await startService(folder, { database })).close()
  const { stdout } = await runHere(['explain', 'POST', '/wp-json/shop/v1/orders', folder, '--database', database])
  assert.match(stdout, /idempotency_key: the header Idempotency-Key is required\./)
})
