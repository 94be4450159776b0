import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { cachedService, gate, type CachedService } from './cached-service.js'
import { onlyWithOwnToken } from '../support/test-database.js'
import { sayings } from './counted-api.js'
import { answersFromCache, withoutResponseCache } from '../support/response-cache.js'

// It fails as well when the line that creates the cache was reworded, and `withoutResponseCache` no longer finds it.
test('the second request to a cached route is answered from the cache, unless that was taken out', async () => {
  assert.equal(await answersFromCache(), withoutResponseCache === false)
})

describe('a cached response', { skip: withoutResponseCache }, () => {
  let site: CachedService
  let now = Date.parse('2026-01-01T00:00:00Z')
  before(async () => (site = await cachedService({ clock: () => now, cache_bytes: 80_000 })))
  after(() => site.close())

  it('it equals the first response, with a request id of its own', async () => {
    const first = await site.get('list')
    const second = await site.get('list')
    const said = ({ headers }: Response) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    assert.deepEqual(said(second), said(first))
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
    assert.equal(first.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(first.headers.get('vary'), 'Origin, Cookie, Authorization, X-WP-Nonce')
    assert.match(first.headers.get('etag') ?? '', /^"[\w-]{27}"$/)
    assert.equal(first.headers.get('allow'), 'GET')
    assert.equal(first.headers.get('content-type'), 'application/json; charset=UTF-8')
  })

  it('it is a 304 for a client that has it', async () => {
    const etag = (await site.get('list')).headers.get('etag') ?? ''
    for (const named of [etag, `W/${etag}`, '*', `"a", ${etag}`, `W/"a,b" , W/${etag}`]) {
      const response = await site.get('list', { 'If-None-Match': named })
      assert.equal(response.status, 304, named)
      assert.equal(await response.text(), '')
      assert.equal(response.headers.get('etag'), etag)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=60')
      assert.ok(response.headers.get('vary'))
      assert.ok(response.headers.get('x-request-id'))
    }
    for (const named of ['"a"', etag.slice(0, -2), '', 'W/', '"'.repeat(5001)])
      assert.equal((await site.get('list', { 'If-None-Match': named })).status, 200, named)
    await site.service.records.insert({ type: 'post', status: 'publish', title: 'New' })
    const changed = await site.get('list', { 'If-None-Match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })

  it('it serves HEAD with the headers of a GET, and a HEAD request may create it', async () => {
    const head = (path: string, headers = {}) => fetch(`${site.rest}test/v1/${path}`, { method: 'HEAD', headers })
    const runs = site.runs.of('echo')
    const first = await head('echo?word=head')
    const response = await site.get('echo?word=head')
    const etag = response.headers.get('etag') ?? ''
    assert.equal(((await response.json()) as { method: string }).method, 'GET')
    for (const response of [first, await head('echo?word=head')]) {
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('etag'), etag)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=60')
      assert.equal(await response.text(), '')
    }
    assert.equal((await head('echo?word=head', { 'If-None-Match': etag })).status, 304)
    assert.equal(site.runs.of('echo'), runs + 1)
  })

  it('its CORS headers are those of the requesting origin', async () => {
    for (const origin of ['https://a.example', 'https://b.example']) {
      const { headers } = await site.get('echo?word=origin', { Origin: origin })
      assert.equal(headers.get('access-control-allow-origin'), origin)
      assert.equal(headers.get('access-control-allow-credentials'), 'true')
    }
    assert.equal((await site.get('echo?word=origin')).headers.get('access-control-allow-origin'), null)
  })

  it('it is computed again when its time is over', async () => {
    await site.read('echo?word=time')
    const runs = site.runs.of('echo')
    now += 59_999
    await site.read('echo?word=time')
    assert.equal(site.runs.of('echo'), runs)
    now += 1
    await site.read('echo?word=time')
    assert.equal(site.runs.of('echo'), runs + 1)
  })

  it('concurrent requests compute it once', { skip: onlyWithOwnToken }, async () => {
    const { opened, open } = gate()
    site.runs.gate = opened
    const runs = site.runs.of('slow')
    const readers = Array.from({ length: 50 }, () => site.get('slow'))
    await new Promise((resolve) => setTimeout(resolve, 60))
    open()
    const bodies = await Promise.all(readers.map(async (response) => (await response).text()))
    assert.equal(new Set(bodies).size, 1)
    assert.equal(site.runs.of('slow'), runs + 1)
  })

  it('errors, faults and responses with cookies are not cached', async () => {
    const missing = await site.get('one/999999')
    assert.equal(missing.status, 404)
    assert.equal(missing.headers.get('cache-control'), null)
    assert.equal(missing.headers.get('vary'), 'Origin')
    await site.get('one/999999')
    assert.equal(site.runs.of('one'), 2)
    const { opened, open } = gate()
    site.runs.gate = opened
    const broken = Array.from({ length: 5 }, () => site.get('broken'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    open()
    for (const response of broken) assert.equal((await response).status, 500)
    assert.equal((await site.get('broken')).status, 500)
    assert.ok(site.runs.of('broken') >= 2)
    const cookies = await Promise.all(
      Array.from({ length: 10 }, async () => (await site.get('own')).headers.get('set-cookie')),
    )
    assert.equal(new Set(cookies).size, cookies.length)
  })

  for (const [says, header] of Object.entries(sayings))
    it(`it is not cached when its handler sets ${header.join(': ')}`, async () => {
      const first = await site.read(`kept-by-nobody/${says}`)
      assert.notEqual(await site.read(`kept-by-nobody/${says}`), first)
    })

  it('the cache stays within its bytes and refuses responses above an eighth of them', async () => {
    await site.get('text/11000')
    await site.get('text/11000')
    assert.equal(site.runs.of('text'), 2)
    for (let size = 3000; size < 3060; size += 1) await site.get(`text/${size}`)
    const runs = site.runs.of('text')
    await site.get('text/3059')
    assert.equal(site.runs.of('text'), runs)
    await site.get('text/3000')
    assert.equal(site.runs.of('text'), runs + 1)
  })
})
