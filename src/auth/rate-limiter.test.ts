import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { networkOf } from './network.js'
import { signInLimits, RateLimiter, type Attempt, type LockOut, type RateLimits } from './rate-limiter.js'

const limits: RateLimits = {
  pair: { failures: 3, secondsEach: 30 },
  network: { failures: 6, secondsEach: 10 },
  account: { failures: 9, secondsEach: 5 },
}

function throttleAt() {
  const time = { now: 1_000_000 }
  const throttle = new RateLimiter(limits, () => time.now)
  const fail = (account: string, address: string, times = 1) => {
    for (let count = 0; count < times; count += 1) throttle.begin(account, address)
  }
  const waitOf = (account: string, address: string) => {
    const attempt = throttle.begin(account, address)
    if (typeof attempt === 'number') return attempt
    attempt.abandoned()
    return 0
  }
  const succeed = (account: string, address: string) => (throttle.begin(account, address) as Attempt).succeeded()
  return { time, throttle, fail, waitOf, succeed }
}

test('a few mistakes cost nothing, then one more is allowed each so many seconds', () => {
  const { time, fail, waitOf } = throttleAt()
  fail('user 1', '192.0.2.1', 2)
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
  fail('user 1', '192.0.2.1')
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
  time.now += 29_000
  assert.equal(waitOf('user 1', '192.0.2.1'), 1)
  time.now += 1000
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
})

test('attempts under way count, so that many at once gain nothing', () => {
  const { throttle } = throttleAt()
  const begun = Array.from({ length: 100 }, () => throttle.begin('user 1', '192.0.2.1'))
  assert.equal(begun.filter((attempt) => typeof attempt !== 'number').length, 3)
})

test('a refused attempt does not prolong the wait', () => {
  const { fail, waitOf } = throttleAt()
  fail('user 1', '192.0.2.1', 50)
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

test('refused attempts at made-up accounts make nobody forget the counters of a real one', () => {
  const { fail, waitOf } = throttleAt()
  fail('user 1', '192.0.2.1', 3)
  fail('user 2', '192.0.2.1', 3)
  for (let made = 0; made < 25_000; made += 1) fail(`made up ${made}`, '192.0.2.1')
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

/** From each address as often as it is let through, every ten seconds, between floods of attempts at made-up accounts. */
function guessesInADay(addresses: readonly string[]): number {
  const time = { now: 1_000_000 }
  const throttle = new RateLimiter(signInLimits, () => time.now)
  let guesses = 0
  for (let turn = 0; turn < 8640; turn += 1, time.now += 10_000) {
    for (const address of addresses) while (typeof throttle.begin('user 1', address) !== 'number') guesses += 1
    const size = turn % 2000 === 0 ? 25_000 : 0
    for (let made = 0; made < size; made += 1)
      throttle.begin(`made up ${made}`, addresses[made % addresses.length] ?? '')
  }
  return guesses
}

test('an account takes so many guesses on the first day as the limits say', () => {
  assert.equal(guessesInADay(['192.0.2.1']), 2889)
  assert.equal(guessesInADay(Array.from({ length: 50 }, (_, host) => `192.0.2.${host}`)), 8739)
})

test('a lock-out is told once, and again after its counter was empty', () => {
  const time = { now: 1_000_000 }
  const told: LockOut[] = []
  const throttle = new RateLimiter(
    limits,
    () => time.now,
    (lockOut) => told.push(lockOut),
  )
  const fail = (times: number) => {
    for (let count = 0; count < times; count += 1) throttle.begin('user 1', '192.0.2.1', 'mia')
  }
  fail(10)
  const first: LockOut = { limit: 'pair', network: '192.0.2.1', login: 'mia', wait: 30 }
  assert.deepEqual(told, [first])
  // Who goes on as fast as he may stays locked out.
  for (let count = 0; count < 5; count += 1) {
    time.now += 30_000
    fail(2)
  }
  assert.deepEqual(told, [first])
  time.now += 90_000
  fail(10)
  assert.deepEqual(told, [first, first])
})

test('success forgives the mistakes of this account from here', () => {
  const { fail, succeed, waitOf } = throttleAt()
  fail('user 1', '192.0.2.1', 2)
  succeed('user 1', '192.0.2.1')
  fail('user 1', '192.0.2.1', 2)
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
})

test('guessing at many accounts from one network is slowed down too', () => {
  const { fail, waitOf } = throttleAt()
  for (let account = 1; account <= 6; account += 1) fail(`user ${account}`, '192.0.2.1')
  assert.equal(waitOf('user 7', '192.0.2.1'), 10)
  assert.equal(waitOf('user 7', '192.0.2.2'), 0)
})

test('whoever fails elsewhere locks nobody out, and strangers together only other strangers', () => {
  const { fail, succeed, waitOf } = throttleAt()
  succeed('user 1', '198.51.100.7')
  fail('user 1', '192.0.2.1', 100)
  assert.equal(waitOf('user 1', '203.0.113.5'), 0)
  for (let host = 2; host < 20; host += 1) fail('user 1', `192.0.2.${host}`, 3)
  assert.ok(waitOf('user 1', '203.0.113.5') > 0)
  assert.equal(waitOf('user 1', '198.51.100.7'), 0)
})

const networks: [address: string, network: string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:0000::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
]
for (const [address, network] of networks)
  test(`the address ${address || '(none)'} counts as ${network || '(none)'}`, () =>
    assert.equal(networkOf(address), network))

test('any text at all counts as something short', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4()), (address) => networkOf(address).length <= 70))
})
