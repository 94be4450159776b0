import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { HasherBusyError, needsRehash } from './password-hash.js'
import { ThreadedPasswordHasher } from './threaded-password-hasher.js'

const hasher = new ThreadedPasswordHasher({ threads: 2, waiting: 1000 })
after(() => hasher.close())

test('recorded: auth-passwords', async () => assert.deepEqual(await failuresIn('auth-passwords'), []))

const passwords = ['correct horse', 'pä$$wörd', '密码', '😀😀', 'x'.repeat(200), 'nul\0byte']
for (const password of passwords)
  test(`a new hash of ${JSON.stringify(password.slice(0, 20))} belongs to this password alone`, async () => {
    const stored = await hasher.hash(` ${password}\n`)
    assert.match(stored, /^\$wp\$2y\$10\$.{53}$/)
    assert.equal(needsRehash(stored), false)
    assert.equal(await hasher.verify(password, stored), true)
    assert.equal(await hasher.verify(`${password}x`, stored), false)
    assert.equal(await hasher.verify(` ${password}`, stored), false)
  })

test('a hash that costs more than ours is left alone', () => {
  assert.equal(needsRehash(`$wp$2y$12$${'a'.repeat(53)}`), false)
  assert.equal(needsRehash(`$wp$2y$09$${'a'.repeat(53)}`), true)
})

test('a password of more than 4096 bytes gets a hash that nothing belongs to', async () => {
  const stored = await hasher.hash('é'.repeat(2049))
  assert.equal(stored, '*')
  assert.equal(await hasher.verify('é'.repeat(2049), stored), false)
})

test('hashing leaves the thread that answers requests free', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await Promise.all(Array.from({ length: 4 }, () => hasher.hash('correct horse')))
  clearInterval(timer)
  assert.ok(turns > 10, `${turns} turns of the loop`)
})

test('beyond a bounded queue the caller is told to come back', async () => {
  const small = new ThreadedPasswordHasher({ threads: 1, waiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => small.hash('correct horse')))
  const refused = results.filter((result) => result.status === 'rejected')
  assert.equal(refused.length, 3)
  assert.ok(refused.every(({ reason }) => reason instanceof HasherBusyError))
  assert.equal(typeof (await small.hash('correct horse')), 'string')
  await small.close()
})

test('closing ends what waits, and every call after it', async () => {
  const closing = new ThreadedPasswordHasher({ threads: 1 })
  const waiting = Promise.allSettled([closing.hash('one'), closing.hash('two')])
  await closing.close()
  for (const result of await waiting)
    assert.ok(result.status === 'rejected' && result.reason instanceof HasherBusyError)
  await assert.rejects(closing.hash('three'), HasherBusyError)
  assert.equal(await closing.verify('password', '5f4dcc3b5aa765d61d8327deb882cf99'), true)
})
