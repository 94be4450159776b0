import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson } from '../http/json.js'
import { unwritablePath } from './unwritable.js'

test('the path to the value nested too deeply is reported from the depth at which serializing fails', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  assert.equal(toJson(nested(512)).length, 1024)
  assert.equal(unwritablePath(nested(512)), null)
  assert.throws(() => toJson(nested(513)))
  assert.equal(unwritablePath(nested(513)), '[0]'.repeat(512))
})
