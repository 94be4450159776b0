import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern, patternFault } from './pattern.js'
import { unlimitedWork } from './work-limit.js'

test('WordPress puts # around a pattern, and escapes each # inside', () => {
  assert.equal(compilePattern('^a#b$')('a#b', unlimitedWork), true)
  assert.equal(compilePattern('[#]')('#', unlimitedWork), true)
  assert.equal(compilePattern('\\\\#')('\\#', unlimitedWork), true)
  // With the flag `x`, an escaped `#` begins no comment.
  assert.equal(compilePattern('(?x)# a')('# a', unlimitedWork), false)
  assert.equal(compilePattern('(?x)# a')('#a', unlimitedWork), true)
})

test('a # with a backslash of its own would end the pattern, and matches nothing', () => {
  assert.equal(compilePattern('^\\#')('#', unlimitedWork), false)
  assert.match(patternFault('^\\#', 10)?.message ?? '', /write '#' \(at character 2: '\\#'\)/)
})

test('an error behind a # has the position in the pattern as it was written', () => {
  assert.match(patternFault('##(a', 10)?.message ?? '', /at character 3: '\(a'/)
})
