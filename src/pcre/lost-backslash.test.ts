import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostBackslash } from './lost-backslash.js'

const patternsWithLostBackslash = [
  '/(?P<id>d+)',
  '/(?P<slug>w+)',
  '/(?P<id>d{4})',
  '/(?P<id>[d]+)',
  '/(?P<slug>[w-]+)',
  '/x/d+',
  '/(?:s*)',
  '/\bword',
  '/(?P<id>D+)',
  '/[a-z]d+',
]
for (const pattern of patternsWithLostBackslash)
  test(`${JSON.stringify(pattern)} is reported to have lost a backslash`, () => {
    assert.match(lostBackslash(pattern) ?? '', /lost a backslash.*write '\\\\/)
  })

const validPatterns = [
  '/(?P<id>\\d+)',
  '/(?P<slug>[\\w-]+)',
  '/(?P<s>\\s*)',
  '/(?P<size>s|m|l)',
  '/words+',
  '/https?',
  '/(?P<id>[\\d]+)',
  '/(?P<hex>[a-d]+)',
  '/(?P<x>[dw]x)',
  '/(?P<y>\\p{Ld}+)',
  '/d',
  '/v2/(?P<d>\\d+)',
  '/[\\]d+]',
]
for (const pattern of validPatterns)
  test(`${JSON.stringify(pattern)} is not reported to have lost a backslash`, () =>
    assert.equal(lostBackslash(pattern), null))
