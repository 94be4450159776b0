import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedLine, maxLineLength } from './bounded-line.js'
import { pinoLog } from './pino-log.js'

const line = (fields: object): string => {
  let text = ''
  pinoLog({ write: (written) => (text += written) }).error(fields, 'a request failed')
  return text
}

const deep = (depth: number): object => (depth === 0 ? {} : { inner: deep(depth - 1), text: 'x'.repeat(500) })

const long: [what: string, fields: object][] = [
  ['a long text', { path: `/${'x'.repeat(200_000)}` }],
  ['a text of escapes', { path: '\u0001'.repeat(200_000) }],
  ['a text of surrogates', { path: '\ud800'.repeat(200_000) }],
  ['a long message of an error', { err: new Error('x'.repeat(200_000)) }],
  ['many fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]))],
  ['long names', { ['n'.repeat(100_000)]: 1 }],
  ['many items', { list: Array.from({ length: 50_000 }, (_, index) => index) }],
  ['empty items', { list: Array.from({ length: 50_000 }, () => []) }],
  ['deep fields', { value: deep(200) }],
  ['more than is parsed', { path: `"${'x'.repeat(2_000_000)}` }],
]
for (const [what, fields] of long)
  test(`a line with ${what} is cut, stays JSON, and keeps its level, time and message`, () => {
    const text = line(fields)
    assert.ok(text.length <= maxLineLength, `${text.length} characters`)
    assert.ok(text.endsWith('\n') && text.indexOf('\n') === text.length - 1)
    const { level, time, msg, truncated } = JSON.parse(text) as Record<string, unknown>
    assert.deepEqual([level, msg], ['error', 'a request failed'])
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/)
    assert.ok(Number(truncated) > maxLineLength)
  })

test('a stack trace keeps its beginning', () => {
  const { err } = JSON.parse(line({ err: new Error('x'.repeat(40_000)) })) as { err: { stack: string } }
  assert.match(err.stack, /^Error: xxx/)
})

test('a line that is not too long is not changed', () => {
  const text = `{"a":"${'x'.repeat(maxLineLength - 9)}"}\n`
  assert.equal(boundedLine(text), text)
})

test('a long line that is not JSON is replaced', () => {
  assert.deepEqual(JSON.parse(boundedLine('x'.repeat(40_000))), { truncated: 40_000 })
})
