import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { replaceText } from './replace-text.js'

test('every occurrence of a text is replaced, and nothing else, as by replaceAll', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '$', '&'), maxLength: 12 })
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', '$'), minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(text, plain, text, (text, plain, replacement) => {
      assert.equal(
        replaceText(text, plain, replacement),
        text.replaceAll(plain, () => replacement),
      )
    }),
  )
})
