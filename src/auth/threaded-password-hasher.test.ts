import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { failuresIn } from '../../conformance/replay/failures.js'
import { HasherBusyError, needsRehash } from './password-hash.js'
import { ThreadedPasswordHasher } from './threaded-password-hasher.js'

const hasher = new ThreadedPasswordHasher({ threads: 2, maxWaiting: 1000 })
after(() => hasher.close())

test('the recorded passwords in auth-passwords match the same hashes as in WordPress', async () =>
  assert.deepEqual(await failuresIn('auth-passwords'), []))

const passwords = ['correct horse', 'pä$$wörd', '密码', '😀😀', 'x'.repeat(200), 'nul\0byte']
for (const password of passwords)
  test(`only the password ${JSON.stringify(password.slice(0, 20))} matches its new hash`, async () => {
    const hash = await hasher.hash(` ${password}\n`)
    assert.match(hash, /^\$wp\$2y\$10\$.{53}$/)
    assert.equal(needsRehash(hash), false)
    assert.equal(await hasher.verify(password, hash), true)
    assert.equal(await hasher.verify(`${password}x`, hash), false)
    assert.equal(await hasher.verify(` ${password}`, hash), false)
  })

test('a hash with a higher cost than new hashes needs no rehash, one with a lower cost does', () => {
  assert.equal(needsRehash(`$wp$2y$12$${'a'.repeat(53)}`), false)
  assert.equal(needsRehash(`$wp$2y$09$${'a'.repeat(53)}`), true)
})

test('a password of more than 4096 bytes gets a hash that no password matches', async () => {
  const hash = await hasher.hash('é'.repeat(2049))
  assert.equal(hash, '*')
  assert.equal(await hasher.verify('é'.repeat(2049), hash), false)
})

test('the event loop of the main thread runs before all of several hashes are computed', async () => {
  const hashes = Promise.all(Array.from({ length: 8 }, () => hasher.hash('correct horse')))
  assert.equal(await Promise.race([hashes.then(() => 'hashes'), nextTurn('event loop')]), 'event loop')
  await hashes
})

test('a network does not keep others waiting', async () => {
  const small = new ThreadedPasswordHasher({ threads: 1, maxWaiting: 4 })
  const order: string[] = []
  const hash = (network: string) =>
    small.hash('correct horse', { network, account: 'user 1', isTrusted: false }).then(
      () => order.push(network),
      (error: unknown) => order.push(error instanceof HasherBusyError ? `${network} refused` : String(error)),
    )
  // The first one does not wait: the thread takes it.
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'b'].map(hash))
  assert.deepEqual(order, ['a refused', 'a', 'a', 'b', 'a', 'a'])
  await small.close()
})

test('a password for a full queue fails with HasherBusyError', async () => {
  const small = new ThreadedPasswordHasher({ threads: 1, maxWaiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => small.hash('correct horse')))
  const rejected = results.filter((result) => result.status === 'rejected')
  assert.equal(rejected.length, 3)
  assert.ok(rejected.every(({ reason }) => reason instanceof HasherBusyError))
  assert.equal(typeof (await small.hash('correct horse')), 'string')
  await small.close()
})

test('after closing, waiting and later calls fail with HasherBusyError', async () => {
  const closing = new ThreadedPasswordHasher({ threads: 1 })
  const waiting = Promise.allSettled([closing.hash('one'), closing.hash('two')])
  await closing.close()
  for (const result of await waiting)
    assert.ok(result.status === 'rejected' && result.reason instanceof HasherBusyError)
  await assert.rejects(closing.hash('three'), HasherBusyError)
  assert.equal(await closing.verify('password', '5f4dcc3b5aa765d61d8327deb882cf99'), true)
})
