import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { endpoint, RecordStore, RestResponse, type AnyRequest, type NewRecord } from '../../src/index.js'
import { startTestService } from '../../src/testing.js'
import { storeKinds } from '../support/store-kinds.js'
import type { LogLine } from '../support/start-service.js'
import { ways, type OpenedWay, type Way } from '../support/three-ways.js'
import { withoutResponseCache } from '../support/response-cache.js'

const path = { type: 'integer' as const, required: true as const }
const namespace = 'notes/v1'

async function contentFor(request: AnyRequest, id: number, records: RecordStore) {
  const record = await records.get(id)
  if (record === null) return new RestResponse(null, 404)
  return { content: (await request.requiresPassword(record)) ? '' : record.content }
}

const note = endpoint(
  {
    namespace,
    route: '/notes/(?P<id>\\d+)',
    permission: 'public',
    args: { id: path },
    dependencies: { records: RecordStore },
  },
  (request, { records }) => contentFor(request, request.get_param('id'), records),
)

const read = endpoint(
  {
    namespace,
    route: '/read/(?P<id>\\d+)',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
    args: { id: path },
    dependencies: { records: RecordStore },
  },
  (request, { records }) => contentFor(request, request.get_param('id'), records),
)

const byId = endpoint(
  { namespace, route: '/required/(?P<id>\\d+)', permission: 'public', args: { id: path } },
  async (request) => ({ required: await request.requiresPassword(request.get_param('id')) }),
)

let computed = 0
const cachedList = endpoint(
  { namespace, route: '/list', permission: 'public', cache: { seconds: 60 }, dependencies: { records: RecordStore } },
  async (request, { records }) => {
    computed += 1
    const all = await records.list({ type: 'post', orderby: 'id', per_page: 100 })
    const contents = all.map(async (record) => ((await request.requiresPassword(record)) ? '' : record.content))
    return new RestResponse(await Promise.all(contents), 200, { 'Cache-Control': 'public, max-age=60' })
  },
)

const linked = endpoint({ namespace, route: '/linked', permission: 'public' }, (request) =>
  new RestResponse({ title: 'linked' }).addLink('item', `${request.root}notes/v1/notes/1`, { embeddable: true }),
)

const streamed = endpoint({ namespace, route: '/stream', permission: 'public' }, (request) => {
  async function* lines() {
    yield 'first\n'
    yield (await request.requiresPassword(1)) ? 'closed\n' : 'open\n'
  }
  return new RestResponse(lines(), 200, { 'Content-Type': 'text/plain' })
})

const wrong = endpoint({ namespace, route: '/wrong', permission: 'public' }, async (request) => ({
  required: await request.requiresPassword({} as { id: number }),
}))

const api = [note, read, byId, cachedList, linked, streamed, wrong]

const notes: readonly NewRecord[] = [
  { title: 'Guarded', content: 'guarded text', password: 'open sesame' },
  { title: 'Other', content: 'other text', password: 'other word' },
  { title: 'Public', content: 'public text' },
]

interface Opened extends OpenedWay {
  readonly ids: readonly number[]
  readonly log: readonly LogLine[]
  /** The header `Cookie` of a visitor who has entered this password. */
  enter(password: string): Promise<{ readonly Cookie: string }>
}

async function open(context: TestContext, way: Way, database?: string): Promise<Opened> {
  const opened = await way.open(context, api, { environment: 'local', ...(database !== undefined && { database }) })
  const ids: number[] = []
  for (const fields of notes)
    ids.push((await opened.site.service.records.insert({ ...fields, type: 'post', status: 'publish' })).id)
  return {
    ...opened,
    ids,
    log: opened.site.log,
    async enter(password) {
      const body = new URLSearchParams({ post_password: password })
      const init = { method: 'POST', body, redirect: 'manual' } as const
      const { headers } = await fetch(`${opened.site.url}/wp-login.php?action=postpass`, init)
      return { Cookie: headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
    },
  }
}

const isStorable = ({ headers }: Response): boolean => !/no-store, private/.test(headers.get('cache-control') ?? '')

for (const way of ways)
  test(`${way.name}: a handler shows a record to those who have entered its password, and no cache stores it`, async (context) => {
    const { send, ids, enter } = await open(context, way)
    const visitors = {
      nobody: {},
      guest: await enter('open sesame'),
      other: await enter('other word'),
      guesser: await enter('guess'),
      forger: { Cookie: `${(await enter('x')).Cookie.split('=', 1)[0]}=open%20sesame` },
    }
    const seen: Record<string, unknown> = {}
    for (const [name, headers] of Object.entries(visitors)) {
      const responses = await Promise.all(ids.map((id) => send(`/notes/v1/notes/${id}`, { headers })))
      const contents = responses.map(async (response) => ((await response.json()) as { content: string }).content)
      seen[name] = [await Promise.all(contents), responses.map(isStorable)]
    }
    const storable = [false, false, true]
    assert.deepEqual(seen, {
      nobody: [['', '', 'public text'], storable],
      guest: [['guarded text', '', 'public text'], storable],
      other: [['', 'other text', 'public text'], storable],
      guesser: [['', '', 'public text'], storable],
      forger: [['', '', 'public text'], storable],
    })
    const unknown = await send('/notes/v1/required/999', { headers: visitors.guest })
    assert.deepEqual([await unknown.json(), isStorable(unknown)], [{ required: false }, true])
  })

for (const { name, skip, create } of storeKinds)
  test(
    `${name}: a cached route keeps nothing of what a password opens`,
    { skip: withoutResponseCache || skip },
    async (context) => {
      const database = await create()
      context.after(() => database.drop())
      const { site, send, ids, enter } = await open(context, ways[0] as Way, database.url)
      const list = async (headers: Record<string, string> = {}) => {
        const response = await send('/notes/v1/list', { headers })
        return [await response.json(), isStorable(response)]
      }
      const closed = [['', '', 'public text'], true]
      const opened = [['guarded text', '', 'public text'], false]
      computed = 0
      const guest = await enter('open sesame')
      assert.deepEqual(await list(guest), opened)
      assert.deepEqual(await list(), closed)
      assert.deepEqual(await list(guest), opened)
      assert.deepEqual(await list(), closed)
      assert.equal(computed, 3)
      const first = await send('/notes/v1/list')
      assert.match(first.headers.get('vary') ?? '', /\bCookie\b/)
      // A changed password closes the record at once, and its removal opens it to all.
      await site.service.records.update(ids[0] ?? 0, { password: 'changed' })
      assert.deepEqual(await list(guest), [['', '', 'public text'], false])
      await site.service.records.update(ids[0] ?? 0, { password: '' })
      assert.deepEqual(await list(), [['guarded text', '', 'public text'], true])
      assert.deepEqual(
        ((await (await send(`/notes/v1/required/${ids[1]}`, { headers: guest })).json()) as { required: boolean })
          .required,
        true,
      )
    },
  )

test('pages of other sites get no more than a visitor without the cookie', async (context) => {
  const [, node] = ways
  const { site, send, ids, enter } = await open(context, node as Way)
  const guest = await enter('open sesame')
  const contentFor = async (headers: Record<string, string>, query = '') => {
    const text = await (await send(`/notes/v1/notes/${ids[0]}${query}`, { headers: { ...guest, ...headers } })).text()
    return text.includes('guarded text')
  }
  const table: [headers: Record<string, string>, query: string, isShown: boolean][] = [
    [{}, '', true],
    [{ Origin: site.url }, '', true],
    [{ Origin: site.url.toUpperCase() }, '', true],
    [{ Origin: 'https://elsewhere.example' }, '', false],
    [{ Origin: 'null' }, '', false],
    [{ Origin: `${site.url}.elsewhere.example` }, '', false],
    [{}, '?_jsonp=read', false],
    [{}, '?_envelope', true],
  ]
  for (const [headers, query, isShown] of table)
    assert.equal(await contentFor(headers, query), isShown, JSON.stringify([headers, query]))
})

test('an origin that the option cors lists may show the record', async (context) => {
  const listed = 'https://app.example'
  const way: Way = {
    name: 'fast',
    open: (test, source, options) => (ways[0] as Way).open(test, source, { ...options, cors: [listed] }),
  }
  const { send, ids, enter } = await open(context, way)
  const guest = await enter('open sesame')
  for (const [origin, content] of [
    [listed, 'guarded text'],
    ['https://elsewhere.example', ''],
  ] as const) {
    const response = await send(`/notes/v1/notes/${ids[0]}`, { headers: { ...guest, Origin: origin } })
    assert.deepEqual(await response.json(), { content }, origin)
  }
})

test('an embedded record follows the visitor, and makes the outer response private', async (context) => {
  const { send, ids, enter } = await open(context, ways[0] as Way)
  assert.equal(ids[0], 1)
  const guest = await enter('open sesame')
  for (const [headers, content] of [
    [guest, 'guarded text'],
    [{}, ''],
  ] as const) {
    const response = await send('/notes/v1/linked?_embed', { headers })
    const { _embedded } = (await response.json()) as { _embedded: { item: [{ content: string }] } }
    assert.deepEqual([_embedded.item[0].content, isStorable(response)], [content, false])
  }
})

test('items of a batch follow the visitor, and make the outer response private', async (context) => {
  const { site, ids, enter } = await open(context, ways[0] as Way)
  const guest = await enter('open sesame')
  const batchOf = async (headers: Record<string, string>, chosen: readonly number[]) => {
    const requests = chosen.map((id) => ({ method: 'POST', path: `/${namespace}/read/${id}` }))
    const response = await fetch(`${site.rest}batch/v1`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
    const { responses } = (await response.json()) as { responses: { body: { content: string } }[] }
    return [responses.map(({ body }) => body.content), isStorable(response)]
  }
  assert.deepEqual(await batchOf(guest, ids), [['guarded text', '', 'public text'], false])
  assert.deepEqual(await batchOf({}, ids), [['', '', 'public text'], false])
  assert.deepEqual(await batchOf(guest, ids.slice(2)), [['public text'], true])
})

test('users who may edit the record need no password', async () => {
  await using service = await startTestService(api)
  const { id } = await service.records.insert({ ...notes[0], type: 'post', status: 'publish' })
  const required = async (role: string) => (await service.as(role).get(`/notes/v1/required/${id}`)).body.required
  assert.deepEqual([await required('editor'), await required('subscriber')], [false, true])
})

test('the testing kit has a visitor who enters a password', async () => {
  await using service = await startTestService(api)
  const { id } = await service.records.insert({ ...notes[0], type: 'post', status: 'publish' })
  const guest = service.withRecordPassword('open sesame')
  assert.equal((await guest.get(`/notes/v1/notes/${id}`)).body.content, 'guarded text')
  assert.equal((await service.get(`/notes/v1/notes/${id}`)).body.content, '')
  assert.equal((await service.withRecordPassword('wrong').get(`/notes/v1/notes/${id}`)).body.content, '')
})

test('guesses are counted, and a list of many protected records is answered', async () => {
  await using service = await startTestService(api)
  const insert = (password: string, content: string) =>
    service.records.insert({ type: 'post', status: 'publish', title: content, content, password })
  // The queue of password hashes has 64 places.
  for (let index = 0; index < 90; index += 1) await insert('open sesame', `text ${index}`)
  const { status, body } = await service.withRecordPassword('open sesame').get('/notes/v1/list')
  assert.deepEqual([status, body.length, new Set(body).size], [200, 90, 90])
  const { id } = await insert('guessed', 'guarded')
  const tries: boolean[] = []
  for (let guess = 0; guess < 12; guess += 1) {
    const password = guess === 11 ? 'guessed' : `guess ${guess}`
    tries.push((await service.withRecordPassword(password).get(`/notes/v1/required/${id}`)).body.required)
  }
  // The right password is the twelfth: ten may fail.
  assert.deepEqual(
    tries,
    Array.from({ length: 12 }, () => true),
  )
  service.clock.advance(10 * 60_000)
  const { body: later } = await service.withRecordPassword('guessed').get(`/notes/v1/required/${id}`)
  assert.equal(later.required, false)
})

test('a stream that asks too late fails, and is logged', async (context) => {
  const { send, log, enter } = await open(context, ways[0] as Way)
  const guest = await enter('open sesame')
  await assert.rejects(async () => (await send('/notes/v1/stream', { headers: guest })).text())
  const line = log.find(({ fields }) => fields['code'] === 'stream-failed')
  assert.match(String(line?.fields['err']), /Call it before the handler returns the stream/)
})

test('something that is no record is a fault that says so', async (context) => {
  const { send, log } = await open(context, ways[0] as Way)
  assert.equal((await send('/notes/v1/wrong')).status, 500)
  assert.match(JSON.stringify(log.map(({ fields }) => String(fields['err']))), /takes a record or its id/)
})
