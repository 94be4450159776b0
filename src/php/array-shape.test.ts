import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson } from '../http/json.js'
import { asArrays } from './array-shape.js'

test('maps are lists where PHP has lists, and what knows its own JSON stays what it is', () => {
  const value = { empty: {}, list: { 0: 'a', 1: { 0: [] } }, map: { 1: 'b' }, at: new Date(0) }
  assert.equal(
    toJson(asArrays(value)),
    '{"empty":[],"list":["a",[[]]],"map":{"1":"b"},"at":"1970-01-01T00:00:00.000Z"}',
  )
})

test('a value that contains itself is left to whoever writes it', () => {
  const value: Record<string, unknown> = {}
  value['self'] = value
  assert.throws(() => toJson(asArrays(value)), { name: 'EncodingError' })
})
