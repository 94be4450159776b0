import { hash as digestOf, randomBytes } from 'node:crypto'
import { argon2Verify, bcrypt, bcryptVerify } from 'hash-wasm'
import { equalInConstantTime } from './constant-time.js'
import { phpassAlphabet, type SlowCheck } from './password-hash.js'

/** A computation of a worker thread. The result of a check is a boolean, the result of the others is the new hash. */
export type HashTask =
  | SlowCheck
  | { readonly kind: 'create'; readonly secret: Uint8Array; readonly cost: number }
  | { readonly kind: 'create-phpass'; readonly password: Uint8Array; readonly log2Rounds: number }

/** The result of a task. The computation takes about 80 milliseconds and blocks its thread. */
export async function resultOf(task: HashTask): Promise<boolean | string> {
  switch (task.kind) {
    case 'create':
      return newHash(task.secret, task.cost)
    case 'create-phpass':
      return newPhpassHash(task.password, task.log2Rounds)
    case 'bcrypt':
      return bcryptVerify({ password: bcryptInput(task.secret), hash: task.hash })
    case 'argon2':
      return argon2Verify(task)
    case 'phpass':
      return verifyPhpass(task)
  }
}

async function newHash(secret: Uint8Array, costFactor: number): Promise<string> {
  const hash = await bcrypt({
    password: bcryptInput(secret),
    salt: randomBytes(16),
    costFactor,
    outputType: 'encoded',
  })
  // PHP names the same algorithm `2y`.
  return hash.replace(/^\$2a\$/, '$2y$')
}

/**
 * The bytes of a secret for hash-wasm, which rejects more than the 72 bytes that bcrypt reads, and empty input. For
 * bcrypt, empty input equals a NUL byte.
 */
function bcryptInput(secret: Uint8Array): Uint8Array {
  return secret.length === 0 ? Uint8Array.of(0) : secret.subarray(0, 72)
}

function verifyPhpass({ password, hash, rounds }: Extract<SlowCheck, { kind: 'phpass' }>): boolean {
  return equalInConstantTime(hash.slice(12), phpassDigest(password, hash.slice(4, 12), rounds))
}

function newPhpassHash(password: Uint8Array, log2Rounds: number): string {
  const salt = phpassText(randomBytes(6))
  const digest = phpassDigest(password, salt, 2 ** log2Rounds)
  return `$P$${phpassAlphabet.charAt(log2Rounds)}${salt}${digest}`
}

/** Length of a digest, in bytes. */
const md5Length = 16

function phpassDigest(password: Uint8Array, salt: string, rounds: number): string {
  // One buffer holds the last digest in front of the password. Hash objects and a new buffer in each round take five times
  // as long.
  const input = Buffer.concat([Buffer.alloc(md5Length), password])
  let digest = digestOf('md5', Buffer.concat([Buffer.from(salt), password]), 'binary')
  for (let round = 0; round < rounds; round += 1) {
    input.write(digest, 0, 'latin1')
    digest = digestOf('md5', input, 'binary')
  }
  return phpassText(Buffer.from(digest, 'latin1'))
}

/** The base64 of phpass: little-endian groups of three bytes, lowest six bits first. */
function phpassText(digest: Uint8Array): string {
  let text = ''
  for (let index = 0; index < digest.length; index += 3) {
    const bytes = digest.subarray(index, index + 3)
    const bits = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16)
    for (let digit = 0; digit <= bytes.length; digit += 1) text += phpassAlphabet.charAt((bits >> (6 * digit)) & 63)
  }
  return text
}
