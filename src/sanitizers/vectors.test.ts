import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVectors, vectorNames } from '../../conformance/vectors.js'
import { wordpressFunctions } from './wordpress-functions.js'

for (const name of vectorNames().filter((file) => file.startsWith('functions/'))) {
  test(`recorded: ${name}`, () => {
    const call = wordpressFunctions.get(name.slice('functions/'.length))
    assert.ok(call, `${name} is not a function of ours`)
    const failures = readVectors(name).cases.flatMap(({ id, args, expect }) => {
      const [value, ...more] = args as unknown[]
      const actual = call(value, ...more)
      try {
        assert.deepStrictEqual(actual, expect)
        return []
      } catch {
        return [{ id, args, actual, expected: expect }]
      }
    })
    assert.deepEqual(failures, [])
  })
}
