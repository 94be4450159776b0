import { storeAdapterOf } from '../../src/app/stores.js'
import type { Storage } from '../../src/database/storage.js'
import type { EmptyDatabase, EmptyDatabases } from '../empty-databases.js'
import { excuseOf, recordReplays } from '../records/replays.js'
import { basenameOf } from '../vectors.js'
import { allFailed, replayCases, type ReplayFile } from './replay-cases.js'

/** `records-*`: each case on an empty database. */
export const replayRecords: ReplayFile = async (file, databases) => {
  const name = basenameOf(file.name)
  const replay = Object.hasOwn(recordReplays, name) ? recordReplays[name] : undefined
  if (!replay) return allFailed(file, `no replay knows the file ${name}`)
  const storages = emptyStorages(databases)
  try {
    return await replayCases(file, async (recorded) => {
      const storage = await storages.next()
      const { actual, passed } = await replay(recorded, () => Promise.resolve(storage), file)
      return {
        actual: { expect: actual },
        expected: { expect: passed ? actual : recorded.expect },
        excuse: excuseOf(recorded, actual),
      }
    })
  } finally {
    await storages.close()
  }
}

/** An empty storage for each case. On a server it stays open and is emptied: making its tables takes longer than all cases. */
function emptyStorages(databases: EmptyDatabases): { next(): Promise<Storage>; close(): Promise<void> } {
  let database: EmptyDatabase | null = null
  let storage: Storage | null = null
  const close = async () => {
    const [usedStorage, usedDatabase] = [storage, database]
    storage = null
    database = null
    try {
      await usedStorage?.close()
    } finally {
      await usedDatabase?.drop()
    }
  }
  return {
    async next() {
      if (database?.empty) await database.empty()
      else await close()
      database ??= await databases()
      storage ??= await storeAdapterOf(database.url).open(database.url, {})
      return storage
    },
    close,
  }
}
