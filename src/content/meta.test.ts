import assert from 'node:assert/strict'
import test from 'node:test'
import { readMeta, serializedMeta } from './meta.js'
import { RecordRejectedError } from './record.js'
import type { MetaType } from './record-type.js'
import { RecordTypes } from './record-types.js'

const product = (type: MetaType, fallback?: unknown) =>
  new RecordTypes({ product: { meta: { key: { type, default: fallback } } } }).get('product')

const table: [type: MetaType, text: string | null, value: unknown][] = [
  ['number', '49.99', 49.99],
  ['number', '10.50', 10.5],
  ['number', '1.0E+20', 1e20],
  ['number', '12 pieces', 12],
  ['number', 'cheap', 0],
  ['number', '1e999', 0],
  ['number', null, 0],
  ['integer', '12.9', 12],
  ['boolean', '1', true],
  ['boolean', '', false],
  ['boolean', '0', false],
  ['string', '12', '12'],
  ['string', null, ''],
  ['array', 'a:2:{i:0;i:1;i:1;s:1:"b";}', [1, 'b']],
  ['array', 'red', ['red']],
  ['array', '', []],
  ['object', 'red', {}],
]
for (const [type, text, value] of table)
  test(`the stored text '${text}' of a key registered as ${type} is read as ${JSON.stringify(value)}`, () =>
    assert.equal(JSON.stringify(readMeta([{ key: 'key', value: text }], product(type))['key']), JSON.stringify(value)))

test('a missing key has its registered default; without a default it is absent', () => {
  assert.deepEqual({ ...readMeta([], product('number', 5)) }, { key: 5 })
  assert.deepEqual({ ...readMeta([], product('number')) }, {})
})

test('a change of a default value in one record does not change the next record', () => {
  const colours = product('array', ['red'])
  const first = readMeta([], colours)['key'] as string[]
  first.push('blue')
  assert.deepEqual(readMeta([], colours)['key'], ['red'])
})

test('the first of several values is read, and __proto__ is an ordinary key', () => {
  const meta = readMeta(
    [
      { key: '__proto__', value: 'first' },
      { key: '__proto__', value: 'second' },
      { key: 'list', value: 'a:1:{i:0;i:5;}' },
    ],
    null,
  )
  assert.equal(meta['__proto__'], 'first')
  assert.deepEqual(meta['list'], [5])
})

test('numbers are stored with 14 digits, lists are serialised, and undefined values are left out', () => {
  assert.deepEqual(
    serializedMeta({ sum: 0.1 + 0.2, list: [5], text: '10.50', yes: true, none: null, left: undefined }),
    [
      ['sum', '0.3'],
      ['list', 'a:1:{i:0;i:5;}'],
      ['text', '10.50'],
      ['yes', '1'],
      ['none', null],
    ],
  )
})

test('NaN and infinity are refused in lists and maps at any depth, and what contains itself is refused', () => {
  assert.throws(() => serializedMeta({ sizes: { a: [1, { b: NaN }] } }), {
    code: 'invalid_meta_value',
    message: 'meta.sizes[a][1][b] is NaN, which is not a finite number.',
  })
  assert.deepEqual(serializedMeta({ size: -Infinity, weight: NaN }), [
    ['size', '-INF'],
    ['weight', 'NAN'],
  ])
  const circular: Record<string, unknown> = {}
  Object.assign(circular, { left: circular, right: circular })
  assert.throws(() => serializedMeta({ circular }), RangeError)
})

for (const meta of [{ '': 1 }, { ['k'.repeat(256)]: 1 }, { key: 'bad \udcff' }])
  test(`the metadata ${JSON.stringify(meta).slice(0, 20)} is refused`, () =>
    assert.throws(() => serializedMeta(meta), RecordRejectedError))
