import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from './log.js'
import { DeferredLog } from './deferred-log.js'
import { pinoLog } from './pino-log.js'
import { plainLog } from './plain-log.js'

test('lines are written in order, including those logged before pino was loaded', async () => {
  const written: string[] = []
  const writer = (level: string) => (fields: object, message: string) => void written.push(`${level} ${message}`)
  const log = new DeferredLog(async () => ({ info: writer('info'), warn: writer('warn'), error: writer('error') }))
  log.info({}, 'one')
  log.error({}, 'two')
  assert.deepEqual(written, [])
  await log.flushed()
  log.warn({}, 'three')
  assert.deepEqual(written, ['info one', 'error two', 'warn three'])
})

test('pino is not loaded while nothing is logged', async () => {
  const log = new DeferredLog(() => assert.fail('it was loaded'))
  await log.flushed()
})

test('while pino cannot be loaded, lines go to the plain log and each line tries to load pino again', async () => {
  const written: string[] = []
  const writer = (level: string) => (fields: object, message: string) => void written.push(`${level} ${message}`)
  const byPino: Log = { info: writer('info'), warn: writer('warn'), error: writer('error') }
  const attempts = [Promise.reject(new Error('EMFILE')), Promise.reject(new Error('EMFILE')), Promise.resolve(byPino)]
  for (const attempt of attempts) attempt.catch(() => {})
  const plain: string[] = []
  const log = new DeferredLog(
    () => attempts.shift() ?? assert.fail('it was loaded again'),
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

test('a line that pino cannot write goes to the plain log, and the other lines to pino', async () => {
  const written: string[] = []
  const info = (fields: object, message: string) => {
    if (message.startsWith('bad')) throw new Error('it cannot be written')
    written.push(message)
  }
  const plain: string[] = []
  const log = new DeferredLog(
    async () => ({ info, warn: info, error: info }),
    plainLog((text) => plain.push(text)),
  )
  for (const message of ['one', 'bad', 'two']) log.info({}, message)
  await log.flushed()
  for (const message of ['three', 'bad later', 'four']) log.info({}, message)
  assert.deepEqual(written, ['one', 'two', 'three', 'four'])
  assert.deepEqual(
    plain.map((text) => (JSON.parse(text) as { msg: string }).msg),
    ['bad', 'bad later'],
  )
})

const unwritableErrors: [what: string, error: () => unknown, logged: object][] = [
  ['is frozen', () => Object.freeze(new Error('ice')), { message: 'ice' }],
  ['throws when it is read', () => Object.defineProperty(new Error('x'), 'y', { enumerable: true, get: boom }), {}],
]
for (const [what, error, logged] of unwritableErrors)
  test(`an error that ${what} is logged`, async () => {
    const plain: string[] = []
    const log = new DeferredLog(
      async () => pinoLog({ write() {} }),
      plainLog((text) => plain.push(text)),
    )
    log.info({}, 'pino is loaded')
    await log.flushed()
    log.error({ err: error() }, 'a request failed')
    const line = JSON.parse(plain.join('')) as { msg: string; err?: object }
    assert.equal(line.msg, 'a request failed')
    assert.deepEqual({ ...line.err, ...logged }, { ...line.err })
  })

function boom(): never {
  throw new Error('boom')
}
