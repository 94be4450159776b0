import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from '../../src/app/boot.js'
import { inspect } from '../../src/app/plan.js'
import type { Service } from '../../src/app/service.js'
import { EchoApi } from '../support/echo-api.js'
import { temporaryDatabase } from '../support/test-database.js'

const errors: string[] = []
const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => errors.push(message) }
let service: Service

before(async () => {
  const plan = await inspect([EchoApi], { database: await temporaryDatabase(), secrets: {}, log })
  service = await start(plan)
  await plan.content.storage.close()
})
// The database is closed already, which some drivers complain about.
after(() => service.close().catch(() => {}))

const pages: [path: string, init?: RequestInit][] = [
  ['/'],
  ['/some/page/'],
  ['/?p=1'],
  ['/wp-login.php', { method: 'POST', body: new URLSearchParams({ log: 'ada', pwd: 'secret' }) }],
]
for (const [path, init] of pages)
  test(`${path} without a database asks to come back later`, async () => {
    errors.length = 0
    const response = await service.fetch(new Request(`http://x${path}`, init))
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '10')
    assert.match(response.headers.get('cache-control') ?? '', /no-store/)
    assert.match(response.headers.get('x-request-id') ?? '', /./)
    assert.match(await response.text(), /<h1>Not available at the moment<\/h1>/)
    assert.deepEqual(errors, ['a page failed'])
  })

test('a page that needs no database is shown all the same', async () => {
  assert.equal((await service.fetch(new Request('http://x/wp-login.php'))).status, 200)
})
