import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeferredLog } from './deferred-log.js'

test('lines are written in order, also those told before pino was there', async () => {
  const written: string[] = []
  const given = (name: string) => (fields: object, message: string) => void written.push(`${name} ${message}`)
  const log = new DeferredLog(async () => ({ info: given('info'), warn: given('warn'), error: given('error') }))
  log.info({}, 'one')
  log.error({}, 'two')
  assert.deepEqual(written, [])
  await log.flushed()
  log.warn({}, 'three')
  assert.deepEqual(written, ['info one', 'error two', 'warn three'])
})

test('nothing is loaded for a service that tells nothing', async () => {
  const log = new DeferredLog(() => assert.fail('it was loaded'))
  await log.flushed()
})
