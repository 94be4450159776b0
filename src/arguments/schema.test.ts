import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { readVectors, type VectorCase, vectorNames } from '../../conformance/vectors.js'
import { isMap } from '../php/array-shape.js'
import type { ArgumentRules } from './rules.js'
import { compileSchema } from './schema.js'

for (const name of vectorNames().filter((file) => file.startsWith('schema-'))) {
  test(`recorded: ${name}`, () => {
    const failures = readVectors(name).cases.flatMap((example) => {
      const { id, schema, value } = example
      const compiled = compileSchema(schema as ArgumentRules)
      const actual = {
        verdict: compiled.validate(value, 'value') ?? { valid: true },
        sanitized: asRecorded(compiled.sanitize(value, 'value').value),
      }
      const expected = { verdict: asRecorded(example.expect), sanitized: asRecorded(example['sanitized']) }
      return isDeepStrictEqual(asRecorded(actual), asRecorded(expected)) || isLost(example)
        ? []
        : [{ id, schema, value, actual, expected }]
    })
    assert.deepEqual(failures, [])
  })
}

/** PHP's array as the recording prints it: the empty one as `[]`, the keys 0 … n-1 as a list; an error unwrapped. */
function asRecorded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRecorded)
  if (!isMap(value)) return value
  if (isMap(value['$error'])) return asRecorded(value['$error'])
  const entries = Object.entries(value)
  if (entries.every(([key], index) => key === String(index))) return entries.map(([, inner]) => asRecorded(inner))
  return Object.fromEntries(entries.map(([key, inner]) => [key, asRecorded(inner)]))
}

/**
 * Whether `JSON.parse` cannot tell what PHP was given: a float without a fraction (`1.0` is `1`), an integer above 2^53
 * with other digits, or the order of keys that are integers.
 */
function isLost({ valueText, schemaText, value }: VectorCase): boolean {
  const numbers = [valueText, schemaText].join(' ').match(/-?\d[\d.eE+-]*/g) ?? []
  const losesNumber = numbers
    .map(Number)
    .some((number, index) => Number.isInteger(number) && String(number) !== numbers[index])
  return losesNumber || (isMap(value) && Object.keys(value).filter((key) => /^\d+$/.test(key)).length > 1)
}
