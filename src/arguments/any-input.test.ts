import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatNames, type ArgumentRules, typeNames } from './rules.js'
import { compileSchema } from './schema.js'

/** What the wire can carry. */
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
  .chain((more) => schema.map((rules) => ({ ...rules, ...more })))

test('no rules and no value make a schema throw, or give anything but a value or a problem', () => {
  fc.assert(
    fc.property(combined, value, (rules, input) => {
      const compiled = compileSchema(rules)
      const problem = compiled.validate(input, 'x')
      assert.ok(problem === null || (problem.code.startsWith('rest_') && problem.message !== ''))
      const { value: coerced, problem: trouble } = compiled.sanitize(input, 'x')
      assert.notEqual(coerced, undefined)
      assert.ok(trouble === null || trouble.code.startsWith('rest_'))
    }),
    { numRuns: 1000 },
  )
})

test('whatever is not an object is ignored as rules', () => {
  for (const rules of [null, undefined, 5, 'string', [], () => 5]) {
    assert.equal(compileSchema(rules as never).validate('anything', 'x'), null)
  }
})

test('a value that passed stays as it is when it is coerced again', () => {
  const withinIntegers = (input: unknown): boolean =>
    !/\d{16}|[eE]\+?\d{2}|Infinity/.test(
      JSON.stringify(input, (_, inner: unknown) => (typeof inner === 'number' ? String(inner) : inner)),
    )
  fc.assert(
    fc.property(
      schema.filter((rules) => typeof rules.type === 'string'),
      value.filter(withinIntegers),
      (rules, input) => {
        const compiled = compileSchema(rules)
        if (compiled.validate(input, 'x')) return
        const once = compiled.sanitize(input, 'x')
        if (once.problem) return
        assert.deepEqual(compiled.sanitize(once.value, 'x').value, once.value)
      },
    ),
    { numRuns: 1000 },
  )
})

test('what a map from the wire calls __proto__ is a property like any other', () => {
  const sent: unknown = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')
  const rules: ArgumentRules = { type: 'object', additionalProperties: { type: ['integer', 'object'] } }
  const { value: coerced } = compileSchema(rules).sanitize(sent, 'x')
  assert.deepEqual(Object.keys(coerced as object), ['__proto__', 'constructor'])
  assert.equal((coerced as { admin?: unknown }).admin, undefined)
  assert.equal(Object.getPrototypeOf(coerced), null)
  const closed = compileSchema({ type: 'object', properties: {}, required: ['toString'], additionalProperties: false })
  assert.equal(closed.validate(Object.create(null), 'x')?.code, 'rest_property_required')
  assert.equal(closed.validate({ toString: 1 }, 'x')?.code, 'rest_additional_properties_forbidden')
})

/** Values that count how often anything in them is read. */
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

const growing: [work: string, rules: ArgumentRules][] = [
  ['items', { type: 'array', items: object }],
  ['unique items', { type: 'array', items: object, uniqueItems: true }],
  ['unique items that nothing else is said about', { type: 'array', uniqueItems: true }],
  ['items with an enum', { type: 'array', items: { ...object, enum: [{ id: 1 }, { id: 2 }] } }],
  ['items of one of several schemas', { type: 'array', items: nested(4) }],
]
for (const [work, rules] of growing) {
  test(`the work for ${work} grows as the list does`, () => {
    const item = (index: number, reads: Reads): unknown => reads.of({ id: index })
    const [few, many] = [readsOf(rules, 100, item), readsOf(rules, 10_000, item)]
    assert.ok(few > 0 && many <= 100 * few, `${few} reads for 100 items, ${many} for 10,000`)
  })
}

test('the work for nested oneOf does not explode with their depth', () => {
  const [shallow, deep] = [2, 10].map((depth) =>
    readsOf({ type: 'array', items: nested(depth) }, 10, (index, reads) => reads.of({ id: index })),
  ) as [number, number]
  assert.ok(deep <= 25 * shallow, `${shallow} reads at depth 2, ${deep} at depth 10`)
})

const long = 'a'.repeat(1_000_000)
const slow: [pattern: string, text: string][] = [
  ['^(a+)+$', `${long}!`],
  ['a+b', long],
  ['^(.*a){12}b', long],
  ['^(?:a|a)*$', `${long}!`],
]
for (const [pattern, text] of slow) {
  test(`the pattern ${pattern} is not tried on a megabyte`, () => {
    const compiled = compileSchema({ type: 'string', pattern })
    assert.equal(compiled.validate(text, 'x')?.code, 'rest_invalid_pattern')
  })
}

test('a linear pattern is tried on a megabyte', () => {
  assert.equal(compileSchema({ type: 'string', pattern: '^a*$' }).validate(long, 'x'), null)
})
