import type { PasswordHasher } from '../../src/auth/password-hash.js'
import { StoredRoles } from '../../src/auth/roles.js'
import type { Storage } from '../../src/database/storage.js'
import type { NewUser } from '../../src/content/user.js'
import { Users } from '../../src/content/users.js'
import { openTestStorage } from './test-database.js'

/** A fast hasher, because the tests create many users. */
export const hasher: PasswordHasher = {
  hash: async (password) => `hash of ${password.trim()}`,
  verify: async (password, hash) => hash === `hash of ${password}`,
  needsRehash: () => false,
}

export async function openShop(): Promise<{ users: Users; storage: Storage }> {
  const storage = await openTestStorage()
  const roles = await new StoredRoles(storage, 'wp_').ensure()
  return {
    users: new Users({ storage, hasher, roles, clock: () => Date.UTC(2026, 0, 15, 12), prefix: 'wp_' }),
    storage,
  }
}

export const mia: NewUser = {
  login: 'mia',
  email: 'mia@shop.example',
  password: 'secret',
  role: 'editor',
  displayName: 'Mia M.',
}
