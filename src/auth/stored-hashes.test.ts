import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBytes } from '../php/text.js'
import { ThreadedPasswordHasher } from './threaded-password-hasher.js'

const phpHashes: readonly (readonly [password: string, hash: string])[] = [
  ['', '$2y$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq'],
  ['correct horse', '$2y$04$9cv0cv6mSDvePdE5WriuyevYS05mC6f1Un9O10XZ6fZnXjfEL9TOK'],
  ['密码', '$2y$04$T6UNshwDVM6fEif3ZFvKsOKuQy42ZIpTVXdd7qfcjdvmDfdtB8O4.'],
  ['x'.repeat(71), '$2y$04$QSV6Xu/Xu4/oE1llKtZ5yusiI1W58PUAwUUEb6i2Sd95Ndi2n6XHG'],
  ['x'.repeat(72), '$2y$04$CpuY3IZbkK28HY2Om2E9Ju8QO/FG4qVUmnGTTFvsOUch46CLKLn5a'],
  ['x'.repeat(73), '$2y$04$xcQbGPozU1TNGzZSirZXeu0iqFEU3fgBwYpVt7r2LR9I9Aw18c.YC'],
  [
    'correct horse',
    '$argon2id$v=19$m=65536,t=4,p=1$TDFZa3EzZDQwaTk4WnhkVQ$hVi4X+wfZJqzn0XKgRyxuB5xeNqfwKGL4gAGYj0TwPc',
  ],
  ['correct horse', '$argon2i$v=19$m=1024,t=2,p=1$S1RicmVuUGxXNVE3YWFGVg$vTqG29HClu9ofY7MZsmcOODcAV9aNvl1T21pftgy3UM'],
]
test('passwords match the hashes that PHP has computed of them', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  for (const [password, hash] of phpHashes) {
    assert.equal(await hasher.verify(password, hash), true, hash)
    assert.equal(await hasher.verify(`y${password}`, hash), false, hash)
  }
  await hasher.close()
})

const hashOfInvalidUtf8 = '$2y$10$VgaKxEOBta0JgVFchK2sou3Tj0zME6uhTFN1VoRr0UDVuvn5a0/.u'
const byteSequences: readonly (readonly [bytes: readonly number[], isMatch: boolean])[] = [
  [[0xff, 0xfe], true],
  [[0xff, 0xfe, 0, 0x78], true],
  [[0xff, 0xfe, 0x20], false],
  [[0xfe, 0xff], false],
  [[], false],
]
test('a password that is not valid UTF-8 is verified by its bytes, up to a NUL', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  for (const [bytes, isMatch] of byteSequences) {
    const password = decodeBytes(Uint8Array.from(bytes))
    assert.equal(await hasher.verify(password, hashOfInvalidUtf8), isMatch, String(bytes))
  }
  await hasher.close()
})

test('no password matches a bcrypt hash with an invalid or too high cost', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  const hash = hashOfInvalidUtf8
  for (const cost of ['00', '03', '17', '31', '32', '99'])
    assert.equal(await hasher.verify('correct horse', hash.replace('$10$', `$${cost}$`)), false, cost)
  await hasher.close()
})

test('no password matches a phpass hash with fewer rounds than WordPress accepts', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  assert.equal(await hasher.verify('correct horse', '$P$5saltsaltL3FzpWcZLJU9vJ2S4.XV11'), true)
  // Hashes of the same password, with 64 rounds and with one.
  for (const hash of ['$P$4saltsaltZTWSOBPfDWTW8uHq1BDw60', '$P$.saltsaltzKHcgOBzTb0VVALJPZVfI1'])
    assert.equal(await hasher.verify('correct horse', hash), false, hash)
  await hasher.close()
})

test('no password matches an Argon2 hash that is damaged, or demands too much memory or time', async () => {
  const hasher = new ThreadedPasswordHasher({ threads: 1 })
  const [salt, digest] = ['S1RicmVuUGxXNVE3YWFGVg', 'vTqG29HClu9ofY7MZsmcOODcAV9aNvl1T21pftgy3UM']
  for (const hash of [
    `$argon2i$v=19$m=2097152,t=2,p=1$${salt}$${digest}`,
    `$argon2i$v=19$m=1024,t=99,p=1$${salt}$${digest}`,
    `$argon2i$v=19$m=1,t=2,p=1$${salt}$${digest}`,
    `$argon2i$v=19$m=1024,t=0,p=1$${salt}$${digest}`,
    `$argon2i$v=16$m=1024,t=2,p=1$${salt}$${digest}`,
    `$argon2i$v=19$m=1024,t=2,p=1$${salt}$AAAA`,
    `$argon2i$v=19$m=1024,t=2,p=1$${salt}`,
    `$argon2i$v=19$m=1024,t=2,p=0$${salt}$${digest}`,
    `$argon2i$v=19$m=15,t=2,p=2$${salt}$${digest}`,
  ])
    assert.equal(await hasher.verify('correct horse', hash), false, hash)
  await hasher.close()
})
