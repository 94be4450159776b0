import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson } from '../http/json.js'
import { unwritablePlace } from './unwritable.js'

test('where a body is nested too deeply is found as soon as it cannot be written', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  assert.equal(toJson(nested(512)).length, 1024)
  assert.equal(unwritablePlace(nested(512)), null)
  assert.throws(() => toJson(nested(513)))
  assert.equal(unwritablePlace(nested(513)), '[0]'.repeat(512))
})
