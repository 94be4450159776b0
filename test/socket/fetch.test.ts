import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from '../../src/app/boot.js'
import { inspect } from '../../src/app/plan.js'
import { inject } from '../../src/container/container.js'
import { RecordStore } from '../../src/content/record-store.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { silent } from '../../src/log/log.js'
import { EchoApi } from '../support/echo-api.js'
import { startService, type StartedService } from '../support/start-service.js'
import { temporaryDatabase } from '../support/test-database.js'

class Listing {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'list/v1', route: '/posts', permission: 'public' })
  async posts() {
    return new RestResponse((await this.records.list({ type: 'post' })).length)
  }
}

let site: StartedService
before(async () => {
  site = await startService([EchoApi], { base_url: 'https://shop.example/blog', cors: ['https://friend.example'] })
})
after(() => site.close())

const json = { 'Content-Type': 'application/json' }

/** Requests that are answered alike over a socket and by `service.fetch`. */
const requests: [target: string, init?: RequestInit][] = [
  ['/wp-json/'],
  ['/wp-json/test/v1'],
  ['/blog/wp-json/test/v1/echo?a=1&b[]=2&b[]=3'],
  ['/wp-json/test/v1/echo?a=%ff&_pretty'],
  ['/wp-json/test/v1/echo?_envelope&_jsonp=f'],
  ['/wp-json/test/v1/echo/a%20b%2Fc+d%C3%A9'],
  ['/?rest_route=/test/v1/echo'],
  ['/?rest_route[]=/test/v1/echo'],
  ['/wp-json/test/v1/echo', { method: 'HEAD' }],
  ['/wp-json/test/v1/echo', { method: 'OPTIONS' }],
  ['/wp-json/test/v1/nothing'],
  ['/wp-json/test/v1/nothing', { method: 'HEAD' }],
  ['/wp-json/test/v1/typed?page=x'],
  ['/wp-json/test/v1/echo', { method: 'POST', body: '{"a":"é"}', headers: json }],
  ['/wp-json/test/v1/echo', { method: 'PUT', body: '{', headers: json }],
  ['/wp-json/test/v1/echo', { method: 'POST', body: new URLSearchParams({ a: 'é' }) }],
  ['/wp-json/test/v1/echo', { method: 'DELETE' }],
  ['/wp-json/test/v1/echo', { headers: { Origin: 'https://friend.example' } }],
  ['/wp-json/test/v1/echo', { headers: { Origin: 'https://stranger.example' } }],
  ['/wp-json/test/v1/echo', { headers: { 'X-WP-Nonce': 'wrong' } }],
  ['/wp-json/test/v1/echo', { headers: { Authorization: 'Basic !!!' } }],
  ['/wp-json/test/v1/count', { method: 'POST', body: 'a'.repeat(2_000_000) }],
  ['/healthz'],
  ['/readyz', { method: 'HEAD' }],
  ['/nothing-here'],
  ['/nothing-here', { method: 'HEAD' }],
  ['/wp-login.php'],
]

/** What belongs to the connection, or differs from request to request. */
const ofTheConnection = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding', 'x-request-id']

async function told(response: Response) {
  const headers = [...response.headers].filter(([name]) => !ofTheConnection.includes(name))
  return { status: response.status, headers, body: await response.text() }
}

for (const [target, init = {}] of requests)
  test(`${init.method ?? 'GET'} ${target} ${JSON.stringify(init.headers ?? {})}: alike with and without a socket`, async () => {
    const overSocket = await told(await fetch(`${site.url}${target}`, init))
    const without = await told(await site.service.fetch(new Request(`${site.url}${target}`, init)))
    assert.deepEqual(without, overSocket)
    if (init.method === 'HEAD') assert.equal(without.body, '')
  })

const bodies: [what: string, body: () => ReadableStream, status: number][] = [
  ['bytes', () => streamOf(new TextEncoder().encode('a=b')), 200],
  ['nothing', () => streamOf(), 200],
  ['text', () => streamOf('a=b'), 400],
  ['a number', () => streamOf(5), 400],
  ['what claims to be small', () => streamOf({ length: -1e9 }), 400],
  ['bytes without end', () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) }), 413],
  ['an error', () => new ReadableStream({ start: (to) => to.error(new Error('gone')) }), 400],
]
for (const [what, body, status] of bodies)
  test(`a body that is a stream of ${what}: ${status}`, async () => {
    const init = { method: 'POST', body: body(), duplex: 'half' } as RequestInit
    const response = await site.service.fetch(new Request(`${site.rest}test/v1/count`, init))
    assert.equal(response.status, status)
    if (status >= 400) assert.match(((await response.json()) as { code: string }).code, /^rest_/)
  })

function streamOf(...chunks: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start(to) {
      for (const chunk of chunks) to.enqueue(chunk)
      to.close()
    },
  })
}

test('links begin with the base URL, whatever the Host says', async () => {
  const response = await fetch(`${site.url}/wp-json/`)
  assert.equal(response.headers.get('link'), '<https://shop.example/blog/wp-json/>; rel="https://api.w.org/"')
})

test('only listed origins are allowed', async () => {
  const origins: [origin: string, allowed: string | null][] = [
    ['https://friend.example', 'https://friend.example'],
    ['https://friend.example.evil.example', null],
    ['http://friend.example', null],
    ['null', null],
  ]
  for (const [Origin, allowed] of origins) {
    const { headers } = await fetch(`${site.rest}test/v1/echo`, { headers: { Origin } })
    assert.equal(headers.get('access-control-allow-origin'), allowed, Origin)
    assert.equal(headers.get('access-control-allow-credentials'), allowed && 'true', Origin)
    assert.match(headers.get('vary') ?? '', /Origin/)
  }
})

test('the prefix can be chosen', async () => {
  const other = await startService([EchoApi], { rest_prefix: 'api' })
  assert.equal((await fetch(`${other.url}/api/test/v1/echo`)).status, 200)
  const old = await fetch(`${other.url}/wp-json/test/v1/echo`)
  assert.equal(old.status, 404)
  await other.close()
})

test('/healthz and /readyz: without a database the second is a 503, and so is whatever needs it', async () => {
  const options = { database: await temporaryDatabase(), secrets: {}, log: silent }
  const plan = await inspect([Listing], options)
  const service = await start(plan)
  const ask = async (path: string) => service.fetch(new Request(`http://x${path}`))
  for (const path of ['/healthz', '/readyz', '/wp-json/list/v1/posts'])
    assert.equal((await ask(path)).status, 200, path)
  await plan.content.storage.close()
  assert.equal((await ask('/healthz')).status, 200)
  assert.equal((await ask('/readyz')).status, 503)
  const refused = await ask('/wp-json/list/v1/posts')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '10'])
  assert.equal(((await refused.json()) as { code: string }).code, 'service_unavailable')
  // The database is closed already, which some drivers complain about.
  await service.close().catch(() => {})
})

test('a method is one in whatever case a Request has it', async () => {
  const response = await site.service.fetch(
    new Request(`${site.rest}test/v1/echo`, { method: 'patch', body: new URLSearchParams({ name: 'Ada' }) }),
  )
  const { method, params } = (await response.json()) as { method: string; params: object }
  assert.deepEqual([response.status, method, params], [200, 'PATCH', { name: 'Ada' }])
})
