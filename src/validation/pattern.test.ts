import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern, patternFault } from './pattern.js'

test('WordPress puts # around a pattern, and escapes each # inside', () => {
  assert.equal(compilePattern('^a#b$')('a#b'), true)
  assert.equal(compilePattern('[#]')('#'), true)
  assert.equal(compilePattern('\\\\#')('\\#'), true)
  // With the flag `x`, an escaped `#` begins no comment.
  assert.equal(compilePattern('(?x)# a')('# a'), false)
  assert.equal(compilePattern('(?x)# a')('#a'), true)
})

test('a # with a backslash of its own would end the pattern, and matches nothing', () => {
  assert.equal(compilePattern('^\\#')('#'), false)
  assert.match(patternFault('^\\#', 10)?.message ?? '', /write '#' \(at character 2: '\\#'\)/)
})

test('an error behind a # has the position in the pattern as it was written', () => {
  assert.match(patternFault('##(a', 10)?.message ?? '', /at character 3: '\(a'/)
})
