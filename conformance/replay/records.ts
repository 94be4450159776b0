import { storeOf } from '../../src/app/stores.js'
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
      const { answer, passed } = await replay(recorded, () => Promise.resolve(storage), file)
      return {
        answer: { expect: answer },
        expected: { expect: passed ? answer : recorded.expect },
        excuse: excuseOf(recorded, answer),
      }
    })
  } finally {
    await storages.close()
  }
}

/** An empty storage for each case. That of a server stays open: its tables and connections cost more than all cases. */
function emptyStorages(databases: EmptyDatabases): { next(): Promise<Storage>; close(): Promise<void> } {
  let opened: { readonly storage: Storage; readonly database: EmptyDatabase } | null = null
  const close = async () => {
    await opened?.storage.close()
    await opened?.database.drop()
    opened = null
  }
  return {
    async next() {
      if (opened?.database.empty) await opened.database.empty()
      else await close()
      if (opened !== null) return opened.storage
      const database = await databases()
      const storage = await storeOf(database.url).open(database.url, {})
      opened = { storage, database }
      return storage
    },
    close,
  }
}
