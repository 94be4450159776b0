import { createHash, randomBytes } from 'node:crypto'
import { argon2Verify, bcrypt, bcryptVerify } from 'hash-wasm'
import { equalInConstantTime } from './constant-time.js'
import { phpassLetters, type SlowCheck } from './password-hash.js'

/** One piece of work; the answer to a check is a boolean, to `make` the new hash. */
export type HashTask = SlowCheck | { readonly kind: 'make'; readonly secret: Uint8Array; readonly cost: number }

/** Takes about 80 milliseconds, during which the thread does nothing else. */
export async function resultOf(task: HashTask): Promise<boolean | string> {
  switch (task.kind) {
    case 'make':
      return made(task.secret, task.cost)
    case 'bcrypt':
      return bcryptVerify({ password: readByBcrypt(task.secret), hash: task.hash })
    case 'argon2':
      return argon2Verify(task)
    case 'phpass':
      return verifyPhpass(task)
  }
}

async function made(secret: Uint8Array, costFactor: number): Promise<string> {
  const hash = await bcrypt({
    password: readByBcrypt(secret),
    salt: randomBytes(16),
    costFactor,
    outputType: 'encoded',
  })
  // The same algorithm under PHP's name for it.
  return hash.replace(/^\$2a\$/, '$2y$')
}

/** The library refuses what bcrypt does not read, and nothing at all: to bcrypt, that is a NUL. */
function readByBcrypt(secret: Uint8Array): Uint8Array {
  return secret.length === 0 ? Uint8Array.of(0) : secret.subarray(0, 72)
}

function verifyPhpass({ password, hash, rounds }: Extract<SlowCheck, { kind: 'phpass' }>): boolean {
  let digest = createHash('md5').update(hash.slice(4, 12)).update(password).digest()
  for (let round = 0; round < rounds; round += 1) digest = createHash('md5').update(digest).update(password).digest()
  return equalInConstantTime(hash.slice(12), phpassText(digest))
}

/** Three bytes at a time, lowest first, six bits a letter. */
function phpassText(digest: Uint8Array): string {
  let text = ''
  for (let index = 0; index < digest.length; index += 3) {
    const bytes = digest.subarray(index, index + 3)
    const bits = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16)
    for (let letter = 0; letter <= bytes.length; letter += 1) text += phpassLetters.charAt((bits >> (6 * letter)) & 63)
  }
  return text
}
