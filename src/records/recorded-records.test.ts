import assert from 'node:assert/strict'
import test from 'node:test'
import { isLeftOut, recordReplays } from '../../conformance/records/replays.js'
import { readVectors } from '../../conformance/vectors.js'
import { openSqlite } from '../adapters/sqlite/open-sqlite.js'

for (const [name, replay] of Object.entries(recordReplays))
  test(`recorded: ${name}`, async () => {
    const file = readVectors(name)
    const differences: Record<string, unknown> = {}
    for (const recorded of file.cases) {
      if (isLeftOut(recorded)) continue
      const storage = await openSqlite('sqlite::memory:')
      const { passed, answer } = await replay(recorded, () => Promise.resolve(storage), file)
      await storage.close()
      if (!passed) differences[recorded.id] = { ...recorded, answer }
    }
    assert.deepEqual(differences, {})
  })
