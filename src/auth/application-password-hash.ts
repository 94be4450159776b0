import { blake2b } from '@noble/hashes/blake2.js'
import { encodeText } from '../php/text.js'

/** The prefix of the hashes of application passwords. */
export const hashPrefix = '$generic$'

/**
 * The prefix of the hash of a password with scopes or an expiry, in a database that other programs use as well. A program
 * that does not know the prefix would not obey the limits either. It finds no valid hash, and refuses the password.
 */
const limitedPrefix = '$limited'

/** A hash that is accepted only by programs that obey the limits of application passwords. */
export const limitedHash = (hash: string): string => limitedPrefix + hash

/** The hash in the entry of an application password. */
export const hashOfEntry = ({ password }: { readonly password: string }): string =>
  password.startsWith(`${limitedPrefix}$`) ? password.slice(limitedPrefix.length) : password

const keyed = blake2b.create({ key: encodeText('wp_fast_hash_6.8+'), dkLen: 30 })

/**
 * Hash states by the first byte of the password. BLAKE2b hashes two blocks: the public key fills the first, the
 * password is in the second. The library hashes a block when it receives a byte of the next one. A state after the key
 * and the first byte therefore saves half of the work for each later password with the same first byte.
 */
const statesByFirstByte = new Map<number, typeof keyed>()

/** The stored hash of an application password: keyed BLAKE2b, 30 bytes, URL-safe base64. */
export function hashOfApplicationPassword(password: string): string {
  const bytes = encodeText(password)
  const digest = stateAfterFirstByte(bytes).update(bytes.subarray(1)).digest()
  return hashPrefix + Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString('base64url')
}

/** A new hash state that has received the key and the first of these bytes. */
function stateAfterFirstByte(bytes: Uint8Array): typeof keyed {
  const [first] = bytes
  if (first === undefined) return keyed.clone()
  const state = statesByFirstByte.get(first) ?? keyed.clone().update(bytes.subarray(0, 1))
  statesByFirstByte.set(first, state)
  return state.clone()
}
