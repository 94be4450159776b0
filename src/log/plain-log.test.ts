import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from './log.js'
import { pinoLog } from './pino-log.js'
import { plainLog } from './plain-log.js'

const error = Object.assign(new TypeError('too many open files'), { code: 'EMFILE' })

const lines: [what: string, write: (log: Log) => void][] = [
  ['fields', (log) => log.info({ method: 'GET', path: '/é', count: 3 }, 'hello')],
  ['an error', (log) => log.error({ err: error, requestId: 'a-1' }, 'a request failed')],
  ['a secret', (log) => log.warn({ password: 'hush', headers: { cookie: 'hush', 'X-WP-Nonce': 'hush' } }, 'logged')],
]

for (const [what, write] of lines)
  test(`a line with ${what} is the same as pino's`, () => {
    let [plain, byPino] = ['', '']
    write(plainLog((text) => (plain += text)))
    write(pinoLog({ write: (text) => (byPino += text) }))
    assert.match(plain, /^[^\n]+\n$/)
    assert.deepEqual(withoutTime(plain), withoutTime(byPino))
  })

function withoutTime(line: string): object {
  const { time, ...rest } = JSON.parse(line) as { time: string }
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  return rest
}

test('fields that cannot be read are left out, and the message is written', () => {
  const fields = {
    get broken(): never {
      throw new Error('unreadable')
    },
  }
  let text = ''
  plainLog((line) => (text += line)).error(fields, 'a request failed')
  assert.equal((JSON.parse(text) as { msg: string }).msg, 'a request failed')
})

test('an error while the plain log writes is not thrown', () => {
  plainLog(() => {
    throw new Error('EAGAIN')
  }).info({}, 'hello')
})
