import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AsRestRoute,
  conditional,
  endpoint,
  inject,
  RecordStore,
  RestError,
  type RestRequest,
  type StoredRecord,
} from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { ways } from '../support/three-ways.js'

const item = { namespace: 'stock/v1', route: '/items/(?P<id>\\d+)', permission: 'public' } as const
const around = [conditional((request) => inject(RecordStore).get(request.pathId('id')))]

class StockApi {
  /** How often a handler ran. */
  static handled = 0

  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...item, around })
  async show(request: RestRequest<{ id: string }>) {
    StockApi.handled += 1
    const { id, title } = await this.existing(request)
    return { id, title }
  }

  @AsRestRoute({
    ...item,
    method: 'PUT',
    args: { title: { type: 'string', required: true } },
    around,
    allow_batch: true,
  })
  async update(request: RestRequest<{ id: string; title: string }>) {
    StockApi.handled += 1
    const record = await this.records.get(request.pathId('id'))
    const title = request.get_param('title')
    const changed =
      record === null
        ? await this.records.insert({ id: request.pathId('id'), type: 'item', status: 'publish', title })
        : await this.records.update(record.id, { title }, { if_unchanged: record })
    return { title: changed?.title ?? null }
  }

  @AsRestRoute({ ...item, method: 'PATCH', around })
  async touch(request: RestRequest<{ id: string }>) {
    StockApi.handled += 1
    const { id } = await this.existing(request)
    return { title: (await this.records.update(id, { title: `Cup ${StockApi.handled}` }))?.title ?? null }
  }

  @AsRestRoute({ ...item, method: 'DELETE', around })
  async delete(request: RestRequest<{ id: string }>) {
    StockApi.handled += 1
    return { deleted: await this.records.delete(request.pathId('id')) }
  }

  private async existing(request: RestRequest<{ id: string }>): Promise<StoredRecord> {
    const record = await this.records.get(request.pathId('id'))
    if (record === null) throw new RestError('not_found', 'There is no such item.', { status: 404 })
    return record
  }
}

const plain = endpoint({ namespace: 'stock/v1', route: '/plain', permission: 'public' }, () => 'plain')

for (const { name, open } of ways)
  test(`conditional requests are answered by the version of a record (${name})`, async (t) => {
    const { site, send } = await open(t, [StockApi, plain], { record_types: { item: {} } })
    const { id } = await site.service.records.insert({ type: 'item', status: 'publish', title: 'Cup' })
    const path = `/stock/v1/items/${id}`
    const request = async (method: string, headers: Record<string, string> = {}, to = path) => {
      const before = StockApi.handled
      const body = method === 'PUT' ? JSON.stringify({ title: `Cup ${before}` }) : undefined
      const json = { 'Content-Type': 'application/json' }
      const response = await send(to, {
        method,
        headers: body ? { ...json, ...headers } : headers,
        ...(body && { body }),
      })
      const text = await response.text()
      return {
        response,
        text,
        status: response.status,
        tag: response.headers.get('ETag'),
        ran: StockApi.handled - before,
      }
    }
    const first = await request('GET')
    assert.match(first.tag ?? '', /^"[\w-]{22}"$/)
    const tag = first.tag ?? ''
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, ran, tag: sent } = await request('GET', { 'If-None-Match': header })
      assert.deepEqual({ status, text, ran, sent }, { status: 304, text: '', ran: 0, sent: tag })
    }
    assert.equal((await request('GET', { 'If-None-Match': '"other"' })).status, 200)
    assert.equal((await request('HEAD')).tag, tag)

    for (const header of ['"other"', `W/${tag}`, '"'])
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const { status, text, ran } = await request(method, { 'If-Match': header })
        assert.deepEqual(
          [status, ran, (JSON.parse(text) as { code: string }).code],
          [412, 0, 'rest_precondition_failed'],
        )
      }
    const changed = await request('PUT', { 'If-Match': `"other", ${tag}` })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.tag, tag)
    assert.equal((await request('GET')).tag, changed.tag)
    assert.equal((await request('PUT', { 'If-Match': tag })).status, 412)
    assert.equal((await request('PUT', { 'If-Match': '*' })).status, 200)
    assert.equal((await request('PUT')).status, 200)

    const patched = await request('PATCH', { 'If-Match': (await request('GET')).tag ?? '' })
    assert.equal(patched.status, 200)
    assert.equal((await request('PATCH', { 'If-Match': changed.tag ?? '' })).status, 412)

    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await request(method, { 'If-None-Match': '*' })).status, 412, method)
    const created = await request('PUT', { 'If-None-Match': '*' }, '/stock/v1/items/900')
    assert.equal(created.status, 200)
    assert.equal((await request('GET', {}, '/stock/v1/items/900')).tag, created.tag)
    assert.equal((await request('GET', {}, '/stock/v1/items/901')).tag, null)
    assert.equal((await request('GET', { 'If-Match': '*' }, '/stock/v1/items/901')).status, 412)

    // A route without the declaration answers as if there were no such headers.
    for (const header of ['If-Match', 'If-None-Match']) {
      const { status, tag } = await request('GET', { [header]: '"other", *' }, '/stock/v1/plain')
      assert.deepEqual([status, tag], [200, null])
    }

    const deleted = await request('DELETE', { 'If-Match': '*' })
    assert.deepEqual([deleted.status, deleted.tag], [200, null])
    assert.equal((await request('DELETE', { 'If-Match': '*' })).status, 412)
  })

test('a handler that asks for the resource of a route without the function fails with its name', async () => {
  const versioned = conditional(() => 'a')
  const declaration = { namespace: 'stock/v1', route: '/other', permission: 'public' } as const
  const faulty = endpoint(declaration, (request) => versioned.resource(request))
  const right = endpoint({ ...declaration, route: '/right', around: [versioned] }, (request) => {
    const version: string = versioned.resource(request)
    return version
  })
  await using service = await startTestService([faulty, right])
  assert.equal((await service.get('/stock/v1/right')).body, 'a')
  assert.equal((await service.get('/stock/v1/other')).status, 500)
  assert.match(
    String(service.logLines[0]?.fields?.['err']),
    /resource\(\) was called for a request to a route without this function/,
  )
})

test('the headers of conditional requests are named in the CORS headers of their routes only', async () => {
  await using service = await startTestService([StockApi, plain])
  const corsOf = ({ headers }: { headers: Headers }) => [
    headers.get('Access-Control-Expose-Headers'),
    headers.get('Access-Control-Allow-Headers'),
  ]
  const usual = corsOf(await service.get('/stock/v1/plain'))
  const own = usual.map((value, index) => `${value}, ${index === 0 ? 'ETag' : 'If-Match, If-None-Match'}`)
  for (const method of ['OPTIONS', 'GET', 'PUT', 'DELETE'])
    assert.deepEqual(corsOf(await service.request(method, '/stock/v1/items/7')), own, method)
  assert.deepEqual(corsOf(await service.options('/stock/v1/plain')), usual)
})

test('an item of a batch may be conditional', async () => {
  await using service = await startTestService([StockApi], { record_types: { item: {} } })
  const { id } = await service.records.insert({ type: 'item', status: 'publish', title: 'Cup' })
  const path = `/stock/v1/items/${id}`
  const tag = (await service.get(path)).headers.get('ETag') ?? ''
  const requests = ['"other"', tag].map((match) => ({
    method: 'PUT',
    path,
    headers: { 'If-Match': match },
    body: { title: 'Bowl' },
  }))
  const { body } = await service.post('/batch/v1', { requests })
  assert.deepEqual(
    body.responses.map(({ status }: { status: number }) => status),
    [412, 200],
  )
})

test('a version may be text or a number; a text that no tag can hold is a fault of the application', async () => {
  const versions: Record<string, string | number> = { text: 'v1.2', number: 7, quoted: 'a"b', empty: '' }
  const versioned = endpoint(
    {
      namespace: 'stock/v1',
      route: '/versions/(?P<name>\\w+)',
      permission: 'public',
      around: [conditional((request) => versions[String(request.get_param('name'))] ?? null)],
    },
    () => null,
  )
  await using service = await startTestService([versioned])
  const tagOf = async (name: string) => (await service.get(`/stock/v1/versions/${name}`)).headers.get('ETag')
  assert.deepEqual([await tagOf('text'), await tagOf('number'), await tagOf('none')], ['"v1.2"', '"7"', null])
  for (const name of ['quoted', 'empty']) assert.equal((await service.get(`/stock/v1/versions/${name}`)).status, 500)
  assert.match(String(service.logLines.at(-1)?.fields['err']), /the version '' is no entity tag/)
})
