import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { asAsciiJson } from './ascii-json.js'

/** A second implementation to compare with, one code unit at a time. */
function expected(json: string): string {
  return json
    .split('')
    .map((unit) => {
      const code = unit.charCodeAt(0)
      return unit === '/' ? '\\/' : code < 0x80 ? unit : `\\u${code.toString(16).padStart(4, '0')}`
    })
    .join('')
}

/** Characters with bytes near that of the slash, with zero bytes, of one and two UTF-16 code units, and half of one. */
const character = fc.constantFrom(
  ...'aa/a.0\x00\x01\x0f\x1f\x7f\x80é\xff߿ࠀ’日\ue000\ufeff\uffff',
  '😀',
  '𐀀',
  '\u{10ffff}',
  '\ud83d',
)
const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''))

test('slashes and characters beyond ASCII are escaped, other characters are copied', () => {
  fc.assert(fc.property(text, (json) => assert.equal(asAsciiJson(json), expected(json))))
})

test('a text that comes again, and another of its length, have their own escaped forms', () => {
  const texts = ['/a', 'a/', '/b', 'éb', 'bé', '日b', 'aa', '/'.repeat(34), 'é'.repeat(34), '/a'.repeat(17)]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...texts), { minLength: 10 }), (sequence) => {
      for (const json of sequence) assert.equal(asAsciiJson(json), expected(json))
    }),
  )
})

test('texts longer than the buffers are escaped completely, whatever character crosses their end', () => {
  const length = fc.oneof(fc.integer({ min: 16_300, max: 16_400 }), fc.integer({ min: 8_100, max: 66_000 }))
  fc.assert(
    fc.property(text, length, text, (before, repetitions, after) => {
      for (const filler of ['a', '/', 'é', '日', '😀']) {
        const json = before + filler.repeat(repetitions) + after
        // `assert.equal` would take minutes to describe a difference between texts of this length.
        assert.ok(asAsciiJson(json) === expected(json), `${repetitions} times ${filler} between ${before} and ${after}`)
      }
    }),
    { numRuns: 30 },
  )
})
