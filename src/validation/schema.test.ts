import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { vectorNames } from '../../conformance/vectors.js'
import { entriesOf } from '../php/array-shape.js'
import { parseJson } from '../php/json-parser.js'
import { decodeBytes } from '../php/text.js'
import { parseQuery } from '../http/query.js'
import type { ArgumentRules } from './rules.js'
import { compileSchema } from './schema.js'

for (const name of vectorNames().filter((file) => file.startsWith('schema-')))
  test(`values are validated as in conformance/recorded/vectors/${name}.json`, async () =>
    assert.deepEqual(await failuresIn(name), []))

test('the length of a list is not one of its properties', () => {
  const needsLength = compileSchema({ type: 'object', required: ['length'] })
  assert.equal(needsLength.validate(['a'], 'value')?.message, 'length is a required property of value.')
  assert.equal(needsLength.validate({ length: 1 }, 'value'), null)
  const oneMap = compileSchema({ type: 'object', enum: [{ length: 1 }] })
  assert.equal(oneMap.validate(['length'], 'value')?.code, 'rest_not_in_enum')
})

test('the message of an enum writes lists and maps as PHP encodes them in JSON', () => {
  const values = [[{}, 'é/'], { 0: 'a', 1: ['b'] }, { x: { y: [] }, z: 1e-7 }]
  const problem = compileSchema({ type: 'object', enum: values }).validate({}, 'value')
  assert.equal(
    problem?.message,
    String.raw`value is not one of [[],"\u00e9\/"], ["a",["b"]], and {"x":{"y":[]},"z":1.0e-7}.`,
  )
})

test('in text that is not UTF-8, a first byte and the bytes that should follow it count as one character', () => {
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

test('text beyond 64 bits becomes the largest integer, also when a candidate and the enclosing type both coerce it', () => {
  for (const text of ['99999999999999999999', '-99999999999999999999'])
    for (const rules of [{ anyOf: [{ type: 'integer' }] }, { oneOf: [{ type: 'integer' }], type: 'integer' }] as const)
      assert.equal(compileSchema(rules).sanitize(text, 'any').value, Math.sign(Number(text)) * 2 ** 63)
})

test('a map from a query is validated and coerced in the order of the query', () => {
  const map = compileSchema({ type: 'object', additionalProperties: { type: 'integer' } })
  const valueOf = (query: string) => parseQuery(query).parameters['a']
  assert.equal(map.validate(valueOf('a[b]=x&a[0]=y'), 'a')?.message, 'a[b] is not of type integer.')
  const { value } = map.sanitize(valueOf('a[b]=3&a[7]=1&a[5]=2'), 'a')
  assert.deepEqual(entriesOf(value as object), [
    ['b', 3],
    ['7', 1],
    ['5', 2],
  ])
})

test('a map from JSON is validated and coerced in the order of the text', () => {
  const map = compileSchema({ type: 'object', additionalProperties: { type: 'integer' } })
  assert.equal(map.validate(parseJson('{"b":"x","0":"y"}'), 'a')?.message, 'a[b] is not of type integer.')
  const { value } = map.sanitize(parseJson('{"b":"3","7":1,"5":2,"b":4,"7":6}'), 'a')
  assert.deepEqual(entriesOf(value as object), [
    ['b', 4],
    ['7', 6],
    ['5', 2],
  ])
  const list = compileSchema({ type: 'array', items: { type: 'integer' } })
  assert.deepEqual(list.sanitize(parseJson('{"1":10,"0":20}'), 'a').value, [10, 20])
  assert.equal(list.validate(parseJson('{"1":"x","0":"y"}'), 'a')?.message, 'a[0] is not of type integer.')
})

test('a list from JSON tells its floats from integers, whatever it is coerced to', () => {
  const unique = compileSchema({ type: 'array', uniqueItems: true })
  // Two zeros of different signs differ.
  assert.equal(unique.validate(parseJson('[-0.0,0.0]'), 'p'), null)
  assert.equal(unique.validate(parseJson('[-0.0,-0.0]'), 'p')?.code, 'rest_duplicate_items')
  assert.equal(unique.validate(parseJson('[1,1.0]'), 'a'), null)
  assert.equal(unique.validate(parseJson('[1.0,2,1.0]'), 'a')?.code, 'rest_duplicate_items')
  const flags = compileSchema({ type: 'array', items: { type: 'boolean' } })
  assert.equal(flags.validate(parseJson('[1,0]'), 'a'), null)
  assert.equal(flags.validate(parseJson('[1,0.0]'), 'a')?.message, 'a[1] is not of type boolean.')
  assert.equal(flags.validate(parseJson('{"5":1,"3":0.0}'), 'a')?.message, 'a[1] is not of type boolean.')
  const members = compileSchema({ type: 'object', additionalProperties: { type: 'boolean' } })
  assert.equal(members.validate(parseJson('[1,0.0]'), 'a')?.message, 'a[1] is not of type boolean.')
})

test('a list that is coerced as an object stays a list, unless one of its items is not allowed', () => {
  const open = compileSchema({ type: 'object', additionalProperties: { type: 'integer' } })
  assert.deepEqual(open.sanitize(['1', '2'], 'a').value, [1, 2])
  const first = compileSchema({ type: 'object', properties: { 0: { type: 'integer' } }, additionalProperties: false })
  assert.deepEqual(first.sanitize(['1', '2'], 'a').value, [1])
  const second = compileSchema({ type: 'object', properties: { 1: { type: 'integer' } }, additionalProperties: false })
  assert.deepEqual(Object.entries(second.sanitize(['1', '2'], 'a').value as object), [['1', 2]])
  assert.deepEqual(Object.keys(open.sanitize([], 'a').value as object), [])
  assert.deepEqual(open.sanitize(['1', 'x'], 'a').value, [1, 0])
})

test('a list from a query has the order of the query, whatever its keys', () => {
  const list = compileSchema({ type: 'array', items: { type: 'integer' } })
  const listOf = (query: string) => list.sanitize(parseQuery(query).parameters['a'], 'a').value
  assert.deepEqual(listOf('a[5]=1&a[2]=2'), [1, 2])
  assert.deepEqual(listOf('a[1]=1&a[0]=2&a[]=3'), [1, 2, 3])
  assert.deepEqual(listOf('a[2]=1&a[5]=2'), [1, 2])
  // This key is an integer in PHP, and too large for a safe integer in JavaScript.
  assert.deepEqual(listOf('a[1234567890123456789]=1&a[3]=2'), [1, 2])
  assert.equal(
    list.validate(parseQuery('a[9223372036854775808]=1').parameters['a'], 'a')?.message,
    'a is not of type array.',
  )
})
