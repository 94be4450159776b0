import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { skipWithoutServer } from '../../test/support/servers/missing-server.js'
import { sharedServer } from '../../test/support/servers/shared-server.js'
import { openTestStorage } from '../../test/support/test-database.js'
import type { AttemptRows } from '../database/attempt-rows.js'
import { DatabaseCounters } from './database-counters.js'
import { ProcessAttemptRows } from './process-attempt-rows.js'
import { rateLimits } from './rate-limits.js'
import { RedisCounters } from './redis-counters.js'
import { redisClient, type RedisClient } from './redis-driver.js'
import { countedAttempt, trustLifetime, type SharedCounters } from './shared-counters.js'

const storage = await openTestStorage()
after(() => storage.close())
let now = Date.UTC(2026, 0, 15)
const process = (maxRows?: number, rows: AttemptRows = storage.attempts) =>
  new DatabaseCounters(
    rows,
    () => now,
    (error) => {
      throw error
    },
    maxRows,
  )
const attempt = (account: string, address: string) => countedAttempt('logins', rateLimits.logins, account, address)
const fail = async (counters: SharedCounters, account: string, address: string): Promise<boolean> => {
  const { end } = await counters.begin(attempt(account, address))
  await end?.failed()
  return end !== null
}
/** The number of failures until an attempt has to wait. */
async function failuresUntilRefused(next: (count: number) => Promise<boolean>): Promise<number> {
  for (let count = 0; count < 1000; count += 1) if (!(await next(count))) return count
  return assert.fail('Nothing was refused.')
}

/** What holds wherever the counters are, of two processes. */
function contract(open: () => SharedCounters): void {
  let one: SharedCounters
  let other: SharedCounters
  before(() => {
    one = open()
    other = open()
  })

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

  test('a clock that is set back by six hours prolongs the wait by no more than what a counter holds', async () => {
    assert.equal(await failuresUntilRefused(() => fail(one, 'user clock', '192.0.2.77')), 10)
    now -= 6 * 3_600_000
    // How full the counters were is not known any more, so all of them count as full.
    const { waits } = await other.begin(attempt('user clock', '192.0.2.77'))
    assert.deepEqual(Object.fromEntries(waits), { pair: 30_000, network: 6_000, account: 10_000 })
    now += 30_000
    assert.equal(await failuresUntilRefused(() => fail(one, 'user clock', '192.0.2.77')), 1)
    now += 6 * 3_600_000
  })

  test('attempts in progress count, and those whose credentials were not checked do not', async () => {
    const begun = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).begin(attempt('user 3', '192.0.2.3'))),
    )
    assert.equal((await one.begin(attempt('user 3', '192.0.2.3'))).end, null)
    for (const { end } of begun) await end?.abandoned()
    assert.equal(await failuresUntilRefused(() => fail(other, 'user 3', '192.0.2.3')), 10)
  })

  test('of attempts at one moment, exactly as many begin as each limit allows, and the others take no place', async () => {
    const sources: readonly [
      allowed: number,
      source: (index: number) => readonly [account: string, address: string],
    ][] = [
      [10, () => ['user 201', '192.0.2.5']],
      [100, (index) => [`user ${index + 300}`, '192.0.2.6']],
      [100, (index) => ['user 202', `10.3.${index}.1`]],
    ]
    for (const [allowed, source] of sources) {
      const begun = await Promise.all(
        Array.from({ length: 120 }, (_, index) => (index % 2 ? one : other).begin(attempt(...source(index)))),
      )
      assert.equal(begun.filter(({ end }) => end !== null).length, allowed)
      const refused = begun.findIndex(({ end }) => end === null)
      for (const { end } of begun) await end?.abandoned()
      assert.equal(await failuresUntilRefused(() => fail(one, ...source(refused))), 10)
    }
  })

  test('a right password ends none of the wrong ones that begin while it is checked', async () => {
    const right = await one.begin(attempt('user 203', '192.0.2.8'))
    const wrong = await Promise.all(
      Array.from({ length: 9 }, (_, index) => (index % 2 ? one : other).begin(attempt('user 203', '192.0.2.8'))),
    )
    await right.end?.succeeded()
    for (const { end } of wrong) await end?.failed()
    assert.equal(await failuresUntilRefused(() => fail(one, 'user 203', '192.0.2.8')), 1)
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
}

describe('counters in a database', () => contract(() => process()))

const rowsOfProcess = new ProcessAttemptRows()
describe('counters of one process', () => contract(() => process(undefined, rowsOfProcess)))

describe('counters in Redis', { skip: skipWithoutServer('redis') }, () => {
  const clients: RedisClient[] = []
  /** Others may use the same server. */
  const prefix = `test_${randomBytes(8).toString('hex')}_`
  before(async () => {
    const url = await sharedServer('redis')
    for (let count = 0; count < 2; count += 1) clients.push(await redisClient(url))
    await Promise.all(clients.map((client) => client.connect()))
  })
  after(() => {
    for (const client of clients) client.disconnect()
  })
  let opened = 0
  contract(() => {
    const client = clients[(opened += 1) % 2]
    if (client === undefined) throw new Error('Redis is not there.')
    return new RedisCounters(client, prefix, () => now)
  })

  test('keys expire with what they count, and hold no name and no address', async () => {
    const counters = new RedisCounters(clients[0] as RedisClient, `${prefix}keys_`, null)
    assert.equal(await fail(counters, 'user 9', '192.0.2.9'), true)
    const lines = (await clients[0]?.eval(
      "local lines = {} for _, key in ipairs(redis.call('KEYS', ARGV[1])) do lines[#lines + 1] = key .. ' ' .. redis.call('PTTL', key) end return lines",
      0,
      `*${prefix}keys_*`,
    )) as string[]
    assert.equal(lines.length, 3)
    for (const line of lines) {
      const [, expiresIn] = /^\{as-rest-route:test_\w+_keys_\}:[\w-]{43} (\d+)$/.exec(line) ?? assert.fail(line)
      assert.ok(Number(expiresIn) > 0 && Number(expiresIn) <= 30_000, line)
    }
  })
})

test('rows are bounded; when failures displace others, they count against the wider network', async () => {
  const small = process(100)
  const countOf = async () => {
    const names = Array.from({ length: 2000 }, (_, index) => attempt(`user ${index + 100}`, addressOf(index)))
    const { rows } = await storage.attempts.read(names.map(({ counters }) => counters[0]?.name ?? ''))
    return rows.size
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

test('a request whose room others take each time is refused after a few looks', async () => {
  let reads = 0
  class Contended extends ProcessAttemptRows {
    override read(names: readonly string[]) {
      reads += 1
      return super.read(names)
    }
    override raiseWithin(): Promise<boolean> {
      return Promise.resolve(false)
    }
  }
  const counter = { name: 'often', kind: 'requests', milliseconds: 1, capacity: 100 }
  assert.deepEqual(await process(10, new Contended()).count(counter), { isAllowed: false, left: 100 })
  assert.ok(reads < 10, `${reads}`)
})
