import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsToWait } from './seconds-to-wait.js'
import { StorageError, type StorageFault } from '../database/storage-error.js'

const waits: [fault: StorageFault, seconds: number | null][] = [
  ['busy', 1],
  ['unavailable', 10],
  ['full', 60],
  ['read-only', 60],
  ['failed', null],
]
for (const [fault, seconds] of waits)
  test(`the database error '${fault}' has ${seconds === null ? 'no Retry-After' : `a Retry-After of ${seconds} s`}`, () => {
    assert.equal(secondsToWait(new StorageError(fault, 'x')), seconds)
  })

test('other errors have no Retry-After', () => {
  for (const error of [new Error('busy'), 'busy', null]) assert.equal(secondsToWait(error), null)
})
