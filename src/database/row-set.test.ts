import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DerivedValues } from './row-set.js'

test('as many names as clients can think of keep a bounded number of values', () => {
  const derived = new DerivedValues()
  const names = Array.from({ length: 1000 }, (_, index) => `models ${index}`)
  for (const name of names) {
    derived.set(name, name)
    assert.equal(derived.get(name), name)
  }
  const kept = names.filter((name) => derived.get(name) !== undefined)
  assert.ok(kept.length <= 16, `${kept.length} values`)
})
