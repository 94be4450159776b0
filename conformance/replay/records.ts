import { storeOf } from '../../src/app/stores.js'
import type { Storage } from '../../src/database/storage.js'
import type { EmptyDatabases } from '../empty-databases.js'
import { excuseOf, recordReplays } from '../records/replays.js'
import { basenameOf } from '../vectors.js'
import { allFailed, replayCases, type ReplayFile } from './replay-cases.js'

/** `records-*`: each case on an empty database of its own. */
export const replayRecords: ReplayFile = async (file, databases) => {
  const name = basenameOf(file.name)
  const replay = Object.hasOwn(recordReplays, name) ? recordReplays[name] : undefined
  if (!replay) return allFailed(file, `no replay knows the file ${name}`)
  return replayCases(file, (recorded) =>
    withEmptyStorage(databases, async (storage) => {
      const { answer, passed } = await replay(recorded, () => Promise.resolve(storage), file)
      return {
        answer: { expect: answer },
        expected: { expect: passed ? answer : recorded.expect },
        excuse: excuseOf(recorded, answer),
      }
    }),
  )
}

async function withEmptyStorage<T>(databases: EmptyDatabases, use: (storage: Storage) => Promise<T>): Promise<T> {
  const { url, drop } = await databases()
  try {
    const storage = await storeOf(url).open(url, {})
    try {
      return await use(storage)
    } finally {
      await storage.close()
    }
  } finally {
    await drop()
  }
}
