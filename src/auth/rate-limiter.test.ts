import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { networkOf, prefixOf, siteOf } from './network.js'
import type { Attempt, LockOut } from './attempt-limiter.js'
import { RateLimiter } from './rate-limiter.js'
import { signInLimits, type RateLimits } from './rate-limits.js'

const limits: RateLimits = {
  pair: { failures: 3, secondsEach: 30 },
  network: { failures: 6, secondsEach: 10 },
  account: { failures: 9, secondsEach: 5 },
}

/** An attempt with wrong credentials. @returns whether the limiter has allowed it. */
function fails(limiter: RateLimiter, account: string, address: string, login?: string): boolean {
  const attempt = limiter.begin(account, address, login)
  if (typeof attempt !== 'number') attempt.failed()
  return typeof attempt !== 'number'
}

function limiterWithClock(ofLimiter = limits) {
  const time = { now: 1_000_000 }
  const limiter = new RateLimiter(ofLimiter, () => time.now)
  const fail = (account: string, address: string, times = 1) => {
    for (let count = 0; count < times; count += 1) fails(limiter, account, address)
  }
  const waitOf = (account: string, address: string) => {
    const attempt = limiter.begin(account, address)
    if (typeof attempt === 'number') return attempt
    attempt.abandoned()
    return 0
  }
  const succeed = (account: string, address: string) => (limiter.begin(account, address) as Attempt).succeeded()
  return { time, limiter, fail, waitOf, succeed }
}

test('a few failures are free, then each further attempt needs a wait', () => {
  const { time, fail, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 2)
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
  fail('user 1', '192.0.2.1')
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
  time.now += 29_000
  assert.equal(waitOf('user 1', '192.0.2.1'), 1)
  time.now += 1000
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
})

test('concurrent attempts count before they have failed', () => {
  const { limiter } = limiterWithClock()
  const attempts = Array.from({ length: 100 }, () => limiter.begin('user 1', '192.0.2.1'))
  assert.equal(attempts.filter((attempt) => typeof attempt !== 'number').length, 3)
})

test('a refused attempt does not prolong the wait', () => {
  const { fail, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 50)
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

test('refused attempts at many unknown accounts do not displace the counters of other accounts', () => {
  const { fail, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 3)
  fail('user 2', '192.0.2.1', 3)
  for (let count = 0; count < 25_000; count += 1) fail(`unknown ${count}`, '192.0.2.1')
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

/**
 * The number of allowed attempts at one account in a day. Each address tries as often as possible every ten seconds.
 * From time to time there are many attempts at unknown accounts.
 */
function guessesInADay(addresses: readonly string[]): number {
  const time = { now: 1_000_000 }
  const limiter = new RateLimiter(signInLimits, () => time.now)
  let guesses = 0
  for (let turn = 0; turn < 8640; turn += 1, time.now += 10_000) {
    for (const address of addresses) while (fails(limiter, 'user 1', address)) guesses += 1
    const size = turn % 2000 === 0 ? 25_000 : 0
    for (let count = 0; count < size; count += 1)
      fails(limiter, `unknown ${count}`, addresses[count % addresses.length] ?? '')
  }
  return guesses
}

test('the limits allow 2889 attempts at one account from one network on the first day, and 8739 from fifty networks', () => {
  assert.equal(guessesInADay(['192.0.2.1']), 2889)
  assert.equal(guessesInADay(Array.from({ length: 50 }, (_, host) => `192.0.2.${host}`)), 8739)
})

test('a lock-out is reported once, and again after its counter was empty', () => {
  const time = { now: 1_000_000 }
  const lockOuts: LockOut[] = []
  const limiter = new RateLimiter(
    limits,
    () => time.now,
    (lockOut) => lockOuts.push(lockOut),
  )
  const fail = (times: number) => {
    for (let count = 0; count < times; count += 1) fails(limiter, 'user 1', '192.0.2.1', 'mia')
  }
  fail(10)
  const first: LockOut = { limit: 'pair', network: '192.0.2.1', login: 'mia', wait: 30 }
  assert.deepEqual(lockOuts, [first])
  // A client that makes an attempt as soon as it is allowed never empties the counter.
  for (let count = 0; count < 5; count += 1) {
    time.now += 30_000
    fail(2)
  }
  assert.deepEqual(lockOuts, [first])
  time.now += 90_000
  fail(10)
  assert.deepEqual(lockOuts, [first, first])
})

test('after a successful login, earlier failures at the account from the network do not count', () => {
  const { fail, succeed, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 2)
  succeed('user 1', '192.0.2.1')
  fail('user 1', '192.0.2.1', 2)
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
})

test('attempts at many accounts from one network are limited too', () => {
  const { fail, waitOf } = limiterWithClock()
  for (let account = 1; account <= 6; account += 1) fail(`user ${account}`, '192.0.2.1')
  assert.equal(waitOf('user 7', '192.0.2.1'), 10)
  assert.equal(waitOf('user 7', '192.0.2.2'), 0)
})

test('failures in other networks delay only networks that have never logged in to the account', () => {
  const { fail, succeed, waitOf } = limiterWithClock()
  succeed('user 1', '198.51.100.7')
  fail('user 1', '192.0.2.1', 100)
  assert.equal(waitOf('user 1', '203.0.113.5'), 0)
  for (let host = 2; host < 20; host += 1) fail('user 1', `192.0.2.${host}`, 3)
  assert.ok(waitOf('user 1', '203.0.113.5') > 0)
  assert.equal(waitOf('user 1', '198.51.100.7'), 0)
})

test('abandoned attempts at many accounts do not displace the counters of other accounts', () => {
  const { fail, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 3)
  for (let count = 0; count < 25_000; count += 1) waitOf(`unknown ${count}`, '192.0.2.1')
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

test('an abandoned attempt does not change the wait', () => {
  const { limiter, fail, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 2)
  const attempt = limiter.begin('user 1', '192.0.2.1') as Attempt
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
  attempt.abandoned()
  assert.equal(waitOf('user 1', '192.0.2.1'), 0)
})

test('an attempt has one end', () => {
  const { limiter, waitOf } = limiterWithClock()
  for (let count = 0; count < 3; count += 1) {
    const attempt = limiter.begin('user 1', '192.0.2.1') as Attempt
    attempt.failed()
    attempt.abandoned()
    attempt.succeeded()
  }
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

test('logins of one account do not displace the trusted networks of other accounts', () => {
  const { fail, succeed, waitOf } = limiterWithClock()
  succeed('user 1', '198.51.100.7')
  for (let count = 0; count < 25_000; count += 1)
    succeed('user 2', `10.${count >> 14}.${(count >> 7) & 127}.${count & 127}`)
  for (let host = 1; host < 20; host += 1) fail('user 1', `192.0.2.${host}`, 3)
  assert.ok(waitOf('user 1', '203.0.113.5') > 0)
  assert.equal(waitOf('user 1', '198.51.100.7'), 0)
})

test('the last eight networks of an account are trusted', () => {
  const { fail, succeed, waitOf } = limiterWithClock()
  for (let host = 1; host <= 8; host += 1) succeed('user 1', `198.51.100.${host}`)
  succeed('user 1', '198.51.100.1')
  succeed('user 1', '198.51.100.9')
  for (let host = 1; host < 20; host += 1) fail('user 1', `192.0.2.${host}`, 3)
  const trusted = Array.from({ length: 9 }, (_, index) => index + 1).filter(
    (host) => waitOf('user 1', `198.51.100.${host}`) === 0,
  )
  assert.deepEqual(trusted, [1, 3, 4, 5, 6, 7, 8, 9])
})

test('more failures than the limiter remembers do not displace a counter that refuses attempts', () => {
  const { fail, waitOf } = limiterWithClock()
  fail('user 1', '192.0.2.1', 3)
  for (let index = 0; index < 40_000; index += 1) fail(`unknown ${index}`, `10.${index % 250}.${(index >> 8) % 250}.1`)
  assert.equal(waitOf('user 1', '192.0.2.1'), 30)
})

test('a provider whose networks displace more than the failures of one network has to wait, and others do not', () => {
  const { time, fail, succeed, waitOf } = limiterWithClock()
  succeed('user 1', '2001:db8:ffff::1')
  // 20,000 counters are full, and six more failures are forgotten.
  for (let index = 0; index < 20_006; index += 1) fail(`unknown ${index}`, `2001:db8:${(index >> 2).toString(16)}::1`)
  assert.equal(waitOf('user 1', '2001:db8:fffe::1'), 10)
  assert.equal(waitOf('user 1', '2001:db8:ffff::1'), 0)
  assert.equal(waitOf('user 1', '2001:db9::1'), 0)
  time.now += 10_000
  assert.equal(waitOf('user 1', '2001:db8:fffe::1'), 0)
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
  test(`the network of the address ${address || '(none)'} is ${network || '(none)'}`, () =>
    assert.equal(networkOf(address), network))

const widerNetworks: [network: string, site: string, prefix: string][] = [
  ['192.0.2.1', '192.0.2.1', '192.0.0.0/16'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48', '2001:db8::/32'],
  ['0:0:0:0::/64', '0:0:0::/48', '0:0::/32'],
  ['', '', ''],
  ['unix', 'unix', ''],
]
for (const [network, site, prefix] of widerNetworks)
  test(`the wider networks of ${network || '(none)'} are ${site || '(none)'} and ${prefix || '(none)'}`, () =>
    assert.deepEqual([siteOf(network), prefixOf(network)], [site, prefix]))

test('the network of any text is short', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4()), (address) => networkOf(address).length <= 70))
})
