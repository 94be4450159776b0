import assert from 'node:assert/strict'
import test from 'node:test'
import { recordReplays } from '../../conformance/records/replays.js'
import { failuresIn } from '../../conformance/replay/failures.js'

for (const name of Object.keys(recordReplays))
  test(`the records of WordPress in ${name} are reproduced`, async () => assert.deepEqual(await failuresIn(name), []))
