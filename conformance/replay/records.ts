import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { excuseOf, recordReplays } from '../records/replays.js'
import { basenameOf } from '../vectors.js'
import { allFailed, replayCases, type ReplayFile } from './replay-cases.js'

/** `records-*`: each case on an empty database of its own. */
export const replayRecords: ReplayFile = async (file) => {
  const name = basenameOf(file.name)
  const replay = Object.hasOwn(recordReplays, name) ? recordReplays[name] : undefined
  if (!replay) return allFailed(file, `no replay knows the file ${name}`)
  return replayCases(file, async (recorded) => {
    const storage = await openSqlite('sqlite::memory:')
    try {
      const { answer, passed } = await replay(recorded, () => Promise.resolve(storage), file)
      return {
        answer: { expect: answer },
        expected: { expect: passed ? answer : recorded.expect },
        excuse: excuseOf(recorded, answer),
      }
    } finally {
      await storage.close()
    }
  })
}
