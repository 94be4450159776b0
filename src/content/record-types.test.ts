import assert from 'node:assert/strict'
import test from 'node:test'
import { recordTypeFaults } from './record-type-faults.js'
import { RecordTypes } from './record-types.js'

test('a type that says nothing is shown to nobody, flat and has a title and a text', () => {
  const product = new RecordTypes({ product: {} }).get('product')
  assert.equal(product?.public, false)
  assert.equal(product?.hierarchical, false)
  assert.deepEqual([...(product?.supports ?? [])], ['title', 'editor'])
  assert.equal(product?.permalink, 'product')
})

test('WordPress’s own types are known, others are not', () => {
  const types = new RecordTypes()
  for (const name of ['post', 'page', 'attachment', 'revision']) assert.equal(types.get(name)?.name, name)
  for (const name of ['product', '', '__proto__', 'constructor']) assert.equal(types.get(name), null)
})

test('metadata may be registered for a built-in type', () => {
  const types = new RecordTypes({ post: { meta: { rating: { type: 'integer', default: 0 } } } })
  assert.equal(types.get('post')?.supports.has('revisions'), true)
  assert.deepEqual(types.metaOf('post', 'rating'), { type: 'integer', default: 0 })
  assert.equal(types.metaOf('page', 'rating'), null)
})

test('capabilities of a stem of one’s own are not mapped unless asked, as in WordPress', () => {
  const types = new RecordTypes({ book: { capability_type: 'book' }, product: {} })
  assert.equal(types.get('book')?.map_meta_cap, false)
  assert.equal(types.get('product')?.map_meta_cap, true)
})

const faulty: [declarations: Record<string, unknown>, fault: RegExp][] = [
  [{ Product: {} }, /^record_types\.Product: it must be named with 1 to 20 characters/],
  [{ a_name_of_more_than_20_characters: {} }, /1 to 20 characters/],
  [{ revision: {} }, /WordPress keeps for itself/],
  [{ page: { public: false } }, /built in and takes meta only, not public/],
  [{ product: null }, /must be an object/],
  [{ product: { permalinks: 'p' } }, /unknown option permalinks; known are permalink, /],
  [{ product: { permalink: '/p/' } }, /^record_types\.product\.permalink: it must be/],
  [{ product: { permalink: '%name%' } }, /path segments/],
  [{ product: { public: 'yes' } }, /\.public: it must be true or false/],
  [{ product: { supports: 'title' } }, /\.supports: it must be a list/],
  [{ product: { meta: { price: { type: 'float' } } } }, /\.meta\.price: its type must be one of number, integer/],
  [{ product: { meta: { price: { type: 'number', default: '5' } } } }, /price: its default is not of type number/],
  [
    { product: { meta: { colours: { type: 'array', default: [() => 'red'] } } } },
    /colours: its default holds what JSON cannot say/,
  ],
  [
    { product: { meta: { sizes: { type: 'object', default: new Map() } } } },
    /sizes: its default holds what JSON cannot say/,
  ],
]
for (const [declarations, fault] of faulty)
  test(`the declaration ${JSON.stringify(declarations)} is refused`, () => {
    const faults = recordTypeFaults(declarations)
    assert.equal(faults.length, 1)
    assert.match(faults[0]?.join(': ') ?? '', fault)
  })

test('every fault is named, and a right declaration has none', () => {
  assert.equal(recordTypeFaults({ Product: { public: 1 }, item: 5 }).length, 3)
  assert.deepEqual(recordTypeFaults(undefined), [])
  const shop = {
    product: { permalink: 'shop/item', meta: { price: { type: 'number', default: 0 } } },
    hidden: { permalink: false },
  }
  assert.deepEqual(recordTypeFaults(shop), [])
})
