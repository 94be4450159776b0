import { listContract } from './record-store/lists.js'
import { readingContract } from './record-store/reading.js'
import { behavesWith, type OpenedRecordStore, type RecordStoreSetup } from './record-store/setup.js'
import { writingContract } from './record-store/writing.js'

/** What every store of records must do; `open` gives an empty one. */
export function recordStoreContract(name: string, open: (setup: RecordStoreSetup) => Promise<OpenedRecordStore>): void {
  const behaves = behavesWith(name, open)
  writingContract(behaves)
  readingContract(behaves)
  listContract(behaves)
}
