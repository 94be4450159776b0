import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { cachedService } from './cached-service.js'
import { withoutResponseCache } from '../support/response-cache.js'

const hours = 3_600_000

/** A service on a machine whose wall clock and running time the test sets. It has no option `clock`. */
async function machine(context: TestContext) {
  const wall = { now: Date.parse('2026-05-01T12:00:00Z') }
  const running = { now: 1_000_000 }
  context.mock.method(Date, 'now', () => wall.now)
  context.mock.method(performance, 'now', () => running.now)
  const site = await cachedService()
  context.after(() => site.close())
  return { site, wall, running }
}

for (const jump of [-6 * hours, 6 * hours])
  test(
    `a cached response is as old as it is after the clock was set ${jump / hours} hours`,
    { skip: withoutResponseCache },
    async (context) => {
      const { site, wall, running } = await machine(context)
      const runsAfter = async (milliseconds: number) => {
        running.now += milliseconds
        await site.read('named/x')
        return site.runs.of('named')
      }
      assert.equal(await runsAfter(0), 1)
      wall.now += jump
      assert.equal(await runsAfter(59_999), 1)
      assert.equal(await runsAfter(1), 2)
      assert.equal(await runsAfter(59_999), 2)
    },
  )

test('a locked account waits no longer after the clock was set back 6 hours', async (context) => {
  const { site, wall, running } = await machine(context)
  await site.service.users.create({ login: 'ada', email: 'ada@shop.example', password: 'right' })
  const logIn = async (pwd: string) => {
    const body = new URLSearchParams({ log: 'ada', pwd })
    const headers = { Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' }
    const response = await fetch(`${site.url}/wp-login.php`, { method: 'POST', body, headers, redirect: 'manual' })
    await response.text()
    return response.status
  }
  for (let attempt = 0; attempt < 10; attempt += 1) await logIn('wrong')
  assert.equal(await logIn('right'), 429)
  wall.now -= 6 * hours
  running.now += 29_000
  assert.equal(await logIn('right'), 429)
  running.now += 1001
  assert.equal(await logIn('right'), 302)
})
