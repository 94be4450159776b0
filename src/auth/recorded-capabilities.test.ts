import assert from 'node:assert/strict'
import test from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { vectorNames } from '../../conformance/vectors.js'

for (const name of vectorNames().filter((file) => file.startsWith('caps-')))
  test(`the capability checks of WordPress in ${name} are reproduced`, async () =>
    assert.deepEqual(await failuresIn(name), []))
