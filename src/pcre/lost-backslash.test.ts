import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostBackslash } from './lost-backslash.js'

const lost = [
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
for (const pattern of lost)
  test(`${JSON.stringify(pattern)} lost a backslash`, () => {
    assert.match(lostBackslash(pattern) ?? '', /lost a backslash.*write '\\\\/)
  })

const right = [
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
for (const pattern of right)
  test(`${JSON.stringify(pattern)} is left alone`, () => assert.equal(lostBackslash(pattern), null))
