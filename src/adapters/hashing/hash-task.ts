import { createHash } from 'node:crypto'
import { compareSync, genSaltSync, hashSync } from 'bcryptjs'
import type { SlowCheck } from '../../authentication/password-hash.js'
import { bcryptVerify } from './bcrypt-of-bytes.js'

/** One piece of work; the answer to a check is a boolean, to `make` the new hash. */
export type HashTask = SlowCheck | { readonly kind: 'make'; readonly secret: string; readonly cost: number }

/** Takes about 80 milliseconds, during which the thread does nothing else. */
export function resultOf(task: HashTask): boolean | string {
  switch (task.kind) {
    case 'make':
      // The same algorithm under PHP's name for it.
      return hashSync(task.secret, genSaltSync(task.cost)).replace(/^\$2b\$/, '$2y$')
    case 'bcrypt':
      return typeof task.secret === 'string'
        ? compareSync(task.secret, task.hash)
        : bcryptVerify(task.secret, task.hash)
    case 'phpass':
      return verifyPhpass(task.password, task.hash)
  }
}

const phpassLetters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Portable phpass: `$P$`, the logarithm of the rounds, eight characters of salt, 22 of iterated MD5. */
function verifyPhpass(password: Uint8Array, stored: string): boolean {
  const logarithm = phpassLetters.indexOf(stored.charAt(3))
  if (stored.length !== 34 || logarithm < 7 || logarithm > 30) return false
  let digest = createHash('md5').update(stored.slice(4, 12)).update(password).digest()
  for (let round = 2 ** logarithm; round > 0; round -= 1)
    digest = createHash('md5').update(digest).update(password).digest()
  return stored.slice(12) === phpassText(digest)
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
