import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { AsRestRoute, currentUserCan, inject, RecordStore, type BootOptions } from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { ways } from '../support/three-ways.js'
import { until } from '../support/until.js'

class Printer {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'printer/v1', route: '/burns', permission: 'public' })
  print(): never {
    throw new Error('the printer burns')
  }

  @AsRestRoute({ namespace: 'printer/v1', route: '/pages', permission: 'public' })
  pages() {
    return { pages: [1, Number.NaN] }
  }

  @AsRestRoute({ namespace: 'printer/v1', route: '/jams', permission: 'public' })
  jams(): never {
    // oxlint-disable-next-line no-throw-literal -- this is what the test is about
    throw 'paper jam'
  }

  @AsRestRoute({ namespace: 'printer/v1', route: '/dated', permission: 'public' })
  async dated() {
    const { id } = await this.records.insert({ type: 'post', title: 'Paper', meta: { printed: new Date(0) } })
    return { id }
  }
}

const forwarded = { headers: { 'X-Forwarded-For': '192.0.2.1' } }

for (const { name, open } of ways)
  test(`a developer on this machine is told what failed and where (${name})`, async (t) => {
    const messageOf = async (path: string, options: BootOptions, init: RequestInit = {}): Promise<string> => {
      const { send } = await open(t, [Printer], options)
      const response = await send(`/printer/v1/${path}`, init)
      assert.equal(response.status, 500)
      return ((await response.json()) as { message: string }).message
    }
    const development = { environment: 'development' } as const
    assert.match(
      await messageOf('burns', development),
      /^the printer burns \(test\/socket\/development\.test\.ts:\d+\)$/,
    )
    assert.match(await messageOf('pages', development), /^Printer\.pages: the body holds NaN at \.pages\[1\]\./)
    assert.match(await messageOf('dated', development), /metadata value of printed is a Date\. Store text: toISOString/)
    assert.equal(await messageOf('jams', development), "'paper jam' was thrown, which is no Error: throw new Error(…).")
    // A proxy on this machine sends requests of others.
    assert.match(await messageOf('burns', development, forwarded), /critical error/)
    assert.match(
      await messageOf('burns', { ...development, trusted_proxies: ['127.0.0.1'] }, forwarded),
      /critical error/,
    )
    for (const environment of ['local', 'staging', 'production'] as const) {
      assert.match(await messageOf('burns', { environment }), /critical error/)
      assert.equal(await messageOf('pages', { environment }), 'Inf and NaN cannot be JSON encoded')
    }
  })

test('a developer on another machine is told nothing', async (t) => {
  const { site } = (await ways[0]?.open(t, [Printer], { environment: 'development' })) ?? assert.fail()
  const messageFor = async (response: Promise<Response>): Promise<string> =>
    ((await (await response).json()) as { message: string }).message
  const request = () => new Request(`${site.rest}printer/v1/burns`)
  assert.match(await messageFor(site.service.fetch(request(), { address: '::1' })), /^the printer burns/)
  assert.match(await messageFor(site.service.fetch(request(), { address: '192.0.2.1' })), /critical error/)
  const { port } = new URL((await site.service.listen({ port: 0, host: '0.0.0.0' })).url)
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  // A client that connects to such an address has it as its own, which is none of the loopback addresses.
  for (const { address } of addresses.filter(({ internal, family }) => !internal && family === 'IPv4'))
    assert.match(await messageFor(fetch(`http://${address}:${port}/wp-json/printer/v1/burns`)), /critical error/)
})

test('an option with a capability that no role grants is a warning with the nearest name', async (t) => {
  const [way] = ways
  assert.ok(way)
  const warningsFor = async (options: BootOptions) => {
    const { site } = await way.open(t, [Printer], options)
    return site.log.filter(({ fields }) => fields['code'] === 'capability-unknown').map(({ fields }) => fields)
  }
  const capability = 'print_pages'
  assert.deepEqual(await warningsFor({ rest_default_capability: 'edit_postz' }), [
    { code: 'capability-unknown', option: 'rest_default_capability', capability: 'edit_postz', nearest: 'edit_posts' },
  ])
  const readBy = (permission: string | null) => warningsFor({ uploads: { folder: 'uploads', permission } })
  assert.deepEqual(await readBy('edit_postz'), [
    { code: 'capability-unknown', option: 'uploads.permission', capability: 'edit_postz', nearest: 'edit_posts' },
  ])
  for (const permission of ['public', 'edit_posts', null]) assert.deepEqual(await readBy(permission), [])
  assert.equal((await warningsFor({ rest_default_capability: capability })).length, 1)
  const roles = { printer: { capabilities: [capability] } }
  assert.deepEqual(await warningsFor({ rest_default_capability: capability, roles }), [])
  for (const capability of ['edit_posts', null])
    assert.deepEqual(await warningsFor({ rest_default_capability: capability }), [])
})

class Presses {
  @AsRestRoute({ namespace: 'presses/v1', route: '/checks', permission: 'public' })
  async check() {
    const names = ['mange_options', 'manage_options', 'print_pages', 'editor', 'level_3', 'edit_books', 'manage_links']
    const allowed = names.filter((name) => currentUserCan(name))
    return { allowed, over: [await currentUserCan('edit_pots', 1), await currentUserCan('edit_book', 1)] }
  }
}

test('a handler that checks an unknown capability is told so in development, once', async () => {
  const warningsIn = async (environment: 'development' | 'production', role: 'subscriber' | 'administrator') => {
    const tested = await startTestService([Presses], {
      environment,
      roles: { printer: { capabilities: ['print_pages'] } },
      record_types: { book: { capability_type: 'book' } },
    })
    const lines = () => tested.logLines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)
    try {
      for (let times = 0; times < 3; times += 1)
        assert.equal((await tested.as(role).get('/presses/v1/checks')).status, 200)
      await until(() => environment === 'production' || lines().length >= 2)
      return lines()
    } finally {
      await tested.close()
    }
  }
  const place = /^test\/socket\/development\.test\.ts:\d+$/
  for (const role of ['subscriber', 'administrator'] as const) {
    const lines = await warningsIn('development', role)
    assert.deepEqual(
      lines.map(({ code, capability, nearest }) => [code, capability, nearest]),
      [
        ['checked-capability-unknown', 'mange_options', 'manage_options'],
        ['checked-capability-unknown', 'edit_pots', 'edit_post'],
      ],
    )
    for (const line of lines) assert.match(String(line['place']), place)
  }
  assert.deepEqual(await warningsIn('production', 'subscriber'), [])
})
