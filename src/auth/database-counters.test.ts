import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestStorage } from '../../test/support/test-database.js'
import { DatabaseCounters } from './database-counters.js'
import { rateLimits } from './rate-limits.js'
import { countedAttempt, trustLifetime } from './shared-counters.js'

const storage = await openTestStorage()
const { attempts: rows } = storage
assert.ok(rows)
after(() => storage.close())
let now = Date.UTC(2026, 0, 15)
const process = (maxRows?: number) =>
  new DatabaseCounters(
    rows,
    () => now,
    (error) => {
      throw error
    },
    maxRows,
  )
const one = process()
const other = process()
const attempt = (account: string, address: string) => countedAttempt('logins', rateLimits.logins, account, address)
const fail = async (counters: DatabaseCounters, account: string, address: string): Promise<boolean> => {
  const { end } = await counters.begin(attempt(account, address))
  await end?.failed()
  return end !== null
}
/** The number of failures until an attempt has to wait. */
async function failuresUntilRefused(next: (count: number) => Promise<boolean>): Promise<number> {
  for (let count = 0; count < 1000; count += 1) if (!(await next(count))) return count
  return assert.fail('Nothing was refused.')
}

test('the limits are those of one process, and time gives the next attempts', async () => {
  const next = (count: number) => fail(count % 2 === 0 ? one : other, 'user 1', '192.0.2.1')
  assert.equal(await failuresUntilRefused(next), 10)
  const { waits, end } = await one.begin(attempt('user 1', '192.0.2.1'))
  assert.equal(end, null)
  assert.deepEqual([...waits], [['pair', 30_000]])
  now += 30_000
  assert.equal(await failuresUntilRefused(next), 1)
  assert.equal(await failuresUntilRefused((count) => fail(one, `user ${count}`, '192.0.2.2')), 100)
  assert.equal(await failuresUntilRefused((count) => fail(one, 'user 2', `10.1.${count}.1`)), 99)
})

test('attempts in progress count, and those whose credentials were not checked do not', async () => {
  const begun = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).begin(attempt('user 3', '192.0.2.3'))),
  )
  assert.equal((await one.begin(attempt('user 3', '192.0.2.3'))).end, null)
  for (const { end } of begun) await end?.abandoned()
  assert.equal(await failuresUntilRefused(() => fail(other, 'user 3', '192.0.2.3')), 10)
})

test('a right password trusts its network for a month, and the latest eight networks of an account', async () => {
  const succeed = async (address: string) => (await one.begin(attempt('user 4', address))).end?.succeeded()
  const isTrusted = async (address: string) => {
    const { isTrusted: result, end } = await other.begin(attempt('user 4', address))
    await end?.abandoned()
    return result
  }
  for (let network = 1; network <= 9; network += 1) await succeed(`198.51.100.${network}`)
  assert.equal(await isTrusted('198.51.100.1'), false)
  assert.equal(await isTrusted('198.51.100.2'), true)
  assert.equal(await isTrusted('198.51.100.9'), true)
  await failuresUntilRefused((count) => fail(one, 'user 4', `10.2.${count}.1`))
  assert.equal((await other.begin(attempt('user 4', '198.51.100.1'))).end, null)
  assert.equal(await fail(other, 'user 4', '198.51.100.9'), true)
  now += trustLifetime / 2
  await succeed('198.51.100.9')
  now += trustLifetime - 1
  assert.equal(await isTrusted('198.51.100.9'), true)
})

test('rows are bounded; when failures displace others, they count against the wider network', async () => {
  const small = process(100)
  const countOf = async () => {
    const names = Array.from({ length: 2000 }, (_, index) => attempt(`user ${index + 100}`, addressOf(index)))
    const { rows: found } = await rows.read(names.map(({ counters }) => counters[0]?.name ?? ''))
    return found.size
  }
  const addressOf = (index: number) => `${20 + (index % 200)}.${index >> 8}.1.1`
  for (let index = 0; index < 1300; index += 1)
    assert.equal(await fail(small, `user ${index + 100}`, addressOf(index)), true)
  // The sweep is in the background.
  await storage.ping()
  // Those of the last sweep, and what came after it.
  assert.ok((await countOf()) <= 450, `${await countOf()} rows`)
  // Not so many that the rows of the wider networks are swept as well.
  const prefixFailures = (index: number) => fail(small, `user ${index + 5000}`, `10.9.${index}.1`)
  assert.equal(await failuresUntilRefused(prefixFailures), 100)
})
