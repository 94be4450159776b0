import type { ThrownErrorCode } from '../base/thrown-errors.js'
import { createHash, createHmac } from 'node:crypto'
import { UnavailableError } from '../http/unavailable.js'
import { phpTrim } from '../php/trim.js'
import { encodeText } from '../php/text.js'
import { equalInConstantTime } from './constant-time.js'
import type { Requester } from './fair-queue.js'

/**
 * Computes and verifies password hashes. Each takes tens of milliseconds of processor time. So an implementation uses
 * other threads than the one that handles requests, and limits the number of waiting calls.
 */
export interface PasswordHasher {
  /** No password matches it; see {@link dummyHash}, the default. It is in the format of new hashes. */
  readonly dummyHash?: string
  /**
   * The hash of a trimmed password, to be stored. For a password of more than 4,096 bytes it is `*`, which no password
   * matches.
   * @param requester has a fair share of the queue. Calls without it share the place of one network.
   * @throws HasherBusyError when too many calls are waiting.
   */
  hash(password: string, requester?: Requester): Promise<string>
  /**
   * Whether the password matches the stored hash. The password is not trimmed.
   * @param requester as for `hash`.
   * @throws HasherBusyError when too many calls are waiting.
   */
  verify(password: string, hash: string, requester?: Requester): Promise<boolean>
  /** Whether a hash has another format or a lower cost than new hashes, so that the next login replaces it. */
  needsRehash(hash: string): boolean
}

/**
 * Too many passwords are waiting to be hashed or verified. The status of the response is 503 unless the handler catches
 * the error.
 */
export class HasherBusyError extends UnavailableError {
  override readonly name = 'HasherBusyError'
  readonly code = 'hasher-busy' satisfies ThrownErrorCode

  constructor(message: string) {
    super(message, 1)
  }
}

/** A slow check: the stored hash, and the bytes to hash and compare with it. */
export type SlowCheck =
  | { readonly kind: 'bcrypt'; readonly secret: Uint8Array; readonly hash: string }
  | { readonly kind: 'argon2'; readonly password: Uint8Array; readonly hash: string }
  | { readonly kind: 'phpass'; readonly password: Uint8Array; readonly hash: string; readonly rounds: number }

/** The cost of new hashes: 2^10 rounds, the default of PHP 8.2. */
export const bcryptCost = 10

/** Maximum length of a password, in bytes. A longer one never matches a slow hash, so that no client can demand the hashing of large texts. */
const maxPasswordLength = 4096

/** Why a new password is refused, because the login would never accept it; null when it is not. It is trimmed first. */
export function newPasswordFault(password: string): 'empty_password' | 'password_too_long' | null {
  const trimmed = phpTrim(password)
  if (trimmed === '') return 'empty_password'
  return bytesOfPassword(trimmed) === null ? 'password_too_long' : null
}

/**
 * No password matches this hash. The password of an unknown user is verified against it, so that the duration of a
 * login does not reveal whether the user exists.
 */
export const dummyHash = '$wp$2y$10$XXdSxmg1wBCGiEolcA32YOtMVTCuBjHdjKRMN0z6FHxT/XvOUul3.'

/** The hash for unknown users on a site whose new hashes are phpass. */
export const portableDummyHash = '$P$B5FxpmdDYcYDTiYqrV7zGnCjLzWQDP.'

/** Version, KiB of memory, rounds, lanes, salt and digest, in PHP's notation. */
const argon2 = /^\$argon2id?\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$[+/A-Za-z0-9]{11,}\$[+/A-Za-z0-9]{6,}$/

// A stored hash must not be able to demand unlimited memory or time. These limits take some seconds at most. They are
// many times the defaults of PHP and WordPress.
const maxCosts = { kibibytes: 262_144, rounds: 32, bcryptCost: 16, log2PhpassRounds: 20 }

/**
 * Whether a password matches a stored hash, or the slow check that decides it. Kinds: WordPress's own (`$wp$2y$`),
 * plain bcrypt (`$2y$`, `$2a$`, `$2b$`) of a cost of at most 16, Argon2 of at most 256 MiB and 32 rounds, phpass
 * (`$P$`) of at most 2^20 rounds, and MD5. No password matches any other hash.
 */
// Rules: docs/wire.md#password-hashes.
export function checkOf(password: string, storedHash: string): boolean | SlowCheck {
  if (storedHash.length <= 32)
    return equalInConstantTime(createHash('md5').update(encodeText(password)).digest('hex'), storedHash)
  const bytes = bytesOfPassword(password)
  if (bytes === null) return false
  if (storedHash.startsWith('$P$')) return phpassCheck(bytes, storedHash)
  if (storedHash.startsWith('$argon2'))
    return isArgon2(storedHash) && { kind: 'argon2', password: bytes, hash: storedHash }
  const isPrehashed = storedHash.startsWith('$wp')
  const hash = isPrehashed ? storedHash.slice(3) : storedHash
  const cost = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]
  if (cost === undefined || Number(cost) > maxCosts.bcryptCost) return false
  return { kind: 'bcrypt', secret: isPrehashed ? prehash(bytes) : beforeNul(bytes), hash }
}

/**
 * The bytes of a password; null when it is too long. The number of characters is checked first, which saves encoding a
 * large text.
 */
export function bytesOfPassword(password: string): Uint8Array | null {
  const bytes = password.length > maxPasswordLength ? null : encodeText(password)
  return bytes === null || bytes.length > maxPasswordLength ? null : bytes
}

/** The base64 digits of phpass, in the order of their value. */
export const phpassAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Portable phpass: `$P$`, the logarithm of the rounds, eight characters of salt, 22 characters of iterated MD5. */
function phpassCheck(password: Uint8Array, hash: string): SlowCheck | false {
  const logarithm = phpassAlphabet.indexOf(hash.charAt(3))
  const isAllowed = hash.length === 34 && logarithm >= 7 && logarithm <= maxCosts.log2PhpassRounds
  return isAllowed && { kind: 'phpass', password, hash, rounds: 2 ** logarithm }
}

function isArgon2(hash: string): boolean {
  const numbers = argon2.exec(hash)?.slice(1).map(Number)
  if (numbers === undefined) return false
  const [kibibytes = 0, rounds = 0, lanes = 0] = numbers
  const isAllowed = lanes >= 1 && rounds >= 1 && kibibytes >= 8 * lanes
  return isAllowed && kibibytes <= maxCosts.kibibytes && rounds <= maxCosts.rounds
}

/** Plain bcrypt reads a password up to a NUL. */
function beforeNul(bytes: Uint8Array): Uint8Array {
  const nul = bytes.indexOf(0)
  return nul === -1 ? bytes : bytes.subarray(0, nul)
}

/**
 * The input of bcrypt for a password: 64 characters that depend on the whole password, because bcrypt reads only 72
 * bytes.
 */
export function prehash(password: Uint8Array): Uint8Array {
  return encodeText(createHmac('sha384', 'wp-sha384').update(password).digest('base64'))
}

/** The prehash of a new password, which is trimmed first; null when it is too long. See {@link prehash}. */
export function newSecret(password: string): Uint8Array | null {
  const bytes = bytesOfPassword(phpTrim(password))
  return bytes && prehash(bytes)
}

/** Whether a hash has another format than new hashes, or a lower cost than theirs. */
export function needsRehash(hash: string, newCost = bcryptCost): boolean {
  const cost = /^\$wp\$2y\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]
  return cost === undefined || Number(cost) < newCost
}
