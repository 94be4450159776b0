import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSync } from 'bcryptjs'
import { decodeBytes } from '../../php/text.js'
import { bcryptVerify } from './bcrypt-of-bytes.js'
import { ThreadedPasswordHasher } from './threaded-password-hasher.js'

const texts = ['', 'correct horse', '密码', 'x'.repeat(71), 'x'.repeat(72), 'x'.repeat(73)]
for (const text of texts)
  test(`text of ${text.length} characters is hashed as bcryptjs does`, () => {
    const stored = hashSync(text, 4)
    assert.equal(bcryptVerify(Buffer.from(text), stored), true)
    assert.equal(bcryptVerify(Buffer.from(`y${text}`), stored), false)
  })

const stored = '$2y$10$VgaKxEOBta0JgVFchK2sou3Tj0zME6uhTFN1VoRr0UDVuvn5a0/.u'
const given: readonly (readonly [bytes: readonly number[], verdict: boolean])[] = [
  [[0xff, 0xfe], true],
  [[0xff, 0xfe, 0, 0x78], true],
  [[0xff, 0xfe, 0x20], false],
  [[0xfe, 0xff], false],
  [[], false],
]
test('a password that is not valid UTF-8 is checked by its bytes, up to a NUL', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  for (const [bytes, verdict] of given)
    assert.equal(await hasher.verify(decodeBytes(Uint8Array.from(bytes)), stored), verdict, String(bytes))
  await hasher.close()
})

test('a cost that bcrypt does not have makes a hash that nothing belongs to', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  for (const cost of ['00', '03', '32', '99'])
    assert.equal(await hasher.verify('correct horse', stored.replace('$10$', `$${cost}$`)), false, cost)
  await hasher.close()
})
