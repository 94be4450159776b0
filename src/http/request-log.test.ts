import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestLog } from './request-log.js'

test('the log of an application takes fields and a message, a message, or an error', () => {
  const lines: unknown[] = []
  const write = (fields: object, message: string) => void lines.push([fields, message])
  const log = requestLog({ info: write, warn: write, error: write }, { requestId: 'r-1' })
  const err = new Error('no paper')
  log.info({ order: 5, requestId: 'another' }, 'sold')
  log.warn('sold out')
  log.error(err)
  log.error(err, 'not printed')
  assert.deepEqual(lines, [
    [{ order: 5, requestId: 'r-1' }, 'sold'],
    [{ requestId: 'r-1' }, 'sold out'],
    [{ err, requestId: 'r-1' }, 'no paper'],
    [{ err, requestId: 'r-1' }, 'not printed'],
  ])
})
