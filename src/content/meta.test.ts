import assert from 'node:assert/strict'
import test from 'node:test'
import { readMeta, storedMeta } from './meta.js'
import { RecordRejectedError } from './record.js'
import type { MetaType } from './record-type.js'
import { RecordTypes } from './record-types.js'

const product = (type: MetaType, fallback?: unknown) =>
  new RecordTypes({ product: { meta: { key: { type, default: fallback } } } }).get('product')

const reads: [type: MetaType, stored: string | null, value: unknown][] = [
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
for (const [type, stored, value] of reads)
  test(`'${stored}' registered as ${type} reads ${JSON.stringify(value)}`, () =>
    assert.equal(
      JSON.stringify(readMeta([{ key: 'key', value: stored }], product(type))['key']),
      JSON.stringify(value),
    ))

test('a key that is missing has its registered default, or is absent', () => {
  assert.deepEqual({ ...readMeta([], product('number', 5)) }, { key: 5 })
  assert.deepEqual({ ...readMeta([], product('number')) }, {})
})

test('a default that somebody changes in his record is as it was in the next one', () => {
  const colours = product('array', ['red'])
  const first = readMeta([], colours)['key'] as string[]
  first.push('blue')
  assert.deepEqual(readMeta([], colours)['key'], ['red'])
})

test('of several values the first counts, and any name is an ordinary key', () => {
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

test('numbers are stored with 14 digits, lists serialised, undefined not at all', () => {
  assert.deepEqual(storedMeta({ sum: 0.1 + 0.2, list: [5], text: '10.50', yes: true, none: null, left: undefined }), [
    ['sum', '0.3'],
    ['list', 'a:1:{i:0;i:5;}'],
    ['text', '10.50'],
    ['yes', '1'],
    ['none', null],
  ])
})

for (const meta of [{ '': 1 }, { ['k'.repeat(256)]: 1 }, { key: 'bad \udcff' }])
  test(`the metadata ${JSON.stringify(meta).slice(0, 20)} is refused`, () =>
    assert.throws(() => storedMeta(meta), RecordRejectedError))
