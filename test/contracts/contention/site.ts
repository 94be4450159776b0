import { ApplicationPasswords } from '../../../src/auth/application-passwords.js'
import { StoredRoles } from '../../../src/auth/roles.js'
import { RecordTypes } from '../../../src/content/record-types.js'
import { Records } from '../../../src/content/records.js'
import { siteFrom } from '../../../src/content/site.js'
import { Terms } from '../../../src/content/terms.js'
import { Users } from '../../../src/content/users.js'
import type { Storage } from '../../../src/database/storage.js'
import { anonymous } from '../../../src/http/caller.js'
import { aUser } from '../storage/rows.js'

/** The records and users of one process. */
export type ContendedSite = Awaited<ReturnType<typeof contendedSite>>

/** @param keeper the user whose metadata all clients change. */
export async function contendedSite(storage: Storage, keeper: number) {
  const types = new RecordTypes({
    lamp: { public: true, taxonomies: ['category'] },
    folder: { public: true, hierarchical: true, taxonomies: ['category'] },
  })
  const roles = await new StoredRoles(storage, 'wp_').ensure()
  const hasher = { hash: async () => 'hash', verify: async () => true, needsRehash: () => false }
  return {
    storage,
    keeper,
    records: new Records({ storage, types, site: siteFrom(new Map()), caller: () => anonymous }),
    users: new Users({ storage, hasher, roles, clock: Date.now, prefix: 'wp_' }),
    passwords: new ApplicationPasswords(storage, Date.now),
  }
}

/** What the clients need before they begin. @returns the keeper. */
export async function prepareContention(storage: Storage): Promise<number> {
  const terms = new Terms(storage)
  for (const name of ['Wood', 'Metal']) await terms.create({ name })
  await storage.options.write('raised', '0')
  return storage.users.insert(
    aUser({ user_login: 'keeper', user_nicename: 'keeper', user_email: 'keeper@shop.example' }),
  )
}
