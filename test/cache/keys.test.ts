import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { exchange } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'
import { cachedService, type CachedService } from './cached-service.js'
import { withoutResponseCache } from '../support/response-cache.js'

const one = 'public, max-age=60'

describe('the key of a cached response', { skip: withoutResponseCache }, () => {
  let site: CachedService
  before(async () => (site = await cachedService()))
  after(() => site.close())

  const alike: [what: string, first: string, second: string][] = [
    ['the order of parameters', 'echo?page=2&size=5', 'echo?size=5&page=2'],
    ['a default that is sent', 'echo?word=a', 'echo?size=10&word=a&page=1'],
    ['another spelling of the same number', 'echo?page=3', 'echo?page=03'],
    ['percent-encoding', 'echo?word=b', 'echo?wor%64=%62'],
    ['the locale, which changes nothing', 'echo?word=c&_locale=user', 'echo?word=c&_locale=de'],
    ['a slash at the end', 'echo?word=d', 'echo/?word=d'],
    ['a parameter that is sent twice', 'echo?word=e', 'echo?word=x&word=e'],
  ]
  for (const [what, first, second] of alike)
    it(`it does not depend on ${what}`, async () => {
      const runs = site.runs.of('echo')
      const body = await (await site.get(first)).text()
      assert.equal(await (await site.get(second)).text(), body)
      assert.equal(site.runs.of('echo'), runs + 1)
    })

  it('it differs with every value', async () => {
    const paths = ['echo', 'echo?page=7', 'echo?size=7', 'echo?word=7', 'echo?word=', 'echo?word=7&page=7']
    const bodies = await Promise.all(paths.map(async (path) => (await site.get(path)).text()))
    assert.equal(new Set(bodies).size, paths.length)
  })

  it('neither the key nor the handler gets data of the sender', async () => {
    const runs = site.runs.of('echo')
    const senders = [
      {},
      { 'Accept-Language': 'de', 'User-Agent': 'x' },
      { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-For': '1.2.3.4' },
      { Cookie: '_ga=1; theme=dark' },
      { Origin: 'https://other.example' },
      { 'Content-Type': 'application/json' },
    ]
    for (const headers of senders) {
      const { headers: seen, address, query } = (await site.read('echo?word=sender', headers)) as Record<string, object>
      assert.deepEqual({ seen, address, query }, { seen: {}, address: '', query: { word: 'sender' } })
    }
    const raw = `GET /wp-json/test/v1/echo?word=sender HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`
    const response = await exchange(site.port, raw)
    assert.ok(!`${response.text}${JSON.stringify(response.headers)}`.includes('evil'))
    assert.equal(site.runs.of('echo'), runs + 1)
  })

  const uncached: [what: string, path: string, init?: RequestInit][] = [
    ['an undeclared parameter', 'echo?word=z&utm_source=x'],
    ['_fields', 'echo?word=z&_fields=all'],
    ['_envelope', 'echo?word=z&_envelope'],
    ['_embed', 'echo?word=z&_embed'],
    ['_pretty', 'echo?word=z&_pretty'],
    ['_jsonp', 'echo?word=z&_jsonp=f'],
    ['_method', 'echo?word=z&_method=GET'],
    ['_wpnonce', 'echo?word=z&_wpnonce=abc'],
    ['an overriding header', 'echo?word=z', { headers: { 'X-HTTP-Method-Override': 'GET' } }],
    ['a nonce', 'echo?word=z', { headers: { 'X-WP-Nonce': 'abc' } }],
    ['credentials', 'echo?word=z', { headers: { Authorization: 'Basic eDp5' } }],
    ['other credentials', 'echo?word=z', { headers: { Authorization: 'Bearer x' } }],
    ['a login cookie', 'echo?word=z', { headers: { Cookie: 'a=b; wordpress_logged_in_1=x%7C1%7C2%7C3' } }],
    ['another method', 'echo?word=z', { method: 'POST' }],
    ['a path in other letters', 'ECHO?word=z'],
    ['a value that is refused', 'echo?word=z&page=0'],
    ['a list where text is declared', 'echo?word[]=z'],
    ['another spelling of a number in the path', 'typed/007'],
    ['more parameters than are accepted', `echo?${'word=z&'.repeat(1001)}`],
    ['a value without end', `echo?word=${'z'.repeat(3000)}`],
  ]
  for (const [what, path, init] of uncached)
    it(`a request with ${what} is not cached`, async () => {
      const clean = await (await site.get('echo?word=z')).text()
      const responses = [
        await fetch(`${site.rest}test/v1/${path}`, init),
        await fetch(`${site.rest}test/v1/${path}`, init),
      ]
      for (const { headers } of responses) {
        assert.notEqual(headers.get('cache-control'), one)
        assert.equal(headers.get('etag'), null)
      }
      const runs = site.runs.of('echo')
      assert.equal(await (await site.get('echo?word=z')).text(), clean)
      assert.equal(site.runs.of('echo'), runs)
    })

  it('a path that takes the case-sensitive pattern long has no key', async () => {
    class Shouting {
      @AsRestRoute({ namespace: 'test/v1', route: '/shouting/(?:A|[^a])+b', permission: 'public', cache: 60 })
      read() {
        return new RestResponse('heard')
      }
    }
    const shouting = await startService([Shouting])
    const response = await fetch(`${shouting.rest}test/v1/shouting/${'A'.repeat(60)}B`)
    assert.deepEqual([await response.json(), response.headers.get('etag')], ['heard', null])
    await shouting.close()
  })

  it('a question mark in the path is not the beginning of the query', async () => {
    const read = async (path: string) => JSON.parse((await exchange(site.port, requestFor(path))).text) as unknown
    const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    for (let count = 0; count < 2; count += 1) {
      assert.equal(await read('/%77p-json/test/v1/named/a%3Fb=c'), 'a?b=c')
      assert.equal(await read('/wp-json/test/v1/named/a?b=c?'), 'a')
    }
  })

  it('a declared _locale is part of the arguments and not ignored', async () => {
    for (const locale of ['de', 'fr', 'de'])
      assert.equal(await site.read(`greeting?_locale=${locale}`), `Hello in ${locale}`)
    assert.equal(await site.read('greeting'), 'Hello in en')
  })

  it('rest_route and a GET with a body have no key', async () => {
    const runs = site.runs.of('echo')
    await fetch(`${site.url}/?rest_route=/test/v1/echo`)
    const body =
      'GET /wp-json/test/v1/echo?word=body HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nConnection: close\r\n\r\npage=9'
    const response = await exchange(site.port, body)
    assert.equal(response.headers['etag'], undefined)
    assert.equal(site.runs.of('echo'), runs + 2)
  })

  it('only requests without credentials are cached', async () => {
    const { users, applicationPasswords } = site.service
    const { id } = await users.create({
      login: 'ann',
      email: 'ann@shop.example',
      password: 'secret enough',
      role: 'editor',
    })
    const { password } = await applicationPasswords.create(id, { name: 'test' })
    await site.read('list')
    const runs = site.runs.of('list')
    const Authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
    for (let count = 1; count <= 2; count += 1) {
      const response = await site.get('list', { Authorization })
      assert.equal(response.status, 200)
      assert.match(response.headers.get('cache-control') ?? '', /no-store/)
      assert.equal(response.headers.get('etag'), null)
      assert.equal(site.runs.of('list'), runs + count)
    }
    const anonymous = await site.get('list')
    assert.equal(anonymous.headers.get('cache-control'), one)
    assert.equal(anonymous.headers.get('x-wp-nonce'), null)
    assert.equal(site.runs.of('list'), runs + 2)
  })
})
