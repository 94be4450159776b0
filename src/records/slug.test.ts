import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { shortened } from './slug.js'

const cases: [slug: string, length: number, short: string][] = [
  ['lamp', 10, 'lamp'],
  ['desk-lamp', 5, 'desk'],
  ['%e6%97%a5%e6%9c%ac', 17, '%e6%97%a5'],
  ['a%e6%97%a5', 9, 'a'],
  ['---', 3, ''],
]
for (const [slug, length, short] of cases)
  test(`'${slug}' cut to ${length} is '${short}'`, () => assert.equal(shortened(slug, length), short))

test('a cut slug is never too long, begins the whole one and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(200), (text, length) => {
      const slug = encodeURIComponent(text).toLowerCase()
      const short = shortened(slug, length)
      assert.ok(short.length <= length && slug.startsWith(short) && !short.endsWith('-'))
      assert.doesNotThrow(() => decodeURIComponent(short))
    }),
  )
})
