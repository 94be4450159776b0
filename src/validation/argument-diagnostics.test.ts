import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentDiagnostics } from './argument-diagnostics.js'
import type { ArgumentSchema, SanitizeCallback } from './rules.js'

const sanitizers: ReadonlyMap<string, SanitizeCallback> = new Map<string, SanitizeCallback>([
  ['sanitize_text_field', String],
  ['absint', Number],
])

const messagesOf = (rules: unknown): readonly string[] =>
  argumentDiagnostics({ x: rules } as ArgumentSchema, sanitizers).map(({ message }) => message)

const valid: unknown[] = [
  {},
  { required: true },
  { description: 'Anything.', default: 5 },
  { type: 'integer', default: 10, minimum: 1, maximum: 100 },
  { type: 'string', required: true, default: 'a' },
  { type: 'string', sanitize_callback: 'sanitize_text_field' },
  { type: 'string', sanitize_callback: null },
  { type: 'string', sanitize_callback: () => '' },
  { type: 'integer', validate_callback: () => true, sanitize_callback: 'absint' },
  { type: ['string', 'null'], format: 'date-time', default: null },
  { type: ['integer', 'string'], minimum: 1, minLength: 1, enum: [1, 'all'] },
  { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
  { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true, default: 'a,b' },
  { type: 'object', required: ['a'], properties: { a: { type: 'integer', required: true } }, default: { a: 1 } },
  { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
  { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-z]+$' } },
  { type: ['integer', 'string'], anyOf: [{ minimum: 10 }, { type: 'string', pattern: '^x' }] },
  { type: 'integer', oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
  { type: 'string', pattern: 'a.*b', maxLength: 100 },
  { type: 'string', pattern: '.*\\S.*' },
]
for (const rules of valid) {
  test(`${JSON.stringify(rules)} is accepted`, () => assert.deepEqual(messagesOf(rules), []))
}

const invalid: [rules: unknown, expected: RegExp][] = [
  [5, /^argument 'x': rules must be a map/],
  [null, /rules must be a map/],
  [[], /rules must be a map/],
  [{ type: 'integer', minimun: 1 }, /^argument 'x': 'minimun' is not a rule\. Did you mean 'minimum'\?/],
  [{ type: 'integer', min: 1 }, /^argument 'x': 'min' is not a rule\. Did you mean 'minimum'\?/],
  [{ type: 'string', regex: '^a' }, /^argument 'x': 'regex' is not a rule\. Did you mean 'pattern'\?/],
  [{ type: 'int' }, /type 'int' is unknown\. Write 'integer'\./],
  [{ type: 'strin' }, /type 'strin' is unknown\. Did you mean 'string'\?/],
  [{ type: ['string', 'nul'] }, /type 'nul' is unknown\. Did you mean 'null'\?/],
  [{ type: [] }, /'type' names no type/],
  [{ type: 5 }, /'type' must be a type/],
  [{ type: 'string', format: 'e-mail' }, /format 'e-mail' is unknown\. Did you mean 'email'\?/],
  [{ type: 'string', sanitize_callback: 'sanitise_text_field' }, /Did you mean 'sanitize_text_field'\?/],
  [{ type: 'string', sanitize_callback: 5 }, /'sanitize_callback' must be the name of a sanitiser, or a function/],
  [{ type: 'string', sanitize_callback: async () => '' }, /'sanitize_callback' must not be asynchronous/],
  [{ validate_callback: 'is_numeric' }, /'validate_callback' must be a function/],
  [{ validate_callback: async () => false }, /'validate_callback' must not be asynchronous/],
  [{ type: 'integer', default: 'abc' }, /the default "abc" breaks .* it is not of type integer\./],
  [{ type: 'integer', minimum: 10, default: 3 }, /the default 3 breaks .* it must be greater than or equal to 10/],
  [{ type: 'array', items: { type: 'integer' }, uniqueItems: true, default: [1, '1'] }, /it has duplicate items/],
  [{ type: 'object', default: { now: () => 5 } }, /the default contains a value without a JSON form/],
  [{ type: 'string', enum: ['a', 1] }, /'enum' lists 1, which no valid value can equal/],
  [{ type: 'integer', enum: ['1'] }, /'enum' lists "1", which no valid value can equal/],
  [{ type: 'string', enum: [] }, /'enum' must be a list with at least one entry/],
  [{ type: 'string', enum: 'a' }, /'enum' must be a list/],
  [{ type: 'integer', minimum: '1' }, /'minimum' must be a number/],
  [{ type: 'integer', exclusiveMinimum: 3 }, /'exclusiveMinimum' must be true or false, beside 'minimum'/],
  [{ type: 'integer', exclusiveMaximum: true }, /'exclusiveMaximum' has no effect without 'maximum'/],
  [{ type: 'integer', multipleOf: 0 }, /'multipleOf' must be a number above 0/],
  [{ type: 'string', minLength: 1.5 }, /'minLength' must be a whole number/],
  [{ type: 'string', maxLength: -1 }, /'maxLength' must be a whole number/],
  [{ type: 'integer', minimum: 5, maximum: 1 }, /'minimum' is above 'maximum'/],
  [{ type: 'integer', minLength: 5 }, /'minLength' has no effect without the type string/],
  [{ type: 'string', required: ['a'] }, /a list of names as 'required'/],
  [{ type: 'string', required: 'yes' }, /'required' must be true, false or a list of names/],
  [{ enum: ['a'] }, /without a 'type' nothing is checked, so 'enum' would have no effect/],
  [{ anyOf: [{ type: 'integer' }] }, /without a 'type' nothing is checked/],
  [{ type: 'array', items: [{ type: 'integer' }] }, /'items' must be a map of rules/],
  [{ type: 'array', items: 5 }, /'items' must be a map of rules/],
  [{ type: 'array', items: { type: 'whole' } }, /^argument 'x', items: type 'whole' is unknown/],
  [{ type: 'array', items: { minimum: 1 } }, /^argument 'x', items: 'minimum' has no effect without the type/],
  [{ type: 'object', properties: [] }, /'properties' must be a map of names to rules/],
  [{ type: 'object', properties: { a: { typ: 'string' } } }, /^argument 'x', properties 'a': 'typ' is not a rule/],
  [{ type: 'object', properties: { a: { sanitize_callback: 'absint' } } }, /can only stand on the argument itself/],
  [{ type: 'object', additionalProperties: 'no' }, /'additionalProperties' must be true, false or a map of rules/],
  [{ type: 'object', patternProperties: { '(': { type: 'string' } } }, /pattern '\(' cannot be used/],
  [{ type: 'string', anyOf: [{ format: 'zip' }] }, /^argument 'x', anyOf 1: format 'zip' is unknown/],
  [{ type: 'string', anyOf: { format: 'uri' } }, /'anyOf' must be a list/],
  [
    { type: 'string', pattern: '[' },
    /pattern '\[' cannot be used: The class that begins here has no '\]' \(at character 1: '\['\)\./,
  ],
  [{ type: 'string', pattern: '^(a+)+$' }, /pattern '\^\(a\+\)\+\$' can take exponential time/],
  [{ type: 'string', pattern: '^(([a-z]*)?,)+$' }, /can take exponential time, because of '\(\(\[a-z\]\*\)\?,\)\+'/],
  [{ type: 'string', pattern: '^(?:(?:a?){2,}b)+$' }, /can take exponential time/],
  [{ type: 'string', pattern: '(?i)^(?:[A-Za-z]|\\x{212a})+$' }, /can take exponential time/],
  [{ type: 'string', pattern: 'a.*b' }, /to the power of 2.*'maxLength' of at most 500/],
]
for (const [rules, expected] of invalid) {
  test(`${JSON.stringify(rules)} is reported: ${expected.source}`, () => {
    const messages = messagesOf(rules)
    assert.ok(messages.length > 0)
    for (const message of messages) assert.match(message, expected)
  })
}

test('rules that contain themselves are reported', () => {
  const rules: Record<string, unknown> = { type: 'array' }
  rules['items'] = rules
  assert.match(messagesOf(rules).join(), /nested more than 32 deep/)
})

test('each message names its argument', () => {
  assert.deepEqual(
    argumentDiagnostics({ a: { type: 'x' }, b: { type: 'y' } } as never, sanitizers).map(({ message }) =>
      message.slice(0, 12),
    ),
    ["argument 'a'", "argument 'b'"],
  )
})

test('a set of valid rules, shared between calls, hides no mistake in other rules', () => {
  const validRules = new Set<string>()
  const nextMessages = (rules: unknown) =>
    argumentDiagnostics({ x: rules } as ArgumentSchema, sanitizers, validRules).map(({ message }) => message)
  for (const rules of [...valid, ...valid]) assert.deepEqual(nextMessages(rules), [])
  assert.ok(validRules.size > 0)
  for (const [rules] of [...invalid, ...invalid]) assert.deepEqual(nextMessages(rules), messagesOf(rules))
})
