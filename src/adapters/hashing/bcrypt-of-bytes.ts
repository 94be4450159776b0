import { decodeBase64, encodeBase64 } from 'bcryptjs'

/** Words of Blowfish's round keys, and of its four boxes. */
const roundKeys = 18
const boxes = 4 * 256

/**
 * Whether a password belongs to a bcrypt hash (`$2y$10$…`). bcryptjs takes text alone, so this is for passwords that are
 * no text: bytes which are not valid UTF-8. Takes about twice as long.
 */
export function bcryptVerify(password: Uint8Array, stored: string): boolean {
  const salt = Uint8Array.from(decodeBase64(stored.slice(7, 29), 16))
  const digest = bcryptDigest(password, Number(stored.slice(4, 6)), salt)
  return stored.slice(7) === encodeBase64(salt, 16) + encodeBase64(digest, 23)
}

function bcryptDigest(password: Uint8Array, cost: number, salt: Uint8Array): Uint8Array {
  const key = Uint8Array.of(...password.subarray(0, 72), 0)
  const blowfish = new Blowfish()
  blowfish.expandKey(key, salt)
  const nothing = new Uint8Array(1)
  for (let round = 2 ** cost; round > 0; round -= 1) {
    blowfish.expandKey(key, nothing)
    blowfish.expandKey(salt, nothing)
  }
  const words = new Int32Array(6)
  const text = wordsOf(Buffer.from('OrpheanBeholderScryDoubt'))
  for (let index = 0; index < words.length; index += 1) words[index] = text()
  for (let pair = 0; pair < words.length; pair += 2)
    for (let round = 0; round < 64; round += 1) blowfish.encrypt(words, pair)
  const digest = Buffer.alloc(24)
  for (const [index, word] of words.entries()) digest.writeInt32BE(word, 4 * index)
  return digest
}

/** The cipher as far as bcrypt needs it: a key schedule that can be run again and again, and one block at a time. */
class Blowfish {
  readonly #keys = initialWords().slice(0, roundKeys)
  readonly #boxes = initialWords().slice(roundKeys)

  expandKey(key: Uint8Array, salt: Uint8Array): void {
    const [nextOfKey, nextOfSalt] = [wordsOf(key), wordsOf(salt)]
    for (let index = 0; index < roundKeys; index += 1) this.#keys[index] = (this.#keys[index] ?? 0) ^ nextOfKey()
    const block = new Int32Array(2)
    for (const words of [this.#keys, this.#boxes])
      for (let index = 0; index < words.length; index += 2) {
        block[0] = (block[0] ?? 0) ^ nextOfSalt()
        block[1] = (block[1] ?? 0) ^ nextOfSalt()
        this.encrypt(block, 0)
        words.set(block, index)
      }
  }

  encrypt(words: Int32Array, at: number): void {
    const [keys, table] = [this.#keys, this.#boxes]
    let left = words[at] ?? 0
    let right = words[at + 1] ?? 0
    for (let round = 0; round < 16; round += 1) {
      left ^= keys[round] ?? 0
      const sum = ((table[left >>> 24] ?? 0) + (table[256 + ((left >>> 16) & 255)] ?? 0)) | 0
      const mixed = ((sum ^ (table[512 + ((left >>> 8) & 255)] ?? 0)) + (table[768 + (left & 255)] ?? 0)) | 0
      const next = right ^ mixed
      right = left
      left = next
    }
    words[at] = right ^ (keys[17] ?? 0)
    words[at + 1] = left ^ (keys[16] ?? 0)
  }
}

/** Four bytes after the other as one word, from the start again at the end. */
function wordsOf(bytes: Uint8Array): () => number {
  let index = 0
  const next = () => bytes[index++ % bytes.length] ?? 0
  return () => (next() << 24) | (next() << 16) | (next() << 8) | next()
}

let wordsOfPi: Int32Array | undefined

/** What Blowfish begins with: the binary digits of π behind the point, which take 30 milliseconds, once. */
function initialWords(): Int32Array {
  wordsOfPi ??= fractionOfPi(roundKeys + boxes)
  return wordsOfPi
}

function fractionOfPi(words: number): Int32Array {
  // Some more bits than are kept, for what the divisions round off.
  const one = 1n << BigInt(32 * words + 64)
  const arctangentOfInverse = (divisor: bigint): bigint => {
    let [sum, power] = [0n, one / divisor]
    for (let term = 1n; power !== 0n; term += 2n) {
      sum += (term % 4n === 1n ? power : -power) / term
      power /= divisor * divisor
    }
    return sum
  }
  const pi = 4n * (4n * arctangentOfInverse(5n) - arctangentOfInverse(239n))
  const digits = ((pi % one) >> 64n).toString(16).padStart(8 * words, '0')
  return Int32Array.from(
    { length: words },
    (_, index) => Number.parseInt(digits.slice(8 * index, 8 * index + 8), 16) | 0,
  )
}
