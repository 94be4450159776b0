import assert from 'node:assert/strict'
import test from 'node:test'
import { recordReplays } from '../../conformance/records/replays.js'
import { failuresIn } from '../../conformance/replay/failures.js'

for (const name of Object.keys(recordReplays))
  test(`recorded: ${name}`, async () => assert.deepEqual(await failuresIn(name), []))
