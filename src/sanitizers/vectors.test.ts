import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { vectorNames } from '../../conformance/vectors.js'

for (const name of vectorNames().filter((file) => file.startsWith('functions/')))
  test(`results match conformance/recorded/vectors/${name}.json`, async () =>
    assert.deepEqual(await failuresIn(name), []))
