import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { vectorNames } from '../../conformance/vectors.js'
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
