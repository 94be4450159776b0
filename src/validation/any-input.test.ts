import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatNames, type ArgumentRules, type TypeName, typeNames } from './rules.js'
import { compileSchema } from './schema.js'

/** Any value that a request can contain. */
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false, '', ' 5 ', '1e3', 'false', 'a,b c', '#fff', 'a@b.co', Infinity, -0),
    fc.integer({ min: -9, max: 9 }),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `${text}\udcff`),
    fc.array(tie('any')),
    fc.dictionary(
      fc.oneof(fc.constantFrom('a', 'b', '0', '1', '__proto__', 'constructor', 'length'), fc.string()),
      tie('any'),
    ),
  ),
})).any

const limits = fc.record(
  {
    minimum: fc.integer({ min: -5, max: 5 }),
    maximum: fc.integer({ min: -5, max: 5 }),
    exclusiveMinimum: fc.boolean(),
    exclusiveMaximum: fc.boolean(),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: fc.nat(3),
    maxLength: fc.nat(8),
    pattern: fc.constantFrom('^a', '\\d', '^[a-z]*$', '('),
    minItems: fc.nat(2),
    maxItems: fc.nat(4),
    uniqueItems: fc.boolean(),
    minProperties: fc.nat(2),
    maxProperties: fc.nat(4),
  },
  { requiredKeys: [] },
)

const schema = fc.letrec<{ rules: ArgumentRules }>((tie) => {
  const inner = fc.oneof(
    { maxDepth: 2, depthIdentifier: 'rules' },
    fc.constant<ArgumentRules>({ type: 'integer' }),
    tie('rules'),
  )
  const structure = fc.record(
    {
      items: inner,
      properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), inner),
      patternProperties: fc.dictionary(fc.constantFrom('^c', '['), inner),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      required: fc.oneof(fc.boolean(), fc.subarray(['a', 'b', 'toString'])),
    },
    { requiredKeys: [] },
  )
  return {
    rules: fc
      .tuple(fc.oneof(fc.constantFrom(...typeNames), fc.subarray([...typeNames])), limits, structure)
      .map(([type, bounds, nested]) => ({ type, ...bounds, ...nested }) as ArgumentRules),
  }
}).rules

const combined = fc
  .record(
    {
      anyOf: fc.array(schema, { maxLength: 3 }),
      oneOf: fc.array(schema, { maxLength: 3 }),
      enum: fc.array(value, { maxLength: 3 }),
      format: fc.constantFrom(...formatNames),
    },
    { requiredKeys: [] },
  )
  .chain((additions) => schema.map((rules) => ({ ...rules, ...additions })))

test('for any rules and any input, a schema returns a value or a problem and does not throw', () => {
  fc.assert(
    fc.property(combined, value, (rules, input) => {
      const compiled = compileSchema(rules)
      const problem = compiled.validate(input, 'x')
      assert.ok(problem === null || (problem.code.startsWith('rest_') && problem.message !== ''))
      const { value: coerced, problem: coercionProblem } = compiled.sanitize(input, 'x')
      assert.notEqual(coerced, undefined)
      assert.ok(coercionProblem === null || coercionProblem.code.startsWith('rest_'))
    }),
    { numRuns: 1000 },
  )
})

test('rules that are not an object are ignored', () => {
  for (const rules of [null, undefined, 5, 'string', [], () => 5]) {
    assert.equal(compileSchema(rules as never).validate('anything', 'x'), null)
  }
})

/** Rules of one type, with values that are likely to be valid. */
interface Matching {
  readonly rules: ArgumentRules
  readonly values: fc.Arbitrary<unknown>
}

const someLimits = <K extends keyof ArgumentRules>(limits: Record<K, fc.Arbitrary<ArgumentRules[K]>>) =>
  fc.record<ArgumentRules>(limits, { requiredKeys: [] })
const whole = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer())
const fraction = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })

const scalars: Record<'string' | 'integer' | 'number' | 'boolean' | 'null', fc.Arbitrary<Matching>> = {
  string: someLimits({ minLength: fc.nat(2), maxLength: fc.integer({ min: 4, max: 9 }) }).map((bounds) => ({
    rules: { type: 'string', ...bounds },
    values: fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(' 5 ', 'a & <b>', '0', 'é')),
  })),
  integer: someLimits({ minimum: fc.integer({ min: -9, max: 0 }), exclusiveMinimum: fc.boolean() }).map((bounds) => ({
    rules: { type: 'integer', ...bounds },
    values: fc.oneof(whole, whole.map(String), fc.constantFrom(' 5 ', '1e2', '7.0', '+3', -0)),
  })),
  number: someLimits({ maximum: fc.integer({ min: 0, max: 9 }), exclusiveMaximum: fc.boolean() }).map((bounds) => ({
    rules: { type: 'number', ...bounds },
    values: fc.oneof(fraction, fraction.map(String), whole.map(String), fc.constantFrom('.5', ' 1e-3 ', '5.', '-0')),
  })),
  boolean: fc.constant({
    rules: { type: 'boolean' },
    values: fc.constantFrom(true, false, 0, 1, '0', '1', 'true', 'false', 'FALSE', 'True'),
  }),
  null: fc.constant({ rules: { type: 'null' }, values: fc.constant(null) }),
}

const matching = fc.letrec<Record<TypeName | 'any', Matching>>((tie) => ({
  ...scalars,
  any: fc.oneof({ maxDepth: 2, depthIdentifier: 'matching' }, ...Object.values(scalars), tie('array'), tie('object')),
  array: fc
    .tuple(tie('any'), someLimits({ maxItems: fc.integer({ min: 2, max: 4 }), uniqueItems: fc.boolean() }))
    .map(([items, bounds]) => {
      const list = fc.array(items.values, { maxLength: 4 })
      const asText = fc.array(fc.constantFrom('5', '1', '0'), { maxLength: 4 }).map((parts) => parts.join(', '))
      const asMap = list.map((entries) => Object.fromEntries(entries.map((item, index) => [String(index * 2), item])))
      return { rules: { type: 'array', items: items.rules, ...bounds }, values: fc.oneof(list, list, asText, asMap) }
    }),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', '0', '__proto__'), tie('any'), { maxKeys: 3 }),
      fc.oneof(fc.boolean(), tie('any')),
      fc.nat(1),
    )
    .map(([named, others, minProperties]): Matching => {
      const properties = Object.fromEntries(Object.entries(named).map(([name, { rules }]) => [name, rules]))
      const values = Object.fromEntries(Object.entries(named).map(([name, inner]) => [name, inner.values]))
      const additions = typeof others === 'object' ? others.values : fc.constantFrom('x', 1, null)
      const maps = fc
        .tuple(
          fc.record(values, { requiredKeys: [] }),
          fc.dictionary(fc.constantFrom('c', 'd'), additions, { maxKeys: 1 }),
        )
        .map(([entries, extra]): unknown => ({ ...entries, ...extra }))
      const lists = typeof others === 'object' ? fc.array(others.values, { maxLength: 3 }) : fc.constant([])
      return {
        rules: {
          type: 'object',
          properties,
          additionalProperties: typeof others === 'object' ? others.rules : others,
          minProperties,
        },
        values: fc.oneof({ weight: 6, arbitrary: maps }, { weight: 1, arbitrary: lists }, fc.constant('')),
      }
    }),
}))

const isOfType: Record<TypeName, (coerced: unknown) => boolean> = {
  string: (coerced) => typeof coerced === 'string',
  integer: (coerced) => Number.isInteger(coerced),
  number: (coerced) => typeof coerced === 'number',
  boolean: (coerced) => typeof coerced === 'boolean',
  null: (coerced) => coerced === null,
  array: (coerced) => Array.isArray(coerced),
  object: (coerced) => typeof coerced === 'object' && coerced !== null,
}

for (const type of typeNames)
  test(`a coerced value has its type, is valid, and is not changed by a second coercion: ${type}`, () => {
    let passed = 0
    const numRuns = 400
    fc.assert(
      fc.property(
        matching[type].chain(({ rules, values }) => fc.tuple(fc.constant(rules), values)),
        ([rules, input]) => {
          const compiled = compileSchema(rules)
          if (compiled.validate(input, 'x')) return
          const coerced = compiled.sanitize(input, 'x')
          if (coerced.problem) return
          passed += 1
          assert.ok(isOfType[type](coerced.value))
          assert.equal(compiled.validate(coerced.value, 'x'), null)
          assert.deepEqual(compiled.sanitize(coerced.value, 'x'), { value: coerced.value, problem: null })
        },
      ),
      { numRuns },
    )
    assert.ok(passed > numRuns / 3, `${passed} of ${numRuns} values passed`)
  })

test('a property named __proto__ in a request is an ordinary property', () => {
  const body: unknown = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')
  const rules: ArgumentRules = { type: 'object', additionalProperties: { type: ['integer', 'object'] } }
  const { value: coerced } = compileSchema(rules).sanitize(body, 'x')
  assert.deepEqual(Object.keys(coerced as object), ['__proto__', 'constructor'])
  assert.equal((coerced as { admin?: unknown }).admin, undefined)
  assert.equal(Object.getPrototypeOf(coerced), null)
  const closed = compileSchema({ type: 'object', properties: {}, required: ['toString'], additionalProperties: false })
  assert.equal(closed.validate(Object.create(null), 'x')?.code, 'rest_property_required')
  assert.equal(closed.validate({ toString: 1 }, 'x')?.code, 'rest_additional_properties_forbidden')
})

/** Wraps objects in proxies and counts how often their properties are read. */
class Reads {
  count = 0
  of<T extends object>(target: T): T {
    const counting = { get: this.#counted(Reflect.get), ownKeys: this.#counted(Reflect.ownKeys) }
    return new Proxy(target, counting as ProxyHandler<T>)
  }

  #counted<A extends unknown[], R>(read: (...args: A) => R): (...args: A) => R {
    return (...args) => {
      this.count += 1
      return read(...args)
    }
  }
}

function readsOf(rules: ArgumentRules, size: number, item: (index: number, reads: Reads) => unknown): number {
  const compiled = compileSchema(rules)
  const reads = new Reads()
  const list = Array.from({ length: size }, (_, index) => item(index, reads))
  compiled.validate(list, 'x')
  compiled.sanitize(list, 'x')
  return reads.count
}

const object: ArgumentRules = { type: 'object', properties: { id: { type: 'integer' } } }
const nested = (depth: number): ArgumentRules =>
  depth === 0 ? object : { type: 'object', oneOf: [nested(depth - 1), { type: 'object', required: ['never'] }] }

const cases: [work: string, rules: ArgumentRules][] = [
  ['items', { type: 'array', items: object }],
  ['unique items', { type: 'array', items: object, uniqueItems: true }],
  ['unique items without other rules', { type: 'array', uniqueItems: true }],
  ['items with an enum', { type: 'array', items: { ...object, enum: [{ id: 1 }, { id: 2 }] } }],
  ['items of one of several schemas', { type: 'array', items: nested(4) }],
]
for (const [work, rules] of cases) {
  test(`the number of reads for ${work} grows linearly with the list`, () => {
    const item = (index: number, reads: Reads): unknown => reads.of({ id: index })
    const [readsOf100, readsOf10000] = [readsOf(rules, 100, item), readsOf(rules, 10_000, item)]
    assert.ok(
      readsOf100 > 0 && readsOf10000 <= 100 * readsOf100,
      `${readsOf100} reads for 100 items, ${readsOf10000} for 10,000`,
    )
  })
}

test('the number of reads for nested oneOf does not grow exponentially with the depth', () => {
  const [shallow, deep] = [2, 10].map((depth) =>
    readsOf({ type: 'array', items: nested(depth) }, 10, (index, reads) => reads.of({ id: index })),
  ) as [number, number]
  assert.ok(deep <= 25 * shallow, `${shallow} reads at depth 2, ${deep} at depth 10`)
})

const long = 'a'.repeat(1_000_000)
const nonlinear: [pattern: string, text: string][] = [
  ['^(a+)+$', `${long}!`],
  ['a+b', long],
  ['^(.*a){12}b', long],
  ['^(?:a|a)*$', `${long}!`],
]
for (const [pattern, text] of nonlinear) {
  test(`the pattern ${pattern}, which is not linear, is not matched against a megabyte`, () => {
    const compiled = compileSchema({ type: 'string', pattern })
    assert.equal(compiled.validate(text, 'x')?.code, 'rest_invalid_pattern')
  })
}

test('a linear pattern is matched against a megabyte', () => {
  assert.equal(compileSchema({ type: 'string', pattern: '^a*$' }).validate(long, 'x'), null)
})
