import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { vectorNames } from '../../conformance/vectors.js'
import { entriesOf } from '../php/array-shape.js'
import { decodeBytes } from '../php/text.js'
import { parseQuery } from '../http/query.js'
import type { ArgumentRules } from './rules.js'
import { compileSchema } from './schema.js'

for (const name of vectorNames().filter((file) => file.startsWith('schema-')))
  test(`recorded: ${name}`, async () => assert.deepEqual(await failuresIn(name), []))

test('the length of a list is none of its properties', () => {
  const needsLength = compileSchema({ type: 'object', required: ['length'] })
  assert.equal(needsLength.validate(['a'], 'value')?.message, 'length is a required property of value.')
  assert.equal(needsLength.validate({ length: 1 }, 'value'), null)
  const oneMap = compileSchema({ type: 'object', enum: [{ length: 1 }] })
  assert.equal(oneMap.validate(['length'], 'value')?.code, 'rest_not_in_enum')
})

test('an enum names its lists and maps as PHP writes them', () => {
  const choices = [[{}, 'é/'], { 0: 'a', 1: ['b'] }, { x: { y: [] }, z: 1e-7 }]
  const problem = compileSchema({ type: 'object', enum: choices }).validate({}, 'value')
  assert.equal(
    problem?.message,
    String.raw`value is not one of [[],"\u00e9\/"], ["a",["b"]], and {"x":{"y":[]},"z":1.0e-7}.`,
  )
})

test('the length of a text that is not UTF-8 counts each first byte with those that should follow it', () => {
  const lengths: [bytes: string, length: number][] = [
    ['e974e9', 1],
    ['61e9', 2],
    ['c0af', 2],
    ['f09f98616263', 3],
    ['f8888080', 4],
    ['e2f09f9880', 3],
    ['61c3a9', 2],
    ['d9a4d4ea89a89783', 6],
  ]
  for (const [bytes, length] of lengths) {
    const text = decodeBytes(Buffer.from(bytes, 'hex'))
    const fits = (rules: ArgumentRules): boolean =>
      compileSchema({ type: 'string', ...rules }).validate(text, 'a') === null
    assert.equal(fits({ minLength: length, maxLength: length }), true, bytes)
    assert.equal(fits({ minLength: length + 1 }), false, bytes)
    assert.equal(fits({ maxLength: length - 1 }), false, bytes)
  }
})

test('text beyond 64 bits is the largest integer, also when it is coerced by a candidate and by the type around', () => {
  for (const text of ['99999999999999999999', '-99999999999999999999'])
    for (const rules of [{ anyOf: [{ type: 'integer' }] }, { oneOf: [{ type: 'integer' }], type: 'integer' }] as const)
      assert.equal(compileSchema(rules).sanitize(text, 'any').value, Math.sign(Number(text)) * 2 ** 63)
})

test('a map of a query is judged, and handed on, in the order in which it was sent', () => {
  const map = compileSchema({ type: 'object', additionalProperties: { type: 'integer' } })
  const sent = (query: string) => parseQuery(query).bag['a']
  assert.equal(map.validate(sent('a[b]=x&a[0]=y'), 'a')?.message, 'a[b] is not of type integer.')
  const { value } = map.sanitize(sent('a[b]=3&a[7]=1&a[5]=2'), 'a')
  assert.deepEqual(entriesOf(value as object), [
    ['b', 3],
    ['7', 1],
    ['5', 2],
  ])
})

test('a list of a query has the order in which it was sent, whatever its keys', () => {
  const list = compileSchema({ type: 'array', items: { type: 'integer' } })
  const sent = (query: string) => list.sanitize(parseQuery(query).bag['a'], 'a').value
  assert.deepEqual(sent('a[5]=1&a[2]=2'), [1, 2])
  assert.deepEqual(sent('a[1]=1&a[0]=2&a[]=3'), [1, 2, 3])
  assert.deepEqual(sent('a[2]=1&a[5]=2'), [1, 2])
  // An integer to PHP, and beyond what JavaScript counts to exactly.
  assert.deepEqual(sent('a[1234567890123456789]=1&a[3]=2'), [1, 2])
  assert.equal(list.validate(parseQuery('a[9223372036854775808]=1').bag['a'], 'a')?.message, 'a is not of type array.')
})
