import { blake2b } from '@noble/hashes/blake2.js'
import { encodeText } from '../php/text.js'

/** The beginning of the hashes of application passwords. */
export const hashPrefix = '$generic$'

const keyed = blake2b.create({ key: encodeText('wp_fast_hash_6.8+'), dkLen: 30 })

/**
 * The key is public and fills the first of the two hashed blocks. The library hashes a block when it gets a byte of the next
 * one, so this is the state after the key and one byte: half of the work, done once.
 */
const begunWith = new Map<number, typeof keyed>()

/** The stored hash of an application password: keyed BLAKE2b, 30 bytes, URL-safe base64. */
export function hashOfApplicationPassword(password: string): string {
  const bytes = encodeText(password)
  const digest = begun(bytes).update(bytes.subarray(1)).digest()
  return hashPrefix + Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString('base64url')
}

/** A copy of the state after the key and the first of these bytes. */
function begun(bytes: Uint8Array): typeof keyed {
  const [first] = bytes
  if (first === undefined) return keyed.clone()
  const known = begunWith.get(first) ?? keyed.clone().update(bytes.subarray(0, 1))
  begunWith.set(first, known)
  return known.clone()
}
