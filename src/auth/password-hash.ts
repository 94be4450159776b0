import type { ThrownErrorCode } from '../base/thrown-errors.js'
import { createHash, createHmac } from 'node:crypto'
import { Unavailable } from '../http/unavailable.js'
import { phpTrim } from '../php/trim.js'
import { encodeText } from '../php/text.js'
import { equalInConstantTime } from './constant-time.js'

/**
 * Makes and checks the hashes of passwords. Each takes tens of milliseconds of computing, so it happens off the thread
 * that answers requests, and only so many at a time.
 */
export interface PasswordHasher {
  /**
   * The text to store for a password, which is trimmed first. Of more than 4,096 bytes it is `*`, to which no password
   * belongs.
   * @throws HasherBusyError when too much is waiting already.
   */
  hash(password: string): Promise<string>
  /**
   * Whether the password, exactly as given, belongs to the stored hash.
   * @throws HasherBusyError when too much is waiting already.
   */
  verify(password: string, stored: string): Promise<boolean>
}

/** More passwords wait to be hashed or checked than can be in good time: the caller should come back later. */
export class HasherBusyError extends Unavailable {
  override readonly name = 'HasherBusyError'
  readonly code = 'hasher-busy' satisfies ThrownErrorCode

  constructor(message: string) {
    super(message, 1)
  }
}

/** A check that takes long: the hash, and what is to be hashed and compared with it. */
export type SlowCheck =
  | { readonly kind: 'bcrypt'; readonly secret: Uint8Array; readonly hash: string }
  | { readonly kind: 'argon2'; readonly password: Uint8Array; readonly hash: string }
  | { readonly kind: 'phpass'; readonly password: Uint8Array; readonly hash: string; readonly rounds: number }

/** The cost of new hashes: 2^10 rounds, PHP 8.2's own. */
export const bcryptCost = 10

/** Longer passwords, in bytes, never verify: hashing them would be work that anybody can order. */
const maxPasswordLength = 4096

/** Verifies nothing, and takes as long as a real one: what the password of an unknown user is compared with. */
export const hashOfNobody = '$wp$2y$10$XXdSxmg1wBCGiEolcA32YOtMVTCuBjHdjKRMN0z6FHxT/XvOUul3.'

/** Version, KiB of memory, rounds, lanes, salt and digest, as PHP writes them. */
const argon2 = /^\$argon2id?\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$[+/A-Za-z0-9]{11,}\$[+/A-Za-z0-9]{6,}$/

// What is stored must not order any amount of memory and time: some seconds at most, and many times what PHP and
// WordPress take by themselves.
const maxCosts = { kibibytes: 262_144, rounds: 32, bcryptCost: 16, phpassLogarithm: 20 }

/**
 * Whether a password belongs to a stored hash, or what has to be computed to know. Kinds: WordPress's own (`$wp$2y$`),
 * plain bcrypt (`$2y$`, `$2a$`, `$2b$`) of a cost of at most 16, Argon2 of at most 256 MiB and 32 rounds, phpass (`$P$`) of
 * at most 2^20 rounds, and MD5. Any other hash belongs to no password.
 */
// Rules: docs/wire.md#password-hashes.
export function checkOf(password: string, stored: string): boolean | SlowCheck {
  if (stored.length <= 32)
    return equalInConstantTime(createHash('md5').update(encodeText(password)).digest('hex'), stored)
  const bytes = bytesOfPassword(password)
  if (bytes === null) return false
  if (stored.startsWith('$P$')) return phpassCheck(bytes, stored)
  if (stored.startsWith('$argon2')) return isArgon2(stored) && { kind: 'argon2', password: bytes, hash: stored }
  const prehashed = stored.startsWith('$wp')
  const hash = prehashed ? stored.slice(3) : stored
  const cost = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]
  if (cost === undefined || Number(cost) > maxCosts.bcryptCost) return false
  return { kind: 'bcrypt', secret: prehashed ? prehash(bytes) : beforeNul(bytes), hash }
}

/** Null when the password is too long to be one, which its characters may tell before they are encoded. */
function bytesOfPassword(password: string): Uint8Array | null {
  const bytes = password.length > maxPasswordLength ? null : encodeText(password)
  return bytes === null || bytes.length > maxPasswordLength ? null : bytes
}

/** Six bits each, in the order of their value. */
export const phpassLetters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Portable phpass: `$P$`, the logarithm of the rounds, eight characters of salt, 22 of iterated MD5. */
function phpassCheck(password: Uint8Array, hash: string): SlowCheck | false {
  const logarithm = phpassLetters.indexOf(hash.charAt(3))
  const isSensible = hash.length === 34 && logarithm >= 7 && logarithm <= maxCosts.phpassLogarithm
  return isSensible && { kind: 'phpass', password, hash, rounds: 2 ** logarithm }
}

function isArgon2(stored: string): boolean {
  const numbers = argon2.exec(stored)?.slice(1).map(Number)
  if (numbers === undefined) return false
  const [kibibytes = 0, rounds = 0, lanes = 0] = numbers
  const isSensible = lanes >= 1 && rounds >= 1 && kibibytes >= 8 * lanes
  return isSensible && kibibytes <= maxCosts.kibibytes && rounds <= maxCosts.rounds
}

/** Plain bcrypt reads a password up to a NUL. */
function beforeNul(bytes: Uint8Array): Uint8Array {
  const nul = bytes.indexOf(0)
  return nul === -1 ? bytes : bytes.subarray(0, nul)
}

/** What bcrypt hashes for a password: 64 characters that depend on all of it, where bcrypt itself reads 72 bytes. */
export function prehash(password: Uint8Array): Uint8Array {
  return encodeText(createHmac('sha384', 'wp-sha384').update(password).digest('base64'))
}

/** What to hash of a new password, see {@link prehash}; null when it is too long to be one. */
export function newSecret(password: string): Uint8Array | null {
  const bytes = bytesOfPassword(phpTrim(password))
  return bytes && prehash(bytes)
}

/** Whether a hash is of an older kind or cheaper than new ones, so that the next login should replace it. */
export function needsRehash(stored: string): boolean {
  const cost = /^\$wp\$2y\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(stored)?.[1]
  return cost === undefined || Number(cost) < bcryptCost
}
