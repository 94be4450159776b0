import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArgumentRules } from '../validation/rules.js'
import { valueType } from './value-types.js'

const number = { type: 'number' } as const
const sizes = { width: { type: 'string' }, unit: { type: 'boolean', required: true } } as const

const table: [rules: Omit<ArgumentRules, 'type'>, type: string][] = [
  [{}, '{ readonly [name: string]: unknown }'],
  [{ additionalProperties: false }, '{  }'],
  [{ additionalProperties: number }, '{ readonly [name: string]: number }'],
  [{ additionalProperties: {} }, '{ readonly [name: string]: unknown }'],
  [{ properties: { unit: sizes.unit } }, '{ readonly unit: boolean; readonly [name: string]: unknown }'],
  [
    { properties: { unit: sizes.unit }, additionalProperties: number },
    '{ readonly unit: boolean; readonly [name: string]: number | boolean }',
  ],
  [
    { properties: sizes, additionalProperties: number },
    '{ readonly width?: string; readonly unit: boolean; readonly [name: string]: number | string | boolean | undefined }',
  ],
  [{ additionalProperties: false, patternProperties: { '^x-': number } }, '{ readonly [name: string]: number }'],
  [
    { additionalProperties: { type: 'string' }, patternProperties: { '^x-': number } },
    '{ readonly [name: string]: number | string }',
  ],
]
for (const [rules, type] of table)
  test(`an object with the rules ${JSON.stringify(rules)} has the type ${type}`, () =>
    assert.equal(valueType({ type: 'object', ...rules }), type))
