import { after, before, describe } from 'node:test'
import type { Storage } from '../../src/database/storage.js'
import { foreignValueContract } from './storage/foreign-values.js'
import { metaContract } from './storage/meta.js'
import { optionContract } from './storage/options.js'
import { postListContract } from './storage/post-lists.js'
import { postContract } from './storage/posts.js'
import { scheduledContract } from './storage/scheduled.js'
import { termContract } from './storage/terms.js'
import { textContract } from './storage/text.js'
import { transactionContract } from './storage/transactions.js'
import { userContract } from './storage/users.js'
import { versionContract } from './storage/versions.js'
import { writeContract } from './storage/writes.js'

/** How a database compares logins and addresses beyond ignoring their case. WordPress's collation ignores all of these. */
export interface Comparison {
  readonly ignoresAccents: boolean
  readonly ignoresTrailingSpaces: boolean
}

/**
 * What every storage promises. A storage passes by running this suite.
 * @param open opens an empty storage; called once for each part of the suite.
 * @param comparison where databases differ; default: that of SQLite, which ignores only the case.
 */
export function storageContract(
  name: string,
  open: () => Promise<Storage>,
  comparison: Comparison = { ignoresAccents: false, ignoresTrailingSpaces: false },
): void {
  describe(`storage: ${name}`, () => {
    for (const [part, contract] of Object.entries({
      posts: postContract,
      'lists of posts': postListContract,
      'scheduled posts': scheduledContract,
      metadata: metaContract,
      users: (storage: () => Storage) => userContract(storage, comparison),
      terms: termContract,
      options: optionContract,
      transactions: transactionContract,
      versions: versionContract,
      writes: writeContract,
      'odd text': textContract,
      'values of other types': foreignValueContract,
    })) {
      describe(part, () => {
        let storage: Storage | undefined
        before(async () => {
          storage = await open()
        })
        after(() => storage?.close())
        contract(() => {
          if (storage === undefined) throw new Error('The storage is not open.')
          return storage
        })
      })
    }
  })
}
