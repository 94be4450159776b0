import { blake2b } from '@noble/hashes/blake2.js'
import { encodeText } from '../php/text.js'

/** What the hashes of application passwords begin with. */
export const hashPrefix = '$generic$'

const keyed = blake2b.create({ key: encodeText('wp_fast_hash_6.8+'), dkLen: 30 })

/**
 * The key, which everybody knows, takes up the first of the two blocks that are hashed. The library hashes a block when
 * it has seen a byte of the next one, so this holds the state after the key and that byte: half of the work, done once.
 */
const begunWith = new Map<number, typeof keyed>()

/** The stored hash of an application password: keyed BLAKE2b, 30 bytes, URL-safe base64. */
export function hashOfApplicationPassword(password: string): string {
  const bytes = encodeText(password)
  const digest = begun(bytes).update(bytes.subarray(1)).digest()
  return hashPrefix + Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString('base64url')
}

/** A hash of its own that has seen the key and the first of these bytes. */
function begun(bytes: Uint8Array): typeof keyed {
  const [first] = bytes
  if (first === undefined) return keyed.clone()
  const known = begunWith.get(first) ?? keyed.clone().update(bytes.subarray(0, 1))
  begunWith.set(first, known)
  return known.clone()
}
