import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../http/unavailable.js'
import { StorageError } from '../database/storage-error.js'
import { FailureReports } from './failure-reports.js'

class FullError extends UnavailableError {
  override readonly name = 'FullError'
}

function reports() {
  const lines: object[] = []
  const write = (line: object): void => void lines.push(line)
  let now = 0
  const reporter = new FailureReports({ info: write, warn: write, error: write }, () => now)
  return { lines, reporter, wait: (milliseconds: number) => (now += milliseconds) }
}

test('a limit that refuses again and again has one line a minute, with the number of the others', () => {
  const { lines, reporter, wait } = reports()
  const full = () => new FullError('The queue is full.', 1)
  for (let count = 0; count < 1_000; count += 1) reporter.report('request-failed', full(), { requestId: `a-${count}` })
  assert.equal(lines.length, 1)
  wait(59_999)
  reporter.report('request-failed', full(), {})
  assert.equal(lines.length, 1)
  wait(1)
  reporter.report('request-failed', full(), { requestId: 'b' })
  wait(60_000)
  reporter.report('request-failed', full(), {})
  assert.deepEqual(
    lines.map((line) => ('unlogged' in line ? line.unlogged : null)),
    [null, 1_000, null],
  )
})

test('two limits have a line each', () => {
  const { lines, reporter } = reports()
  for (const error of [new FullError('One is full.', 1), new StorageError('busy', 'The other is full.')])
    for (let count = 0; count < 10; count += 1) reporter.report('request-failed', error, {})
  assert.equal(lines.length, 2)
})

test('each fault has a line of its own', () => {
  const { lines, reporter } = reports()
  for (const error of [new TypeError('x is null'), new StorageError('unavailable', 'It cannot be reached.'), 'text'])
    for (let count = 0; count < 10; count += 1) reporter.report('request-failed', error, {})
  assert.equal(lines.length, 30)
})

test('the kinds that are remembered are bounded', () => {
  const { lines, reporter } = reports()
  for (let count = 0; count < 300; count += 1)
    reporter.report('request-failed', new FullError(`The queue ${count} is full.`, 1), {})
  assert.equal(lines.length, 300)
  reporter.report('request-failed', new FullError('The queue 299 is full.', 1), {})
  reporter.report('request-failed', new FullError('The queue 0 is full.', 1), {})
  assert.equal(lines.length, 301)
})
