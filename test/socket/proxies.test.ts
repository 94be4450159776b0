import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { StartupError } from '../../src/app/startup-error.js'
import { currentUser } from '../../src/auth/current-user.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import type { BootOptions } from '../../src/app/options.js'
import { startService, type StartedService } from '../support/start-service.js'

class Peer {
  @AsRestRoute({ namespace: 'peer/v1', route: '/caller', permission: 'public' })
  show(request: RestRequest) {
    return new RestResponse({ login: currentUser().login, address: request.address })
  }
}

type Site = StartedService & { readonly basic: string }

const sites = new Map<string, Promise<Site>>()
after(() => Promise.all([...sites.values()].map(async (site) => (await site).close())))

function siteWith(options: BootOptions): Promise<Site> {
  const key = JSON.stringify(options)
  let site = sites.get(key)
  if (!site) sites.set(key, (site = open(options)))
  return site
}

async function open(options: BootOptions): Promise<Site> {
  const site = await startService([Peer], options)
  const { users, applicationPasswords } = site.service
  const { id } = await users.create({ login: 'mia', email: 'mia@shop.example', password: 'right' })
  const { password } = await applicationPasswords.create(id, { name: 'test' })
  return { ...site, basic: `Basic ${Buffer.from(`mia:${password}`).toString('base64')}` }
}

const trusting: BootOptions = { trusted_proxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'] }
const https = { 'X-Forwarded-Proto': 'https' }

/** Where Basic credentials on plain HTTP are taken (docs/wire.md#availability). */
const basic: [options: BootOptions, headers: Record<string, string>, peer: string, status: number][] = [
  [{}, {}, '127.0.0.1', 200],
  [{}, {}, '::1', 200],
  [{}, {}, '192.0.2.1', 401],
  [{}, https, '127.0.0.1', 401],
  [{}, { 'X-Forwarded-For': '127.0.0.1' }, '127.0.0.1', 401],
  [{}, { Forwarded: 'for=127.0.0.1;proto=https' }, '127.0.0.1', 401],
  [{}, https, '192.0.2.1', 401],
  [{ environment: 'local' }, {}, '192.0.2.1', 200],
  [{ environment: 'development' }, {}, '192.0.2.1', 401],
  [trusting, https, '127.0.0.1', 200],
  [trusting, https, '10.200.0.1', 200],
  [trusting, https, '::ffff:10.200.0.1', 200],
  [trusting, https, '2001:db8:ffff:1::5', 200],
  [trusting, https, '2001:db8:fffe::5', 401],
  [trusting, { 'X-Forwarded-Proto': 'http' }, '10.0.0.1', 401],
  [trusting, { 'X-Forwarded-Proto': 'https, http' }, '10.0.0.1', 401],
  [trusting, {}, '127.0.0.1', 200],
  [trusting, {}, '::ffff:127.0.0.1', 200],
  [trusting, {}, '10.0.0.1', 401],
  [trusting, { 'X-Forwarded-For': '127.0.0.1' }, '127.0.0.1', 401],
  [trusting, https, '11.0.0.1', 401],
]

const forwardedBy =
  'X-Forwarded X-Forwarded-Port X-Forwarded-Server X-Forwarded-Ssl Forwarded-For X-Original-For X-Original-Forwarded-For ' +
  'X-Client-IP X-Cluster-Client-IP True-Client-IP CF-Connecting-IP CF-Ray Fastly-Client-IP Front-End-Https X-Real-IP Via'
for (const options of [{}, trusting]) {
  for (const name of forwardedBy.split(' ')) basic.push([options, { [name]: '192.0.2.1' }, '127.0.0.1', 401])
  for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'Via', 'CF-Ray'])
    basic.push([options, { [name]: '' }, '127.0.0.1', 401])
  for (const name of ['X-Original-Method', 'X-Request-Id', 'CF-Other'])
    basic.push([options, { [name]: 'x' }, '127.0.0.1', 200])
}

for (const [options, headers, peer, status] of basic)
  test(`application password from ${peer}, ${JSON.stringify({ ...options, ...headers })}: ${status}`, async () => {
    const site = await siteWith(options)
    const request = new Request(`${site.rest}peer/v1/caller`, { headers: { ...headers, Authorization: site.basic } })
    const response = await site.service.fetch(request, { address: peer })
    assert.equal(response.status, status)
    const body = (await response.json()) as { code?: string; message?: string }
    if (status === 401) {
      assert.equal(body.code, 'application_passwords_disabled')
      assert.match(body.message ?? '', /plain HTTP: .* trusted_proxies and let it send X-Forwarded-Proto: https/)
    }
    if (peer !== '127.0.0.1') return
    const overSocket = await fetch(`${site.rest}peer/v1/caller`, { headers: { ...headers, Authorization: site.basic } })
    assert.equal(overSocket.status, status)
  })

test('a trusted proxy that does not say whether its clients use TLS is named in the log, once', async (t) => {
  const site = await startService([Peer], { trusted_proxies: ['127.0.0.1', '10.0.0.0/8'] })
  t.after(() => site.close())
  const named = () => site.log.filter(({ fields }) => fields['code'] === 'forwarded-scheme-missing')
  const forwarded = { 'X-Forwarded-For': '192.0.2.1' }
  const send = async (headers: Record<string, string>) => {
    assert.equal((await fetch(`${site.rest}peer/v1/caller`, { headers })).status, 200)
  }
  await send({})
  await send({ ...forwarded, ...https })
  await send({ ...forwarded, 'X-Forwarded-Proto': 'http' })
  const request = new Request(`${site.rest}peer/v1/caller`, { headers: forwarded })
  await site.service.fetch(request, { address: '192.0.2.9' })
  await site.service.fetch(request, { address: '10.0.0.1', secure: true })
  assert.deepEqual(named(), [])
  await send(forwarded)
  await send(forwarded)
  await site.service.fetch(request, { address: '10.0.0.1' })
  assert.deepEqual(named(), [
    {
      level: 'warn',
      message: 'a trusted proxy sends no X-Forwarded-Proto, so its requests count as plain HTTP',
      fields: { code: 'forwarded-scheme-missing', address: '127.0.0.1' },
    },
  ])
})

const callers: [options: BootOptions, peer: string, hops: string, address: string][] = [
  [{}, '192.0.2.1', '198.51.100.1', '192.0.2.1'],
  [trusting, '192.0.2.1', '198.51.100.1', '192.0.2.1'],
  [trusting, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [trusting, '10.0.0.1', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  [trusting, '10.0.0.1', '198.51.100.1, 10.0.0.2, 10.0.0.3', '198.51.100.1'],
  [trusting, '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  [trusting, '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  [trusting, '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  [trusting, '10.0.0.1', 'unknown', '10.0.0.1'],
  [trusting, '10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
  [trusting, '10.0.0.1', '6.6.6.6, unknown, 10.0.0.2', '10.0.0.2'],
  [trusting, '10.0.0.1', "<script>, ' OR 1=1", '10.0.0.1'],
]

for (const [options, peer, hops, address] of callers)
  test(`peer ${peer}, X-Forwarded-For: ${hops}, ${JSON.stringify(options)}: the caller is ${address}`, async () => {
    const site = await siteWith(options)
    const request = new Request(`${site.rest}peer/v1/caller`, { headers: { 'X-Forwarded-For': hops } })
    const response = await site.service.fetch(request, { address: peer })
    assert.equal(((await response.json()) as { address: string }).address, address)
  })

const cookies: [options: BootOptions, headers: Record<string, string>, secure: boolean][] = [
  [{}, {}, false],
  [{}, https, false],
  [trusting, {}, false],
  [trusting, https, true],
]

for (const [options, headers, secure] of cookies)
  test(`login cookies, ${JSON.stringify({ ...options, ...headers })}: ${secure ? 'Secure' : 'not Secure'}`, async () => {
    const site = await siteWith(options)
    const body = new URLSearchParams({ log: 'mia', pwd: 'right' })
    const response = await fetch(`${site.url}/wp-login.php`, { method: 'POST', body, headers, redirect: 'manual' })
    assert.equal(response.status, 302)
    const auth = response.headers.getSetCookie().filter((line) => /^wordpress_(sec_)?[0-9a-f]{32}=/.test(line))
    assert.ok(auth.length > 0)
    for (const line of auth) assert.equal(/;\s*secure/i.test(line), secure, line)
  })

for (const entry of ['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/-1', '2001:db8::/129', ''])
  test(`trusted_proxies: '${entry}' stops the start`, async () => {
    await assert.rejects(startService([Peer], { trusted_proxies: [entry] }), (error) => {
      assert.ok(error instanceof StartupError)
      assert.match(error.message, /trusted_proxies.*neither an IP address nor a range/s)
      return true
    })
  })
