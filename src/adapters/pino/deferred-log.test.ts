import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../service/log.js'
import { DeferredLog } from './deferred-log.js'
import { plainLog } from './plain-log.js'

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

test('while pino cannot be loaded, lines are written without it; each tries again', async () => {
  const written: string[] = []
  const given = (name: string) => (fields: object, message: string) => void written.push(`${name} ${message}`)
  const byPino: Log = { info: given('info'), warn: given('warn'), error: given('error') }
  const opened = [Promise.reject(new Error('EMFILE')), Promise.reject(new Error('EMFILE')), Promise.resolve(byPino)]
  for (const promise of opened) promise.catch(() => {})
  const plain: string[] = []
  const log = new DeferredLog(
    () => opened.shift() ?? assert.fail('it was loaded again'),
    plainLog((text) => plain.push(text)),
  )
  log.info({}, 'one')
  log.error({}, 'two')
  await log.flushed()
  log.info({}, 'three')
  await log.flushed()
  log.info({}, 'four')
  await log.flushed()
  log.info({}, 'five')
  const messages = plain.map((text) => (JSON.parse(text) as { msg: string }).msg)
  assert.deepEqual(messages, ['the log could not be opened, lines are written here', 'one', 'two', 'three'])
  assert.deepEqual(written, ['info four', 'info five'])
})

test('a line that cannot be written does not take the others with it', async () => {
  const written: string[] = []
  const info = (fields: object, message: string) => {
    if (message === 'bad') throw new Error('the disk is full')
    written.push(message)
  }
  const log = new DeferredLog(async () => ({ info, warn: info, error: info }))
  for (const message of ['one', 'bad', 'two']) log.info({}, message)
  await log.flushed()
  assert.deepEqual(written, ['one', 'two'])
})
