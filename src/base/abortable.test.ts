import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abortable } from './abortable.js'

test('a signal that has aborted ends the wait at once, and a later failure of the work is handled', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const work = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), 1))
    await assert.rejects(abortable(work, AbortSignal.abort(new Error('stopped'))), /stopped/)
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(unhandled, [])
  } finally {
    process.off('unhandledRejection', note)
  }
})
