import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from './log.js'
import { pinoLog } from './pino-log.js'
import { plainLog } from './plain-log.js'

const fault = Object.assign(new TypeError('too many open files'), { code: 'EMFILE' })

const lines: [what: string, write: (log: Log) => void][] = [
  ['fields', (log) => log.info({ method: 'GET', path: '/é', count: 3 }, 'hello')],
  ['a fault', (log) => log.error({ err: fault, requestId: 'a-1' }, 'a request failed')],
  ['a secret', (log) => log.warn({ password: 'hush', headers: { cookie: 'hush', 'X-WP-Nonce': 'hush' } }, 'told')],
]

for (const [what, write] of lines)
  test(`a line with ${what} is what pino writes`, () => {
    let [plain, byPino] = ['', '']
    write(plainLog((text) => (plain += text)))
    write(pinoLog({ write: (text) => (byPino += text) }))
    assert.match(plain, /^[^\n]+\n$/)
    assert.deepEqual(timeless(plain), timeless(byPino))
  })

function timeless(line: string): object {
  const { time, ...rest } = JSON.parse(line) as { time: string }
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  return rest
}

test('what cannot be written as JSON does not keep the message back', () => {
  const circle: { self?: object } = {}
  circle.self = circle
  let text = ''
  plainLog((line) => (text += line)).error(circle, 'a request failed')
  assert.equal((JSON.parse(text) as { msg: string }).msg, 'a request failed')
})

test('a file that takes nothing harms nobody', () => {
  plainLog(() => {
    throw new Error('EAGAIN')
  }).info({}, 'hello')
})
