import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { asAsciiJson } from './ascii-json.js'

/** The rule, one unit at a time. */
function expected(json: string): string {
  return json
    .split('')
    .map((unit) => {
      const code = unit.charCodeAt(0)
      return unit === '/' ? '\\/' : code < 0x80 ? unit : `\\u${code.toString(16).padStart(4, '0')}`
    })
    .join('')
}

/** Of bytes beside the slash, of zeros, and of characters of one to four bytes. */
const character = fc.constantFrom(
  ...'aa/a.0\x00\x01\x0f\x1f\x7f\x80é\xff߿ࠀ’日\ue000\ufeff\uffff',
  '😀',
  '𐀀',
  '\u{10ffff}',
)
const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''))

test('slashes and what is beyond ASCII are spelt, everything else is copied', () => {
  fc.assert(fc.property(text, (json) => assert.equal(asAsciiJson(json), expected(json))))
})

test('texts of any length are written, whatever stands where one step of the work ends', () => {
  const length = fc.oneof(fc.integer({ min: 10_800, max: 11_000 }), fc.integer({ min: 21_000, max: 66_000 }))
  fc.assert(
    fc.property(text, length, text, (before, units, after) => {
      for (const filler of ['a', '/', 'é', '日', '😀']) {
        const json = before + filler.repeat(units) + after
        // Not by `equal`, whose account of a difference takes minutes for texts this long.
        assert.ok(asAsciiJson(json) === expected(json), `${units} times ${filler} between ${before} and ${after}`)
      }
    }),
    { numRuns: 30 },
  )
})
