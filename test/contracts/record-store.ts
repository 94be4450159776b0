import { listContract } from './record-store/lists.js'
import { readingContract } from './record-store/reading.js'
import { behavesWith, type OpenedRecordStore, type RecordStoreSetup } from './record-store/setup.js'
import { writingContract } from './record-store/writing.js'

/** The tests that every store of records passes. `open` returns an empty store. */
export function recordStoreContract(name: string, open: (setup: RecordStoreSetup) => Promise<OpenedRecordStore>): void {
  const behaves = behavesWith(name, open)
  writingContract(behaves)
  readingContract(behaves)
  listContract(behaves)
}
