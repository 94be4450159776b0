import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import {
  AsRestRoute,
  boot,
  inject,
  RecordStore,
  RestResponse,
  type NewRecord,
  type RestRequest,
  type Service,
} from '../../src/index.js'
import { silent } from '../../src/log/log.js'
import { exchange } from '../support/raw-socket.js'
import { openShop } from '../pages/shop-site.js'
import { openService } from './open-service.js'
import { temporaryDatabase } from '../support/test-database.js'

const root = new URL('../../', import.meta.url)
const text = { type: 'string', minLength: 2, sanitize_callback: 'sanitize_text_field' } as const
/** What a permission callback may return by mistake. */
const verdicts: Record<string, unknown> = { zero: 0, empty: '', no: 'no', one: 1, list: [], true: true }

class DifferencesApi {
  static permissionRuns = 0

  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/echo/(?P<id>\\d+)', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', method: 'POST', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/verdict', permission: 'hasVerdict' })
  @AsRestRoute({ namespace: 'test/v1', route: '/counted', permission: 'isCounted' })
  @AsRestRoute({ namespace: 'test/v1', route: '/text', method: 'POST', permission: 'public', args: {
    text: { ...text, validate_callback: 'rest_validate_request_arg' },
  } }) // prettier-ignore
  @AsRestRoute({ namespace: 'test/v1', route: '/slug', permission: 'public', args: {
    slug: { type: 'string', sanitize_callback: 'sanitize_title' },
  } }) // prettier-ignore
  echo(request: RestRequest) {
    return request.get_params()
  }

  @AsRestRoute({
    namespace: 'test/v1',
    route: '/lists',
    method: 'POST',
    permission: 'public',
    args: { list: { type: 'array' } },
  })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/candidates',
    method: 'POST',
    permission: 'public',
    args: {
      list: {
        type: 'array',
        anyOf: [{ type: 'array', anyOf: [{ type: 'array' }], oneOf: [{ type: 'object' }, { type: 'array' }] }],
      },
    },
  })
  @AsRestRoute({ namespace: 'test/v1', route: '/null', permission: 'public' })
  nothing() {
    return null
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/fault', permission: 'public' })
  fault(): RestResponse {
    throw new Error('the secret of /srv/app')
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/status', permission: 'public' })
  status() {
    return new RestResponse({}, 299)
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/records', method: 'POST', permission: 'public' })
  async insert(request: RestRequest) {
    const { title } = await this.records.insert(request.get_params() as unknown as NewRecord)
    return title
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/records', permission: 'public' })
  async list() {
    await Promise.all(
      Array.from({ length: 1001 }, () => this.records.insert({ type: 'page', status: 'publish', title: 'x' })),
    )
    return (await this.records.list({ type: 'page', per_page: -1, fields: ['title'] })).length
  }

  hasVerdict(request: RestRequest) {
    return verdicts[String(request.get_param('verdict'))] as boolean
  }

  isCounted() {
    DifferencesApi.permissionRuns += 1
    return true
  }
}

const site = await openService([DifferencesApi])
const shop = await openShop()
const production = await boot([DifferencesApi], { database: await temporaryDatabase(), log: silent })
after(() => Promise.all([site.close(), shop.service.close(), production.close()]))

const outcome = async (method: string, path: string, json?: unknown) => {
  const { status, body } = await site.call(method, `/test/v1${path}`, json === undefined ? {} : { json })
  return [status, (body as { code?: string } | null)?.code ?? body]
}

/** The headers of a new editor with an application password. */
async function editor(service: Service, login: string) {
  const { id } = await service.users.create({ login, email: `${login}@shop.example`, password: 'p', role: 'editor' })
  const { password } = await service.applicationPasswords.create(id, { name: 'test' })
  return { Authorization: `Basic ${btoa(`${login}:${password}`)}` }
}

/** The status of `users/me` for an application password that is sent over plain HTTP from an address. */
async function plainHttp(headers: Readonly<Record<string, string>>, address: string) {
  const request = new Request('http://shop.example/wp-json/wp/v2/users/me', { headers })
  return (await production.fetch(request, { address, secure: false })).status
}

/** By the number of the difference: what shows it, or the test that does. */
const proofs: Readonly<Record<number, string | (() => Promise<void>)>> = {
  1: async () => {
    const refused = [400, 'rest_invalid_param']
    assert.deepEqual(await outcome('POST', '/text?text=a'), refused)
    assert.deepEqual(await outcome('POST', '/text?text=a', { text: 'long' }), refused)
    assert.deepEqual(await outcome('POST', '/text', { text: null }), refused)
    assert.deepEqual(await outcome('POST', '/text', { text: ' long ' }), [200, { text: 'long' }])
  },
  2: async () => assert.deepEqual(await outcome('GET', '/echo/5?id=7'), [200, { id: '5' }]),
  3: async () => {
    await site.join('ed', 'editor')
    const as = { Authorization: `Basic ${btoa('ed:wrong')}` }
    const { status, body } = await site.call('GET', '/test/v1/echo/5', { as })
    assert.deepEqual([status, (body as { code: string }).code], [401, 'incorrect_password'])
  },
  4: async () => {
    for (const [name, verdict] of Object.entries(verdicts))
      assert.equal((await outcome('GET', `/verdict?verdict=${name}`))[0], verdict === true ? 200 : 401, name)
  },
  5: async () => {
    const { id } = await shop.service.records.insert({ type: 'product', status: 'draft', title: 'Secret' })
    for (const path of [`/wp-json/shop/v1/products/${id}`, `/?post_type=product&p=${id}`])
      assert.equal((await fetch(shop.url + path)).status, 404)
  },
  6: async () => {
    const title = String.raw`C:\new \\ \'`
    assert.deepEqual(await outcome('POST', '/records', { type: 'post', title }), [200, title])
  },
  7: async () => {
    const { status, body } = await site.call('GET', '/test/v1/fault')
    assert.deepEqual([status, (body as { code: string }).code], [500, 'internal_server_error'])
    assert.doesNotMatch(JSON.stringify(body), /secret|srv/)
  },
  8: async () => {
    assert.deepEqual(await outcome('GET', '/null?_fields=a'), [200, ''])
    assert.deepEqual(await outcome('GET', '/echo/5?error=1'), [200, { id: '5', error: '1' }])
    const form = { method: 'POST', body: new URLSearchParams({ page: '1' }) }
    assert.equal((await fetch(`${site.root}test/v1/echo?page=2`, form)).status, 200)
  },
  9: async () => {
    const headers = await editor(production, 'mia')
    assert.equal(await plainHttp(headers, '203.0.113.9'), 401)
    assert.equal(await plainHttp(headers, '127.0.0.1'), 200)
  },
  10: async () => {
    await outcome('GET', '/counted')
    assert.equal(DifferencesApi.permissionRuns, 1)
  },
  11: async () => {
    const { port } = new URL(site.url)
    for (const bytes of ['FETCH /wp-json/ HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /wp-json/ HTTP/1.1\r\nHost : x\r\n\r\n'])
      assert.equal((await exchange(Number(port), bytes)).status, 400)
  },
  12: async () => assert.deepEqual(await outcome('GET', '/slug?slug=%C3%89%20a/b'), [200, { slug: 'e-a-b' }]),
  13: 'test/pages/authorize.test.ts',
  14: async () => {
    assert.deepEqual(await outcome('GET', `/echo/5?${'a&'.repeat(1001)}`), [400, 'rest_too_many_params'])
    assert.deepEqual(await outcome('GET', `/echo/5?a${'[b]'.repeat(65)}=1`), [400, 'rest_params_too_deep'])
    const values = Array.from({ length: 100_000 }, () => 0)
    assert.deepEqual(await outcome('POST', '/echo', values), [400, 'rest_too_many_json_values'])
    assert.deepEqual(await outcome('POST', '/lists', { list: '1,'.repeat(10_001) }), [400, 'rest_invalid_param'])
  },
  15: async () => assert.deepEqual(await outcome('GET', '/records'), [200, 1000]),
  16: 'test/socket/throttling.test.ts',
  17: 'src/auth/stored-hashes.test.ts',
  18: async () => assert.deepEqual(await outcome('GET', '/status'), [500, 'internal_server_error']),
  19: 'test/start/refused.test.ts',
  20: async () => {
    const product = { type: 'product', status: 'publish', title: 'x', content: 'inside', password: '0' } as const
    const { id } = await shop.service.records.insert(product)
    const contentFor = async (headers: Readonly<Record<string, string>>) => {
      const response = await fetch(`${shop.url}/wp-json/shop/v1/products/${id}`, { headers })
      return ((await response.json()) as { content: string }).content
    }
    assert.deepEqual([await contentFor({}), await contentFor(await editor(shop.service, 'mia'))], ['', 'inside'])
  },
  21: async () => {
    for (const date of ['2024-02-30 00:00:00', '2024-02-01 00:00:00Z x'])
      assert.deepEqual(await outcome('POST', '/records', { type: 'post', title: 'x', date }), [400, 'invalid_date'])
  },
  22: 'test/cache/scheduled.test.ts',
  23: 'test/pages/lost-password.test.ts',
  24: 'test/pages/archives.test.ts',
  25: 'test/pages/archives.test.ts',
  26: 'test/endpoints/users-me.test.ts',
  27: 'test/endpoints/users-me.test.ts',
  28: 'test/endpoints/users-me.test.ts',
  29: async () => {
    const { users, records } = shop.service
    const user = { login: 'gone', email: 'gone@shop.example', password: 'secret', role: 'administrator' } as const
    const { id: author } = await users.create(user)
    const { id } = await records.insert({ type: 'product', status: 'publish', title: 'Kept', author })
    const { password } = await shop.service.applicationPasswords.create(author, { name: 'test' })
    const response = await fetch(`${shop.url}/wp-json/wp/v2/users/me?force=true&reassign=0`, {
      method: 'DELETE',
      headers: { Authorization: `Basic ${btoa(`gone:${password}`)}` },
    })
    assert.deepEqual([response.status, await users.find(author)], [200, null])
    assert.equal((await records.get(id))?.author, author)
  },
  30: async () => {
    const setsTestCookie = async (query: string) => {
      const { headers } = await fetch(`${shop.url}/wp-login.php${query}`, { redirect: 'manual' })
      return headers.getSetCookie().some((line) => line.startsWith('wordpress_test_cookie='))
    }
    assert.deepEqual(
      await Promise.all(['', '?action=lostpassword', '?action=rp', '?action=postpass'].map(setsTestCookie)),
      [true, false, false, false],
    )
  },
  31: 'test/pages/profile.test.ts',
  32: 'test/record-passwords/handlers.test.ts',
  33: 'test/socket/faults.test.ts',
  34: async () => {
    const anonymous = await site.call('GET', '/')
    const as = await editor(site.service, 'eva')
    assert.deepEqual((await site.call('GET', '/', { as })).body, anonymous.body)
  },
  35: async () => {
    for (const query of ['', '?_envelope']) {
      const headers = { 'X-HTTP-Method-Override': 'DELETE' }
      const response = await fetch(`${site.root}test/v1/echo/5${query}`, { method: 'POST', headers })
      assert.match(response.headers.get('cache-control') ?? '', /no-store/, query)
      const { status } = (await response.json()) as { status?: number }
      assert.equal(query === '' ? response.status : status, 404)
    }
  },
  36: 'test/endpoints/permission-values.test.ts',
  37: async () => {
    await shop.service.users.create({ login: 'liz', email: 'liz@shop.example', password: 'p', role: 'editor' })
    const outcomeOf = async (query: string, form?: Record<string, string>) => {
      const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
      const response = await fetch(`${shop.url}/wp-login.php${query}`, { redirect: 'manual', ...init })
      const ends = response.headers.getSetCookie().some((line) => line.startsWith('wordpress_logged_in_'))
      return [response.status, response.headers.get('location')?.replace(shop.url, '') ?? null, ends]
    }
    assert.deepEqual(await outcomeOf('', { log: 'liz', pwd: 'p', 'redirect_to[]': '/x' }), [302, '/wp-admin/', true])
    for (const form of [
      { 'log[]': 'liz', pwd: 'p' },
      { log: 'liz', 'pwd[]': 'p' },
    ])
      assert.deepEqual(await outcomeOf('', form), [200, null, false])
    // test/pages/lost-password.test.ts shows rp_key.
    assert.deepEqual(await outcomeOf('?reauth[]='), [200, null, true])
  },
  38: 'src/sanitizers/kses.test.ts',
  39: async () => {
    const response = await site.call('POST', '/test/v1/candidates', { json: { list: 0 } })
    assert.deepEqual(
      [response.status, (response.body as { data: { params: unknown } }).data.params],
      [400, { list: 'list matches more than one of the expected formats.' }],
    )
  },
  40: 'src/sanitizers/style.test.ts',
}

for (const [number, proof] of Object.entries(proofs))
  test(`the service differs from WordPress on purpose: ${number}`, async () => {
    if (typeof proof === 'string') assert.ok(existsSync(new URL(proof, root)), proof)
    else await proof()
  })

test('the table of the differences has a reason for each, and a proof stands here for each', () => {
  const [, section = ''] = readFileSync(new URL('docs/wordpress.md', root), 'utf8').split('\n## On purpose\n')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').filter((line) => /^\| \d/.test(line))
  const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
  for (const row of cells) assert.ok(row.length === 4 && row.every((cell) => cell.trim() !== ''), row.join(' | '))
  assert.deepEqual(
    cells.map(([number]) => number),
    Object.keys(proofs),
  )
})
