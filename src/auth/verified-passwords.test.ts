import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VerifiedPasswords } from './verified-passwords.js'

const hash = '$P$BDhEoMYDMgEc0hnq0aGcGlC2HNZx3y1'

test('a successful check is remembered for five minutes from then on, for this password and this stored hash', () => {
  let now = 0
  const verified = new VerifiedPasswords(() => now)
  assert.equal(verified.has('secret', hash), false)
  verified.add('secret', hash)
  now = 299_999
  assert.equal(verified.has('secret', hash), true)
  assert.equal(verified.has('Secret', hash), false)
  assert.equal(verified.has('secret', `${hash.slice(0, -1)}2`), false)
  now = 300_000
  assert.equal(verified.has('secret', hash), false)
})

test('only checks of phpass are remembered, and at most 1000', () => {
  const verified = new VerifiedPasswords()
  verified.add('secret', '$2y$10$XXdSxmg1wBCGiEolcA32YOtMVTCuBjHdjKRMN0z6FHxT/XvOUul3.')
  assert.equal(verified.has('secret', '$2y$10$XXdSxmg1wBCGiEolcA32YOtMVTCuBjHdjKRMN0z6FHxT/XvOUul3.'), false)
  for (let count = 0; count <= 1000; count += 1) verified.add(`secret ${count}`, hash)
  assert.equal(verified.has('secret 0', hash), false)
  assert.equal(verified.has('secret 1000', hash), true)
})
