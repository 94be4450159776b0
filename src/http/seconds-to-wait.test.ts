import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsToWait } from './seconds-to-wait.js'
import { StorageError, type StorageFault } from '../database/storage-error.js'

const waits: [fault: StorageFault, seconds: number | null][] = [
  ['busy', 1],
  ['unavailable', 10],
  ['full', null],
  ['read-only', null],
  ['failed', null],
]
for (const [fault, seconds] of waits)
  test(`a database that is ${fault}: ${seconds === null ? 'waiting does not help' : `${seconds} seconds`}`, () => {
    assert.equal(secondsToWait(new StorageError(fault, 'x')), seconds)
  })

test('another error does not end by itself', () => {
  for (const error of [new Error('busy'), 'busy', null]) assert.equal(secondsToWait(error), null)
})
