import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileSchema } from './schema.js'
import { limitWork } from './work-limit.js'

const listOf = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item)
const mapOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1]))
const schemas = (count: number, schema: object) => Array.from({ length: count }, () => schema)

/** The outcome of a validation and coercion within the limit of one request. */
function outcome(rules: object, value: unknown): string {
  const schema = compileSchema(rules)
  const result = limitWork(
    { validationWork: 0 },
    (work) => schema.validate(value, 'value', false, work) ?? schema.sanitize(value, 'value', false, work).problem,
  )
  return result?.code ?? 'accepted'
}

const code = { type: 'string', pattern: '^[a-z]+[0-9]+$' } as const
const text = { type: 'string', format: 'text-field', enum: ['x'] }
const slow = { type: 'string', pattern: '^a+a+$', maxLength: 500 }
const deep = (levels: number, inner: unknown) => {
  let value = inner
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

/** Each has an equal kind of value below the limit, and one beyond it. */
const table: [what: string, rules: object, below: unknown, beyond: unknown, belowCode?: string][] = [
  ['values', { type: 'array', items: code }, listOf(99_900, 'ab1'), listOf(300_000, 'ab1')],
  [
    'values with each schema of anyOf',
    { type: 'array', items: { anyOf: [{ type: 'integer' }, code] } },
    listOf(60_000, 'ab1'),
    listOf(99_900, 'ab1'),
  ],
  [
    'values with each schema of oneOf',
    { type: 'array', items: { oneOf: [...schemas(9, { type: 'integer' }), code] } },
    listOf(15_000, 'ab1'),
    listOf(30_000, 'ab1'),
  ],
  [
    'long texts with their format',
    { anyOf: schemas(30, text) },
    'a'.repeat(50_000),
    'a'.repeat(500_000),
    'rest_no_matching_schema',
  ],
  [
    'texts with slow patterns',
    { type: 'array', items: { anyOf: [slow, { type: 'string' }] } },
    listOf(50, `${'a'.repeat(498)}b`),
    listOf(500, `${'a'.repeat(498)}b`),
  ],
  [
    'names of a map with the type array',
    { anyOf: schemas(30, { type: 'array' }) },
    mapOf(5000),
    mapOf(50_000),
    'rest_no_matching_schema',
  ],
  ['equal items', { type: 'array', uniqueItems: true }, [deep(20, 'x'.repeat(9000))], [deep(500, 'x'.repeat(99_000))]],
]

for (const [what, rules, below, beyond, belowCode = 'accepted'] of table)
  test(`the comparison of ${what} is limited`, () => {
    assert.equal(outcome(rules, below), belowCode)
    assert.equal(outcome(rules, beyond), 'rest_params_too_complex')
  })

test('all validations of a request share its limit, and those of others do not', () => {
  const schema = compileSchema({ type: 'array', items: code })
  const request = { validationWork: 0 }
  const validate = (count: number) =>
    limitWork(request, (work) => schema.validate(listOf(count, 'ab1'), 'value', false, work))?.code ?? 'accepted'
  assert.equal(validate(200_000), 'accepted')
  assert.equal(validate(200_000), 'accepted')
  assert.equal(validate(200_000), 'rest_params_too_complex')
  assert.equal(validate(1), 'rest_params_too_complex')
  assert.equal(outcome({ type: 'integer' }, 1), 'accepted')
})

test('a validation inside another one has the limit of its own request', () => {
  const schema = compileSchema({ type: 'array', items: code })
  const validate = (count: number) =>
    limitWork({ validationWork: 0 }, (work) => schema.validate(listOf(count, 'ab1'), 'value', false, work))
  const result = limitWork({ validationWork: 0 }, () => {
    assert.equal((validate(600_000) as { code?: string } | null)?.code, 'rest_params_too_complex')
    return validate(400_000)
  })
  assert.equal(result, null)
})
