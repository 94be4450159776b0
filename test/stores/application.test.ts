import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AsRestRoute,
  conditional,
  EventStream,
  inject,
  RecordStore,
  RestError,
  RestResponse,
  type RestRequest,
  type ServerSentEvent,
} from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { storeKinds } from '../support/store-kinds.js'

const item = { namespace: 'stock/v1', route: '/items/(?P<id>\\d+)' } as const
const versioned = conditional((request) => inject(RecordStore).get(request.pathId('id')))

class StockApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...item, permission: 'public', around: [versioned] })
  show(request: RestRequest<{ id: string }>) {
    return { title: this.existing(request).title }
  }

  @AsRestRoute({ ...item, method: 'PUT', args: { title: { type: 'string', required: true } }, around: [versioned] })
  async update(request: RestRequest<{ id: string; title: string }>) {
    const record = this.existing(request)
    await this.records.update(record.id, { title: request.get_param('title') }, { if_unchanged: record })
    return { title: request.get_param('title') }
  }

  @AsRestRoute({ namespace: 'stock/v1', route: '/items\\.csv', permission: 'public' })
  csv() {
    return new RestResponse(this.lines(), 200, { 'Content-Type': 'text/csv' })
  }

  @AsRestRoute({ namespace: 'stock/v1', route: '/news', permission: 'public', event_stream: true })
  news(request: RestRequest) {
    return new EventStream(this.after(Number(request.lastEventId ?? 0)))
  }

  private async *lines() {
    for await (const { id, title } of this.records.each({ type: 'post', fields: ['title'] })) yield `${id},${title}\n`
  }

  private async *after(id: number): AsyncGenerator<ServerSentEvent> {
    const posts = await this.records.list({ type: 'post', after_id: id, orderby: 'id', order: 'asc', per_page: 3 })
    for (const post of posts) yield { id: post.id, data: post.title }
  }

  private existing(request: RestRequest<{ id: string }>) {
    const record = versioned.resource(request)
    if (record === null) throw new RestError('not_found', 'There is no such item.', { status: 404 })
    return record
  }
}

for (const { name, skip, create } of storeKinds)
  test(`versions, cursors, event streams and limited passwords work on ${name}`, { skip }, async (t) => {
    const { url: database, drop } = await create()
    t.after(drop)
    const service = await startTestService([StockApi], { database })
    t.after(() => service.close())
    const { url } = await service.service.listen({ port: 0 })
    const rest = `${url}/wp-json/stock/v1`

    // Five editors have read one version. One of them writes.
    const { id } = await service.records.insert({ status: 'publish', title: 'Tea' })
    const tag = (await fetch(`${rest}/items/${id}`)).headers.get('ETag') ?? ''
    assert.equal((await fetch(`${rest}/items/${id}`, { headers: { 'If-None-Match': tag } })).status, 304)
    const editor = await service.users.find('editor')
    assert.ok(editor)
    const scopes = [`PUT /stock/v1/items/*`]
    const expires = new Date(service.clock.now() + 3_600_000)
    const { password } = await service.applicationPasswords.create(editor.id, { name: 'import', scopes, expires })
    const Authorization = `Basic ${btoa(`editor:${password}`)}`
    const write = async (title: string, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ title })
      const all = { Authorization, 'Content-Type': 'application/json', ...headers }
      return (await fetch(`${rest}/items/${id}`, { method: 'PUT', headers: all, body })).status
    }
    const titles = ['Assam', 'Ceylon', 'Darjeeling', 'Keemun', 'Sencha']
    const statuses = await Promise.all(titles.map((title) => write(title, { 'If-Match': tag })))
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
    assert.ok(
      statuses.every((status) => [200, 409, 412].includes(status)),
      statuses.join(),
    )
    const written = titles[statuses.indexOf(200)]
    assert.deepEqual(await (await fetch(`${rest}/items/${id}`)).json(), { title: written })
    assert.equal(await write('Oolong', { 'If-Match': tag }), 412)

    // The password is for writes only, and for an hour.
    const read = await fetch(`${rest}/items/${id}`, { headers: { Authorization } })
    assert.equal(read.status, 403)
    service.clock.advance(3_600_000)
    assert.equal(await write('Oolong'), 401)

    // More records than a page of the cursor.
    const ids = [id]
    for (let count = 1; count <= 250; count += 1)
      ids.push((await service.records.insert({ status: 'publish', title: `Tea ${count}` })).id)
    const csv = await (await fetch(`${rest}/items.csv`)).text()
    const expected = ids.map((each, index) => `${each},${index === 0 ? written : `Tea ${index}`}\n`)
    assert.equal(csv, expected.join(''))
    const news = await fetch(`${rest}/news`, { headers: { 'Last-Event-ID': String(ids[10]) } })
    const events = await news.text()
    assert.deepEqual(
      [...events.matchAll(/^id: (\d+)$/gm)].map(([, last]) => Number(last)),
      ids.slice(11, 14),
    )
    // What a client makes up names no record, and is no fault.
    for (const id of ['abc', '-7', '1.5', '1e400', '-1e400', '99999999999999999999', 'x'.repeat(8_000)]) {
      const response = await fetch(`${rest}/news`, { headers: { 'Last-Event-ID': id } })
      assert.match(await response.text(), /^:\n\n/, id)
    }
    assert.deepEqual(
      service.logLines.filter(({ level }) => level !== 'info'),
      [],
    )
  })
