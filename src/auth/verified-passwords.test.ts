import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingApplicationPassword } from './match-application-password.js'
import { HasherBusyError } from './password-hash.js'
import { ThreadedPasswordHasher } from './threaded-password-hasher.js'
import { VerifiedPasswords } from './verified-passwords.js'

const hash = '$P$BDhEoMYDMgEc0hnq0aGcGlC2HNZx3y1'
const matches = () => Promise.resolve(true)

test('a successful check is remembered for five minutes from then on, for this password and this stored hash', async () => {
  let now = 0
  const verified = new VerifiedPasswords(() => now)
  assert.equal(verified.has('secret', hash), false)
  assert.equal(await verified.check('wrong', hash, () => Promise.resolve(false)), false)
  assert.equal(verified.has('wrong', hash), false)
  assert.equal(await verified.check('secret', hash, matches), true)
  now = 299_999
  assert.equal(verified.has('secret', hash), true)
  assert.equal(verified.has('Secret', hash), false)
  assert.equal(verified.has('secret', `${hash.slice(0, -1)}2`), false)
  now = 300_000
  assert.equal(verified.has('secret', hash), false)
})

test('only checks of phpass are remembered, and at most 1000', async () => {
  const verified = new VerifiedPasswords()
  const bcrypt = '$2y$10$XXdSxmg1wBCGiEolcA32YOtMVTCuBjHdjKRMN0z6FHxT/XvOUul3.'
  assert.equal(await verified.check('secret', bcrypt, matches), true)
  assert.equal(verified.has('secret', bcrypt), false)
  for (let count = 0; count <= 1000; count += 1) await verified.check(`secret ${count}`, hash, matches)
  assert.equal(verified.has('secret 0', hash), false)
  assert.equal(verified.has('secret 1000', hash), true)
})

test('requests that come at once with one password make one check, whatever its result', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 0 })
  const stored = await hasher.portableHash('right')
  let checks = 0
  const counted = {
    hash: (password: string) => hasher.hash(password),
    needsRehash: (text: string) => hasher.needsRehash(text),
    verify(password: string, text: string) {
      checks += 1
      return hasher.verify(password, text)
    },
  }
  const item = { uuid: 'u', app_id: '', name: '', password: stored, created: 1, last_used: null, last_ip: null }
  const verified = new VerifiedPasswords()
  const matchesOf = (password: string) =>
    Promise.all(
      Array.from({ length: 50 }, async () => matchingApplicationPassword([item], password, counted, verified)),
    )
  assert.ok((await matchesOf('right')).every((each) => each === item))
  assert.equal(checks, 1)
  assert.ok((await matchesOf('wrong')).every((each) => each === null))
  assert.equal(checks, 2)
  await matchesOf('wrong')
  assert.equal(checks, 3, 'a failure is not remembered')
})

test('a request whose check had no place in the queue does not refuse the others', async () => {
  const verified = new VerifiedPasswords()
  const busy = verified.check('secret', hash, () => Promise.reject(new HasherBusyError('full')))
  const other = verified.check('secret', hash, matches)
  await assert.rejects(busy, HasherBusyError)
  assert.equal(await other, true)
})
