import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BootOptions } from '../../src/app/options.js'
import { EchoApi } from '../support/echo-api.js'
import { startService } from '../support/start-service.js'
import { openTestStorage, sharedDatabase } from '../support/test-database.js'

/** A service on a database in which somebody has set these options. */
async function startOn(options: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'stored-site-'))
  const database = await sharedDatabase(join(folder, 'site.sqlite'))
  const storage = await openTestStorage(database)
  for (const [name, value] of Object.entries(options)) await storage.options.write(name, value)
  await storage.close()
  const site = await startService([EchoApi], { database })
  return {
    ...site,
    async close() {
      await site.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

test('an invalid stored address is logged and ignored', async (context) => {
  const site = await startOn({ home: 'shop.example/blog', siteurl: 'shop.example/blog' })
  context.after(() => site.close())
  for (const path of ['/wp-json/', '/wp-json/test/v1/echo', '/', '/readyz'])
    assert.equal((await fetch(`${site.url}${path}`)).status, 200, path)
  const { home } = (await (await fetch(site.rest)).json()) as { home: string }
  assert.equal(home, site.url)
  assert.deepEqual(
    site.log.map(({ level, fields }) => [level, fields]),
    [
      ['warn', { code: 'site-address-invalid', home: 'shop.example/blog' }],
      ['warn', { code: 'site-address-invalid', siteurl: 'shop.example/blog' }],
    ],
  )
})

test('the index says what the site shows on its front', async (context) => {
  const site = await startOn({ show_on_front: 'page', page_on_front: '7', page_for_posts: '9' })
  context.after(() => site.close())
  const { show_on_front, page_on_front, page_for_posts } = (await (await fetch(site.rest)).json()) as Record<
    string,
    unknown
  >
  assert.deepEqual(
    { show_on_front, page_on_front, page_for_posts },
    {
      show_on_front: 'page',
      page_on_front: 7,
      page_for_posts: 9,
    },
  )
})

const addresses: [home: string, options: BootOptions, isWarned: boolean][] = [
  ['http://shop.example', {}, true],
  ['http://shop.example', { environment: 'development' }, false],
  ['https://shop.example', { trusted_proxies: ['127.0.0.1'] }, false],
  ['http://127.0.0.1:8000', {}, false],
  ['http://localhost', {}, false],
]
for (const [home, options, isWarned] of addresses)
  test(`the start ${isWarned ? 'warns' : 'does not warn'} of the address ${home} with ${JSON.stringify(options)}`, async (context) => {
    const site = await startService([EchoApi], { environment: 'production', base_url: home, ...options })
    context.after(() => site.close())
    const warnings = site.log.filter(({ fields }) => fields['code'] === 'site-address-not-https')
    assert.deepEqual(
      warnings.map(({ fields }) => fields['home']),
      isWarned ? [home] : [],
    )
  })

for (const [host, isWarned] of [
  ['0.0.0.0', true],
  ['127.0.0.1', false],
] as const)
  test(`a service without an address that listens on ${host} ${isWarned ? 'warns' : 'does not warn'} that cookies are sent without TLS`, async (context) => {
    const site = await startService([EchoApi], { environment: 'production' })
    context.after(() => site.close())
    await site.service.listen({ port: 0, host })
    const codes = site.log.map(({ fields }) => fields['code'])
    assert.equal(codes.includes('site-address-not-https'), isWarned)
  })

test('the start warns of a trusted proxy without an address', async (context) => {
  const site = await startService([EchoApi], { environment: 'production', trusted_proxies: ['127.0.0.1'] })
  context.after(() => site.close())
  assert.ok(site.log.some(({ fields }) => fields['code'] === 'site-address-not-https'))
})
