import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addSlashes, stripSlashes } from './slashes.js'

/** The results of PHP 8.2. */
const slashed: readonly (readonly [text: string, result: string])[] = [
  ['', ''],
  [`O'Reilly says "\\"`, `O\\'Reilly says \\"\\\\\\"`],
  ['a\0b', 'a\\0b'],
  ['\\0', '\\\\0'],
  ['$& $1', '$& $1'],
  ['é\ud800💥', 'é\ud800💥'],
]
for (const [text, result] of slashed)
  test(`addslashes of ${JSON.stringify(text)}`, () => assert.equal(addSlashes(text), result))

const stripped: readonly (readonly [text: string, result: string])[] = [
  ['\\', ''],
  ['a\\', 'a'],
  ['\\a\\\\b', 'a\\b'],
  ['\\0\\\\0', '\0\\0'],
  ['\\\\\\', '\\'],
  ['\\\n\\é\\💥', '\né💥'],
  ['no slash \ud800', 'no slash \ud800'],
  ['\\\ud800', '\ud800'],
]
for (const [text, result] of stripped)
  test(`stripslashes of ${JSON.stringify(text)}`, () => assert.equal(stripSlashes(text), result))

test('stripslashes reverses addslashes', () => {
  const texts = fc.string({ unit: fc.constantFrom('\\', "'", '"', '\0', '0', 'a', 'é', '\ud800', '💥') })
  fc.assert(fc.property(texts, (text) => assert.equal(stripSlashes(addSlashes(text)), text)))
})
