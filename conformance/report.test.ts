import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readExceptions, report, type FileResult } from './report.js'
import type { CaseResult } from './result.js'

const result = (id: string, members: Partial<CaseResult> = {}): CaseResult => ({
  id,
  rule: 'rule',
  passed: true,
  quirk: false,
  differences: members.passed === false ? ['a, expected b'] : [],
  actual: null,
  ...members,
})

function reported(cases: readonly CaseResult[], exceptions = new Map<string, string>()) {
  const lines: string[] = []
  const results: FileResult[] = cases.length > 0 ? [{ name: 'http/x', cases }] : []
  const passed = report(results, exceptions, { diff: false, write: (line) => lines.push(line) })
  return { passed, text: lines.join('\n') }
}

test('everything passes when all cases pass, are quirks, or are excepted with a reason', () => {
  const cases = [result('a'), result('b', { passed: false, quirk: true }), result('c', { passed: false })]
  const { passed, text } = reported(cases, new Map([['http/x c', 'because']]))
  assert.equal(passed, true)
  assert.match(text, /^http\/x: 1\/3$/m)
  assert.match(text, /^1\/3 \(33\.33 %\): 0 failed, 1 excepted with a reason, 1 quirk that differs$/m)
})

test('one failed case fails the run, and is named with what differs', () => {
  const { passed, text } = reported(
    [result('a'), result('b', { passed: false })],
    new Map([['http/other b', 'because']]),
  )
  assert.equal(passed, false)
  assert.match(text, /FAILED b \(rule\): a, expected b/)
})

test('a run without cases fails', () => {
  assert.equal(reported([]).passed, false)
  assert.equal(reported([result('a')].slice(1)).passed, false)
})

test('an exception that is not needed any more is named', () => {
  assert.match(
    reported([result('a')], new Map([['http/x a', 'because']])).text,
    /http\/x a passes: it needs no exception/,
  )
})

test('every recorded case passes or is a quirk: there are no exceptions', () => {
  assert.deepEqual([...readExceptions(fileURLToPath(new URL('./', import.meta.url)))], [])
})
