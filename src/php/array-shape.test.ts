import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson } from '../http/json.js'
import { asArrays } from './array-shape.js'

test('maps that PHP holds as lists become lists, and values with toJSON stay unchanged', () => {
  const value = { empty: {}, list: { 0: 'a', 1: { 0: [] } }, map: { 1: 'b' }, at: new Date(0) }
  assert.equal(
    toJson(asArrays(value)),
    '{"empty":[],"list":["a",[[]]],"map":{"1":"b"},"at":"1970-01-01T00:00:00.000Z"}',
  )
})

test('a value that contains itself is returned, and the JSON encoder rejects it', () => {
  const value: Record<string, unknown> = {}
  value['self'] = value
  assert.throws(() => toJson(asArrays(value)), { name: 'EncodingError' })
})
