import { hashOfApplicationPassword, hashOfEntry, hashPrefix } from './application-password-hash.js'
import { equalInConstantTime } from './constant-time.js'
import type { Requester } from './fair-queue.js'
import type { PasswordHasher } from './password-hash.js'
import type { ApplicationPassword } from './stored-application-passwords.js'
import type { VerifiedPasswords } from './verified-passwords.js'

/**
 * The application password that a normalised password matches. The result is not a promise when its hash is of the
 * current kind.
 *
 * @param hasher verifies the slow hashes of old databases. @throws HasherBusyError when the hasher is busy.
 * @param verified slow checks that need not be made again.
 * @param requester has a fair share of the hasher's queue.
 */
export function matchingApplicationPassword<Item extends ApplicationPassword>(
  items: readonly Item[],
  password: string,
  hasher: PasswordHasher,
  verified: VerifiedPasswords,
  requester?: Requester,
): Item | Promise<Item | null> {
  const hash = hashOfApplicationPassword(password)
  const match =
    items.find((item) => equalInConstantTime(hashOfEntry(item), hash)) ??
    items.find((item) => verified.has(password, hashOfEntry(item)))
  return match ?? matchingOldPassword(items, password, hasher, verified, requester)
}

async function matchingOldPassword<Item extends ApplicationPassword>(
  items: readonly Item[],
  password: string,
  hasher: PasswordHasher,
  verified: VerifiedPasswords,
  requester?: Requester,
): Promise<Item | null> {
  for (const item of items) {
    const stored = hashOfEntry(item)
    if (stored.startsWith(hashPrefix)) continue
    if (await verified.check(password, stored, () => hasher.verify(password, stored, requester))) return item
  }
  return null
}
