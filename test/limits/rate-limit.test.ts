import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AsRestRoute, currentUser, endpoint, RestResponse, type RestRequest } from 'as-rest-route'
import { clientSource } from '../../src/documents/client-source.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { emptyFolder, removeFolders, runHere } from '../cli/command-line.js'
import { storeKinds } from '../support/store-kinds.js'
import { StorageError } from '../../src/database/storage-error.js'
import { startService } from '../support/start-service.js'
import { ways, type Send } from '../support/three-ways.js'
import { withoutResponseCache } from '../support/response-cache.js'

const limited = { namespace: 'shop/v1', permission: 'public', rate_limit: { requests: 3, per: 'minute' } } as const

class LimitedApi {
  static handled = 0
  /** How often a permission was asked. */
  static asked = 0

  @AsRestRoute({ ...limited, route: '/search', args: { page: { type: 'integer' } } })
  search() {
    LimitedApi.handled += 1
    return { user: currentUser().login }
  }

  @AsRestRoute({ ...limited, route: '/search', method: 'POST', allow_batch: true })
  add() {
    return { user: currentUser().login }
  }

  @AsRestRoute({
    ...limited,
    route: '/numbers',
    method: 'POST',
    allow_batch: true,
    args: { n: { type: 'integer', required: true } },
  })
  number() {
    return null
  }

  @AsRestRoute({ ...limited, route: '/broken' })
  @AsRestRoute({ ...limited, route: '/broken', method: 'POST', allow_batch: true })
  broken(): null {
    throw new Error('expected')
  }

  @AsRestRoute({ ...limited, route: '/late', timeout: 0.1 })
  async late(request: RestRequest) {
    await delay(60_000, undefined, { signal: request.signal })
    return null
  }

  @AsRestRoute({ ...limited, route: '/busy' })
  @AsRestRoute({ ...limited, route: '/busy', method: 'POST', allow_batch: true })
  busy(): null {
    throw new StorageError('busy', 'expected')
  }

  @AsRestRoute({ ...limited, route: '/cached', cache: 600 })
  cached() {
    return { numbers: [1, 2, 3] }
  }

  @AsRestRoute({ ...limited, route: '/mine', permission: 'isKnown' })
  mine(_request: RestRequest) {
    return { user: currentUser().login }
  }

  @AsRestRoute({ ...limited, route: '/mine', method: 'POST', permission: 'isKnown', allow_batch: true })
  addMine(_request: RestRequest) {
    return null
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/linked', permission: 'public' })
  linked(request: RestRequest) {
    const response = new RestResponse({ id: 1 })
    for (let page = 1; page <= 5; page += 1)
      response.addLink('related', `${request.root}shop/v1/search?page=${page}`, { embeddable: true })
    return response
  }

  isKnown() {
    LimitedApi.asked += 1
    return currentUser().id !== 0
  }
}

interface Operation {
  readonly 'x-rate-limit'?: object
  readonly responses: Record<string, { readonly headers?: object }>
}

const free = endpoint({ namespace: 'shop/v1', route: '/free', permission: 'public' }, () => 'free')

const policy = '"default";q=3;w=60'
const times = async (count: number, send: () => Promise<Response>): Promise<Response[]> => {
  const responses: Response[] = []
  for (let number = 0; number < count; number += 1) responses.push(await send())
  return responses
}
const statuses = (responses: readonly Response[]): number[] => responses.map(({ status }) => status)

for (const { name, open } of ways) {
  test(`a fault and a request that takes too long tell what is left (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi], { cors: ['https://app.example'] })
    const origin = 'https://app.example'
    for (const [route, status] of [
      ['broken', 500],
      ['late', 503],
      ['busy', 503],
    ] as const) {
      const response = await send(`/shop/v1/${route}`, { headers: { Origin: origin } })
      assert.equal(response.status, status, route)
      assert.equal(response.headers.get('RateLimit-Policy'), policy)
      assert.match(response.headers.get('RateLimit') ?? '', /^"default";r=2;t=/)
      assert.notEqual(response.headers.get('X-Request-Id'), null)
      // A fault has no CORS headers, as in WordPress.
      const isReadable = status === 503
      assert.equal(response.headers.get('Access-Control-Allow-Origin'), isReadable ? origin : null)
      if (isReadable)
        assert.match(response.headers.get('Access-Control-Expose-Headers') ?? '', /X-WP-Total,.* RateLimit/)
      const other = await send(`/shop/v1/${route}`, { headers: { Origin: 'https://other.example' } })
      assert.equal(other.headers.get('Access-Control-Allow-Origin'), null)
      assert.equal(other.headers.get('Vary'), isReadable ? 'Origin' : null)
    }
  })

  test(`a caller gets as many responses as the limit allows, and is told what is left (${name})`, async (t) => {
    let now = Date.UTC(2026, 5, 1)
    const { send } = await open(t, [LimitedApi, free], { clock: () => now })
    const before = LimitedApi.handled
    const [first, second, third, fourth] = await times(4, () => send('/shop/v1/search'))
    assert.deepEqual(statuses([first, second, third, fourth] as Response[]), [200, 200, 200, 429])
    assert.equal(LimitedApi.handled - before, 3)
    const left = [first, second, third, fourth].map((response) => response?.headers.get('RateLimit'))
    assert.deepEqual(left, ['"default";r=2;t=20', '"default";r=1;t=40', '"default";r=0;t=60', '"default";r=0;t=60'])
    for (const response of [first, fourth]) assert.equal(response?.headers.get('RateLimit-Policy'), policy)
    assert.equal(first?.headers.get('Retry-After'), null)
    assert.equal(fourth?.headers.get('Retry-After'), '20')
    assert.deepEqual(await fourth?.json(), {
      code: 'rest_too_many_requests',
      message: 'Too many requests: 3 are allowed in 60 s. Try again in 20 s.',
      data: { status: 429 },
    })
    now += 20_000
    assert.deepEqual(statuses(await times(2, () => send('/shop/v1/search'))), [200, 429])
    now += 60_000
    assert.deepEqual(statuses(await times(4, () => send('/shop/v1/search'))), [200, 200, 200, 429])
    // Another declaration has a limit of its own, and other routes have none.
    assert.equal((await send('/shop/v1/search', { method: 'POST' })).status, 200)
    assert.deepEqual(new Set(statuses(await times(5, () => send('/shop/v1/free')))), new Set([200]))
  })

  test(`refused arguments, refused callers and HEAD count, OPTIONS does not (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi])
    assert.equal((await send('/shop/v1/search', { method: 'HEAD' })).status, 200)
    assert.deepEqual(statuses(await times(2, () => send('/shop/v1/search?page=many'))), [400, 400])
    assert.equal((await send('/shop/v1/search?page=1')).status, 429)
    const described = await times(5, () => send('/shop/v1/mine', { method: 'OPTIONS' }))
    assert.deepEqual(new Set(statuses(described)), new Set([200]))
    assert.deepEqual(statuses(await times(4, () => send('/shop/v1/mine'))), [401, 401, 401, 429])
  })

  test(`the headers are named in the CORS headers of the routes that have a limit, and of no other (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi, free])
    const headers = { Origin: 'https://elsewhere.example' }
    const responses = [
      ...(await times(4, () => send('/shop/v1/search', { headers }))),
      await send('/shop/v1/search', { method: 'OPTIONS', headers }),
      await send('/shop/v1/cached', { headers }),
    ]
    for (const response of responses)
      assert.equal(
        response.headers.get('Access-Control-Expose-Headers'),
        'X-WP-Total, X-WP-TotalPages, Link, RateLimit, RateLimit-Policy, Retry-After',
        `${response.status}`,
      )
    const other = await send('/shop/v1/free', { headers })
    assert.equal(other.headers.get('Access-Control-Expose-Headers'), 'X-WP-Total, X-WP-TotalPages, Link')
    assert.equal(other.headers.get('RateLimit'), null)
  })

  test(`responses of the cache and 304 count (${name})`, { skip: withoutResponseCache }, async (t) => {
    const { send } = await open(t, [LimitedApi], { clock: () => Date.UTC(2026, 5, 1) })
    const first = await send('/shop/v1/cached')
    const tag = first.headers.get('ETag') ?? ''
    assert.match(tag, /^"/)
    const unchanged = await send('/shop/v1/cached', { headers: { 'If-None-Match': tag } })
    assert.equal(unchanged.status, 304)
    assert.equal(unchanged.headers.get('RateLimit'), '"default";r=1;t=40')
    // Served without the cache, because of a parameter that is not declared.
    const uncached = await send('/shop/v1/cached?other=1')
    assert.deepEqual([uncached.status, uncached.headers.get('RateLimit')], [200, '"default";r=0;t=60'])
    const refused = await send('/shop/v1/cached')
    assert.deepEqual([refused.status, refused.headers.get('ETag')], [429, null])
    assert.equal((await send('/shop/v1/cached', { headers: { 'If-None-Match': tag } })).status, 429)
  })

  test(`users are counted each by themselves, and visitors by their network (${name})`, async (t) => {
    const { site, send } = await open(t, [LimitedApi], { trusted_proxies: ['127.0.0.1'], environment: 'local' })
    const authorization = async (login: string): Promise<Record<string, string>> => {
      const { id } = await site.service.users.create({
        login,
        email: `${login}@x.example`,
        password: 'secret',
        role: 'editor',
      })
      const { password } = await site.service.applicationPasswords.create(id, { name: 'Test' })
      return { Authorization: `Basic ${btoa(`${login}:${password}`)}` }
    }
    const [ann, ben] = [await authorization('ann'), await authorization('ben')]
    const as = (credentials: Record<string, string>, address: string) => () =>
      send('/shop/v1/search', { headers: { ...credentials, 'X-Forwarded-For': address } })
    assert.deepEqual(statuses(await times(2, as(ann, '192.0.2.1'))), [200, 200])
    assert.deepEqual(statuses(await times(2, as(ann, '192.0.2.2'))), [200, 429])
    assert.deepEqual(statuses(await times(4, as(ben, '192.0.2.1'))), [200, 200, 200, 429])
    assert.deepEqual(statuses(await times(4, as({}, '192.0.2.1'))), [200, 200, 200, 429])
    assert.deepEqual(statuses(await times(1, as({}, '192.0.2.2'))), [200])
    assert.deepEqual(statuses(await times(2, as({}, '2001:db8::1'))), [200, 200])
    assert.deepEqual(statuses(await times(2, as({}, '2001:db8::ffff'))), [200, 429])
  })

  test(`each item of a batch counts (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi], { clock: () => Date.UTC(2026, 5, 1) })
    const item = { path: '/shop/v1/search', method: 'POST' }
    const batch = async (count: number, validation = 'normal') => {
      const response = await send('/batch/v1', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ validation, requests: Array.from({ length: count }, () => item) }),
      })
      return (await response.json()) as { responses: { status: number; headers: Record<string, string> }[] }
    }
    const { responses } = await batch(4)
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 429],
    )
    assert.equal(responses[1]?.headers['RateLimit'], '"default";r=1;t=40')
    assert.equal(responses[3]?.headers['Retry-After'], '20')
    assert.equal((await send('/shop/v1/search', { method: 'POST' })).status, 429)
  })

  test(`an item of a batch that fails unexpectedly tells what is left (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi], { clock: () => Date.UTC(2026, 5, 1) })
    const items = ['/shop/v1/broken', '/shop/v1/busy'].map((path) => ({ path, method: 'POST' }))
    const response = await send('/batch/v1', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ requests: items }),
    })
    const { responses } = (await response.json()) as {
      responses: { status: number; headers: Record<string, string> }[]
    }
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers['RateLimit-Policy'], headers['RateLimit']]),
      [500, 503].map((status) => [status, policy, '"default";r=2;t=20']),
    )
  })

  test(`refused items of a batch that does not run have the headers of their route (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi], { clock: () => Date.UTC(2026, 5, 1) })
    const numbers = '/shop/v1/numbers'
    const paths = [numbers, `${numbers}?n=1`, '/shop/v1/none', numbers, numbers]
    const batch = async (validation: string) => {
      const response = await send('/batch/v1', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ validation, requests: paths.map((path) => ({ path })) }),
      })
      return (await response.json()) as {
        responses: ({ status: number; headers: Record<string, string> } | null)[]
      }
    }
    const { responses } = await batch('require-all-validate')
    assert.deepEqual(
      responses.map((item) => item && [item.status, item.headers['RateLimit'] ?? null]),
      [[400, '"default";r=2;t=20'], null, [404, null], [400, '"default";r=0;t=60'], [429, '"default";r=0;t=60']],
    )
    // The items of a batch that runs have the same headers, and `Allow`.
    const refused = await batch('normal')
    const headers = refused.responses.at(-1)?.headers
    assert.deepEqual(responses.at(-1)?.headers, headers)
    assert.match(headers?.['Access-Control-Expose-Headers'] ?? '', /RateLimit/)
    assert.equal(headers?.['RateLimit-Policy'], policy)
  })

  test(`no permission is asked for a request beyond the limit, in a batch neither (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi], { clock: () => Date.UTC(2026, 5, 1) })
    const batch = async (count: number) => {
      const requests = Array.from({ length: count }, () => ({ path: '/shop/v1/mine', method: 'POST' }))
      const headers = { 'Content-Type': 'application/json' }
      const response = await send('/batch/v1', { method: 'POST', headers, body: JSON.stringify({ requests }) })
      const { responses } = (await response.json()) as { responses: { status: number }[] }
      return responses.map(({ status }) => status)
    }
    const before = LimitedApi.asked
    assert.deepEqual(await batch(3), [401, 401, 401])
    const { asked } = LimitedApi
    assert.ok(asked > before)
    assert.deepEqual(await batch(2), [429, 429])
    assert.equal((await send('/shop/v1/mine', { method: 'POST' })).status, 429)
    assert.equal(LimitedApi.asked, asked)
  })

  test(`embedded resources neither count nor are limited (${name})`, async (t) => {
    const { send } = await open(t, [LimitedApi], { clock: () => Date.UTC(2026, 5, 1) })
    const embedded = async () => {
      const response = await send('/shop/v1/linked?_embed=1')
      const { _embedded } = (await response.json()) as { _embedded: { related: object[] } }
      return _embedded.related
    }
    assert.deepEqual(
      await embedded(),
      Array.from({ length: 5 }, () => ({ user: '' })),
    )
    assert.deepEqual(statuses(await times(4, () => send('/shop/v1/search'))), [200, 200, 200, 429])
    assert.deepEqual(
      await embedded(),
      Array.from({ length: 5 }, () => ({ user: '' })),
    )
  })
}

test('the OpenAPI document, the generated client and explain name the limit', async (t) => {
  const site = await startService([LimitedApi, free])
  t.after(() => site.close())
  const facts = { title: 'Shop', baseUrl: 'https://shop.example', restPrefix: 'wp-json' }
  const { paths } = openApiDocument(site.service.routes, facts) as unknown as {
    paths: Record<string, { get: Operation }>
  }
  const search = paths['/shop/v1/search']?.get
  assert.deepEqual(search?.['x-rate-limit'], { requests: 3, seconds: 60 })
  assert.deepEqual(Object.keys(search?.responses['429']?.headers ?? {}), [
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
  ])
  assert.deepEqual(paths['/shop/v1/free']?.get['x-rate-limit'], undefined)
  const client = clientSource(site.service.routes, 'https://shop.example/wp-json')
  assert.match(client, /GET \/shop\/v1\/search`, at most 3 requests in 60 s of one caller \*\//)

  const folder = emptyFolder()
  t.after(removeFolders)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'api.ts'),
    `import { endpoint } from 'as-rest-route'
    const rate_limit = { requests: 3, per: 'minute' } as const
    export const search = endpoint({ namespace: 'shop/v1', route: '/search', permission: 'public', rate_limit }, () => 1)`,
  )
  const database = `sqlite:${join(folder, 'site.sqlite')}`
  await (await startService(folder, { database })).close()
  const { stdout } = await runHere(['explain', 'GET', '/wp-json/shop/v1/search', folder, '--database', database])
  assert.match(
    stdout,
    /rate_limit: 3 requests in 60 s of one user, or of one network without a login\. This one is not counted\./,
  )
})

for (const kind of storeKinds.filter(({ name }) => name !== 'SQLite'))
  describe(`two services with one database on ${kind.name}`, { skip: kind.skip }, () => {
    test('count together, one by one and all at once, and across a restart', async (t) => {
      const { url, drop } = await kind.create()
      t.after(() => drop())
      const start = async () => startService([LimitedApi], { database: url, trusted_proxies: ['127.0.0.1'] })
      const [first, second] = [await start(), await start()]
      t.after(() => Promise.all([first.close(), second.close()]))
      const send =
        (rest: string): Send =>
        (path, init) =>
          fetch(`${rest}${path.slice(1)}`, init)
      const from = (rest: string, address: string) =>
        send(rest)('/shop/v1/search', { headers: { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' } })
      const inTurns: number[] = []
      for (let number = 0; number < 5; number += 1)
        inTurns.push((await from(number % 2 === 0 ? first.rest : second.rest, '192.0.2.1')).status)
      assert.deepEqual(inTurns, [200, 200, 200, 429, 429])
      for (let caller = 10; caller < 20; caller += 1) {
        const atOnce = await Promise.all(
          Array.from({ length: 20 }, (_, number) =>
            from(number % 2 === 0 ? first.rest : second.rest, `192.0.2.${caller}`),
          ),
        )
        assert.equal(statuses(atOnce).filter((status) => status === 200).length, 3)
        // Requests that were refused do not count: there is room again after a third of a minute.
        const waits = atOnce.flatMap(({ headers }) => headers.get('Retry-After') ?? []).map(Number)
        assert.ok(Math.max(...waits) <= 20, waits.join())
      }
      await second.close()
      const third = await start()
      t.after(() => third.close())
      assert.equal((await from(third.rest, '192.0.2.1')).status, 429)
      assert.equal((await from(third.rest, '192.0.2.3')).status, 200)
    })
  })
