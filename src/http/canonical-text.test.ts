import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as assertProperty, jsonValue, property } from 'fast-check'
import { parseQuery } from './query.js'
import { canonicalText } from './canonical-text.js'

test('two JSON values have the same text only when they are equal, including the order of keys', () => {
  const value = jsonValue({ maxDepth: 3 })
  const inOrder = (json: unknown) => JSON.stringify(json, (_, item: unknown) => (Object.is(item, -0) ? '-0?' : item))
  assertProperty(
    property(value, value, (first, second) => {
      assert.equal(canonicalText(first) === canonicalText(second), inOrder(first) === inOrder(second))
      assert.equal(canonicalText(structuredClone(first)), canonicalText(first))
    }),
  )
})

test('maps from queries with another order of keys have different texts', () => {
  const textOf = (query: string) => canonicalText(parseQuery(query).parameters)
  assert.notEqual(textOf('f[5]=a&f[2]=b'), textOf('f[2]=b&f[5]=a'))
  assert.equal(textOf('f[5]=a&f[2]=b'), textOf('f[5]=a&f[2]=b'))
})

class OwnClass {
  readonly value = 1
}
const cyclic: unknown[] = []
cyclic.push(cyclic)
const unrepresentable: [kind: string, value: unknown][] = [
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['an infinite number', Infinity],
  ['a bigint', 1n],
  ['a symbol', Symbol('a')],
  ['a function', () => 1],
  ['a Date', new Date(0)],
  ['a Map', new Map([[1, 2]])],
  ['a Set in a list', [new Set([1])]],
  ['an object of a class', { own: new OwnClass() }],
  ['a symbol as a key', { [Symbol('a')]: 1 }],
  ['a list that contains itself', cyclic],
]
for (const [kind, value] of unrepresentable)
  test(`${kind} has no text`, () => {
    assert.equal(canonicalText(value), null)
  })
