import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { byteLength, decodeBytes, encodeText } from './text.js'

/** A second implementation to compare with: encodes character by character. */
function encodedByCharacter(text: string): number[] {
  return Array.from(text).flatMap((character) => {
    const code = character.codePointAt(0) ?? 0
    return code >= 0xdc80 && code <= 0xdcff ? [code - 0xdc00] : Array.from(new TextEncoder().encode(character))
  })
}

const unit = fc.constantFrom(
  'a',
  'é',
  '€',
  '😀',
  '\ud83d',
  '\udc00',
  '\udc7f',
  '\udc80',
  '\udcff',
  '\udd00',
  '\ufffd',
  '\0',
)

test('a text encodes to the bytes of its characters, and to one byte for each lone surrogate from U+DC80 to U+DCFF', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.uint8Array().map(decodeBytes)), (text) => {
      assert.deepEqual(Array.from(encodeText(text)), encodedByCharacter(text))
      assert.equal(byteLength(text), encodeText(text).length)
    }),
    { numRuns: 2000 },
  )
})

test('any bytes survive decoding and encoding', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.deepEqual([...encodeText(decodeBytes(bytes))], [...bytes])))
})

test('a large text that is not UTF-8 is encoded in linear time', () => {
  const start = performance.now()
  for (let times = 0; times < 25; times += 1) encodeText(`\udcff${'a'.repeat(1_000_000)}`)
  for (const text of ['\udcff', 'a\udcff', '😀\udcffé']) encodeText(text.repeat(1_000_000 / text.length))
  assert.ok(performance.now() - start < 15_000)
})
