import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { EncodingError, toJson } from './json.js'

const bare = (members: object): unknown => Object.assign(Object.create(null) as object, members)

/** Bytes that say what their JSON is. */
class Base64 extends Uint8Array {
  toJSON(): string {
    return Buffer.from(this).toString('base64')
  }
}

const table: [value: unknown, text: string][] = [
  [null, 'null'],
  [undefined, 'null'],
  [true, 'true'],
  ['', '""'],
  [{}, '{}'],
  [[], '[]'],
  [{ a: {}, b: [] }, '{"a":{},"b":[]}'],
  [bare({ a: 2 }), '{"a":2}'],
  [{ a: undefined, b: () => 1, c: [undefined] }, '{"c":[null]}'],
  ['/', '"\\/"'],
  ['<>&\'"\\', '"<>&\'\\"\\\\"'],
  ['\b\f\n\r\t\v\x00\x1f\x7f', '"\\b\\f\\n\\r\\t\\u000b\\u0000\\u001f\x7f"'],
  ['é日😀\u2028', '"\\u00e9\\u65e5\\ud83d\\ude00\\u2028"'],
  [{ 'é/': 1 }, '{"\\u00e9\\/":1}'],
  ['a\udcffb', '"a?b"'],
  ['\udce2\udc82', '"?"'],
  ['\udcff\udcfea', '"??a"'],
  [{ '\udcff': '\udcff\ufffd\\ud800' }, '{"?":"?\\ufffd\\\\ud800"}'],
  ['\ud800', '"?"'],
  [5, '5'],
  [10.0, '10'],
  [-0, '-0'],
  [0.1, '0.1'],
  [45.678, '45.678'],
  [0.0001, '0.0001'],
  [0.00001, '1.0e-5'],
  [123456.789e-12, '1.23456789e-7'],
  [1e15, '1000000000000000'],
  [9007199254740991, '9007199254740991'],
  [1e16, '10000000000000000'],
  [1e17, '1.0e+17'],
  [123456789012345680, '1.2345678901234568e+17'],
  [1e25, '1.0e+25'],
  [5e-324, '5.0e-324'],
  [-1.5e300, '-1.5e+300'],
  [9007199254740993n, '9007199254740993'],
  [[1n, -0, 'é'], '[1,-0,"\\u00e9"]'],
  [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  [{ at: new Date(0), n: -0 }, '{"at":"1970-01-01T00:00:00.000Z","n":-0}'],
  [{ toJSON: () => ({ a: 1e17 }) }, '{"a":1.0e+17}'],
  [{ k: { toJSON: (key: string) => key } }, '{"k":"k"}'],
  [[new Base64(Buffer.from('a'))], '["YQ=="]'],
  [new Object(''), '""'],
  [
    [new Object('a"é'), new Object(0), new Object(1e17), new Object(false), new Object(5n)],
    '["a\\"\\u00e9",0,1.0e+17,false,5]',
  ],
  [{ a: { toJSON: () => new Object('b') } }, '{"a":"b"}'],
]
for (const [value, text] of table)
  test(`toJson writes ${text}`, () => {
    assert.equal(toJson(value), text)
  })

for (const value of [
  NaN,
  Infinity,
  -Infinity,
  [1, NaN],
  { a: { b: Infinity } },
  [1n, NaN],
  [-0, Infinity],
  [new Object(NaN)],
])
  test(`${String(value)} throws an EncodingError`, () => {
    assert.throws(() => toJson(value), new EncodingError('Inf and NaN cannot be JSON encoded'))
  })

for (const [value, message] of [
  [Promise.resolve(1), /holds a promise, .* await it/],
  [{ list: [-0, Promise.resolve(1)] }, /holds a promise/],
  [{ a: new Map([['a', 1]]) }, /holds a Map, .* Object\.fromEntries\(map\)/],
  [[new Set([1])], /holds a Set, .* \[\.\.\.set\]/],
] as const)
  test(`a value without a JSON form throws a TypeError: ${inspect(value)}`, () => {
    assert.throws(() => toJson(value), message)
  })

function nested(depth: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

test('512 levels are written; more levels, and values that contain themselves, throw an EncodingError', () => {
  const circular: Record<string, unknown> = {}
  circular['a'] = [circular, circular]
  for (const innermost of [1, 1n]) {
    assert.doesNotThrow(() => toJson(nested(512, innermost)))
    assert.throws(() => toJson(nested(513, innermost)), new EncodingError('Maximum stack depth exceeded'))
  }
  assert.throws(() => toJson(circular), EncodingError)
})

test('empty slots of a list are written as null', () => {
  const sparse: unknown[] = []
  sparse[2] = 1
  assert.deepEqual([toJson(sparse), toJson([sparse, 1n])], ['[null,null,1]', '[[null,null,1],1]'])
})

test('pretty JSON is indented by four spaces', () => {
  const lines = ['{', '    "a": [', '        1,', '        {}', '    ],', '    "b": [],', '    "c": "\\/"', '}']
  assert.equal(toJson({ a: [1, {}], b: [], c: '/' }, { pretty: true }), lines.join('\n'))
  lines[2] = '        -0,'
  assert.equal(toJson({ a: [-0, {}], b: [], c: '/' }, { pretty: true }), lines.join('\n'))
})

/** `JSON.stringify` drops the sign of negative zero; PHP writes it. */
const withoutSign = (_: string, value: unknown): unknown => (Object.is(value, -0) ? 0 : value)

test('the written JSON has the same value as the output of JSON.stringify', () => {
  const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
  fc.assert(
    fc.property(value, fc.boolean(), (original, pretty) => {
      const text = toJson(original, { pretty })
      assert.match(text, /^[\x00-\x7f]*$/)
      assert.deepEqual(JSON.parse(text, withoutSign), JSON.parse(JSON.stringify(original), withoutSign))
    }),
  )
})

test('the path through JSON.stringify and the own writer have the same output', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), fc.boolean(), (value, pretty) => {
      const [fast, slow] = [toJson([value, 0], { pretty }), toJson([value, 0n], { pretty })]
      assert.equal(fast, slow)
    }),
  )
})

test('JSON whose indentation would exceed a megabyte and sixteen times its length is not indented', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}"]\\"["${']'.repeat(depth)}`)
  const small = { a: nested(500) }
  assert.equal(toJson(small, { pretty: true }), JSON.stringify(small, null, 4))
  const large = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, nested(500)]))
  assert.equal(toJson(large, { pretty: true }), JSON.stringify(large))
  const wide = {
    rows: Array.from({ length: 60_000 }, (_, index) => ({ index, text: 'some text', list: [1, [2, [3]]] })),
  }
  assert.equal(toJson(wide, { pretty: true }), JSON.stringify(wide, null, 4))
})
