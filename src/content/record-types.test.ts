import assert from 'node:assert/strict'
import test from 'node:test'
import { recordTypeDiagnostics } from './record-type-faults.js'
import { RecordTypes } from './record-types.js'

test('a type with an empty declaration is not public, not hierarchical, and supports title and editor', () => {
  const product = new RecordTypes({ product: {} }).get('product')
  assert.equal(product?.public, false)
  assert.equal(product?.hierarchical, false)
  assert.deepEqual([...(product?.supports ?? [])], ['title', 'editor'])
  assert.equal(product?.permalink, 'product')
})

test('get returns WordPress’s own types, and null for undeclared types', () => {
  const types = new RecordTypes()
  for (const name of ['post', 'page', 'attachment', 'revision']) assert.equal(types.get(name)?.name, name)
  for (const name of ['product', '', '__proto__', 'constructor']) assert.equal(types.get(name), null)
})

test('a declaration of a built-in type registers metadata for it', () => {
  const types = new RecordTypes({ post: { meta: { rating: { type: 'integer', default: 0 } } } })
  assert.equal(types.get('post')?.supports.has('revisions'), true)
  assert.deepEqual(types.metaOf('post', 'rating'), { type: 'integer', default: 0 })
  assert.equal(types.metaOf('page', 'rating'), null)
})

test('map_meta_cap is false by default for a capability type other than post and page, as in WordPress', () => {
  const types = new RecordTypes({ book: { capability_type: 'book' }, product: {} })
  assert.equal(types.get('book')?.map_meta_cap, false)
  assert.equal(types.get('product')?.map_meta_cap, true)
})

const refusedDeclarations: [declarations: Record<string, unknown>, message: RegExp][] = [
  [{ Product: {} }, /^record_types\.Product: it must be named with 1 to 20 characters/],
  [{ a_name_of_more_than_20_characters: {} }, /1 to 20 characters/],
  [{ revision: {} }, /WordPress reserves this name/],
  [{ page: { public: false } }, /built in and takes only statuses, meta and after_commit, not public/],
  [{ product: null }, /must be an object/],
  [{ product: { permalinks: 'p' } }, /unknown option permalinks\. Did you mean 'permalink'/],
  [{ product: { permalink: '/p/' } }, /^record_types\.product\.permalink: it must be/],
  [{ product: { permalink: '%name%' } }, /path segments/],
  [{ product: { public: 'yes' } }, /\.public: it must be true or false/],
  [{ product: { supports: 'title' } }, /\.supports: it must be a list/],
  [{ product: { meta: { price: { type: 'float' } } } }, /\.meta\.price: its type must be one of number, integer/],
  [
    { product: { meta: { colour: { type: 'string', indexed: true } } } },
    /colour: 'indexed' keeps the order of numbers: the type must be number or integer/,
  ],
  [{ product: { meta: { price: { type: 'number', indexed: 1 } } } }, /price: 'indexed' must be true or false/],
  [{ product: { meta: { price: { type: 'number', default: '5' } } } }, /price: its default is not of type number/],
  [
    { product: { meta: { colours: { type: 'array', default: [() => 'red'] } } } },
    /colours: its default contains a value that JSON cannot represent/,
  ],
  [
    { product: { meta: { sizes: { type: 'object', default: new Map() } } } },
    /sizes: its default contains a value that JSON cannot represent/,
  ],
]
for (const [declarations, message] of refusedDeclarations)
  test(`the declaration ${JSON.stringify(declarations)} is refused`, () => {
    const diagnostics = recordTypeDiagnostics(declarations)
    assert.equal(diagnostics.length, 1)
    const [option, , text] = diagnostics[0] ?? []
    assert.match(`${option}: ${text}`, message)
  })

test('every error in a declaration is reported, and a correct declaration has none', () => {
  assert.equal(recordTypeDiagnostics({ Product: { public: 1 }, item: 5 }).length, 3)
  const hooks = { insert: () => null, updated: 'send', deleted: () => null }
  assert.deepEqual(
    recordTypeDiagnostics({ book: { after_commit: hooks } }).map(([option, , text]) => `${option}: ${text}`),
    ['insert is none of them, but inserted is', 'updated is not a function'].map(
      (fault) => `record_types.book.after_commit: it must map inserted, updated and deleted to functions; ${fault}.`,
    ),
  )
  assert.deepEqual(recordTypeDiagnostics(undefined), [])
  const shop = {
    product: { permalink: 'shop/item', meta: { price: { type: 'number', default: 0, indexed: true } } },
    hidden: { permalink: false },
  }
  assert.deepEqual(recordTypeDiagnostics(shop), [])
})
