import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { filterFields } from './fields.js'

const body = { id: 1, title: 'T', meta: { price: 5, sizes: { s: 1, m: 2 } }, items: [{ id: 7 }, { id: 8 }] }

const table: [fields: unknown, expected: unknown][] = [
  [null, body],
  ['', body],
  [' , ', body],
  [[], body],
  ['id', { id: 1 }],
  ['title, id', { id: 1, title: 'T' }],
  ['title id\nmeta', { id: 1, title: 'T', meta: body.meta }],
  ['id,id', { id: 1 }],
  ['id,nope', { id: 1 }],
  ['nope', []],
  ['ID', []],
  [['id', 'title'], { id: 1, title: 'T' }],
  [['id,title'], []],
  [[' id '], { id: 1 }],
  [[['id'], null, 'id'], { id: 1 }],
  [[''], []],
  ['meta.price', { meta: { price: 5 } }],
  ['meta.price,meta.sizes.m', { meta: { price: 5, sizes: { m: 2 } } }],
  ['meta.nope', { meta: [] }],
  ['title.x', { title: 'T' }],
  ['items.id', { items: [] }],
  ['items.0', { items: [{ id: 7 }] }],
  ['items.1.id', { items: { 1: { id: 8 } } }],
  ['id,meta,meta.price,title', { id: 1, meta: body.meta }],
  ['id,meta.price,meta,title', { id: 1, title: 'T', meta: body.meta }],
  ['__proto__,constructor', []],
  ['__proto__.x,constructor.name', []],
]
for (const [fields, expected] of table)
  test(`_fields=${JSON.stringify(fields)} leaves ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(filterFields(body, fields), expected)
  })

test('each item of a list is filtered, and scalar items stay unchanged', () => {
  assert.deepEqual(filterFields([body, { title: 'U' }, 5, null], 'id,title'), [
    { id: 1, title: 'T' },
    { title: 'U' },
    5,
    null,
  ])
  assert.deepEqual(filterFields([{ a: 1 }], 'nope'), [[]])
  assert.deepEqual(filterFields({ 5: { id: 1, a: 2 }, 7: { id: 3 } }, 'id'), { 5: { id: 1 }, 7: { id: 3 } })
})

for (const scalar of [null, 5, 'text', true, undefined])
  test(`the body ${String(scalar)} stays unchanged`, () => {
    assert.equal(filterFields(scalar, 'id'), scalar)
  })

test('a value with toJSON is filtered by the result of toJSON', () => {
  const product = { toJSON: () => ({ id: 1, at: new Date(0) }) }
  assert.deepEqual(JSON.parse(JSON.stringify(filterFields(product, 'at'))), { at: '1970-01-01T00:00:00.000Z' })
  assert.deepEqual(filterFields({ product }, 'product.id'), { product: { id: 1 } })
})

test('a member named __proto__ can be selected', () => {
  const filtered = filterFields(JSON.parse('{"__proto__":{"x":1},"a":1}'), '__proto__') as object
  assert.deepEqual(Object.keys(filtered), ['__proto__'])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

test('any body and any fields are filtered without an exception', () => {
  const fields = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.constantFrom('a', 'b', '.', ',', ' ', '0'), { maxLength: 20 }).map((names) => names.join('')),
  )
  fc.assert(fc.property(fc.jsonValue(), fields, (value, names) => void filterFields(value, names)))
})
