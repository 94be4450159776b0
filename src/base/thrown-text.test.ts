import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf, textOf } from './thrown-text.js'

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const failing = {
  get: () => {
    throw new Error('This property throws.')
  },
}
const none = 'What was thrown has no text.'

const rows: [thrown: unknown, message: string, text: string][] = [
  [new TypeError('no paper'), 'no paper', 'TypeError: no paper'],
  [new Error(''), '', 'Error: '],
  ['no paper', 'no paper', 'no paper'],
  [undefined, 'undefined', 'undefined'],
  [Symbol('paper'), 'Symbol(paper)', 'Symbol(paper)'],
  [Object.assign(new Error('x'), { message: Symbol('paper') }), 'Symbol(paper)', 'Error: Symbol(paper)'],
  [Object.assign(new Error('x'), { message: Object.create(null) as string }), none, none],
  [Object.create(null), none, none],
  [new Proxy(new Error('x'), failing), none, none],
  [Object.defineProperty(new Error('no paper'), 'name', failing), 'no paper', none],
  [revoked(), none, none],
]
for (const [index, [thrown, message, text]] of rows.entries())
  test(`the text of what was thrown, ${index + 1}: ${text}`, () => {
    assert.equal(messageOf(thrown), message)
    assert.equal(textOf(thrown), text)
  })
