import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as always, jsonValue, property } from 'fast-check'
import { parseQuery } from './query.js'
import { canonicalText } from './canonical-text.js'

test('two values that JSON can say share a text only when they are equal, keys in order', () => {
  const value = jsonValue({ maxDepth: 3 })
  const inOrder = (given: unknown) => JSON.stringify(given, (_, item: unknown) => (Object.is(item, -0) ? '-0?' : item))
  always(
    property(value, value, (one, two) => {
      assert.equal(canonicalText(one) === canonicalText(two), inOrder(one) === inOrder(two))
      assert.equal(canonicalText(structuredClone(one)), canonicalText(one))
    }),
  )
})

test('maps of a query that were sent in another order are told apart', () => {
  const textOf = (query: string) => canonicalText(parseQuery(query).bag)
  assert.notEqual(textOf('f[5]=a&f[2]=b'), textOf('f[2]=b&f[5]=a'))
  assert.equal(textOf('f[5]=a&f[2]=b'), textOf('f[5]=a&f[2]=b'))
})

class Own {
  readonly value = 1
}
const cyclic: unknown[] = []
cyclic.push(cyclic)
const unsaid: [what: string, value: unknown][] = [
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['an infinite number', Infinity],
  ['a bigint', 1n],
  ['a symbol', Symbol('a')],
  ['a function', () => 1],
  ['a Date', new Date(0)],
  ['a Map', new Map([[1, 2]])],
  ['a Set in a list', [new Set([1])]],
  ['an object of a class', { own: new Own() }],
  ['a symbol as a key', { [Symbol('a')]: 1 }],
  ['a list that contains itself', cyclic],
]
for (const [what, value] of unsaid)
  test(`${what} has no text`, () => {
    assert.equal(canonicalText(value), null)
  })
