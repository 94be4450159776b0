import assert from 'node:assert/strict'
import test from 'node:test'
import { anonymous } from '../http/caller.js'
import { recordStoreContract } from '../../test/contracts/record-store.js'
import { aPost } from '../../test/contracts/storage/rows.js'
import { siteFrom } from './site.js'
import { RecordTypes } from './record-types.js'
import { Records } from './records.js'
import { Terms } from './terms.js'
import { openTestStorage } from '../../test/support/test-database.js'
import { openRecords } from '../../test/support/opened-records.js'

const plainSite = siteFrom(new Map([['home', 'http://example.test']]))

recordStoreContract('records in SQLite', async ({ types, categories, caller, clock }) => {
  const storage = await openTestStorage()
  for (const name of categories) await new Terms(storage).create({ name })
  const store = new Records({ storage, types: new RecordTypes(types), site: plainSite, clock, caller })
  return { store, close: () => storage.close() }
})

test('an empty record with an invalid date is refused as empty', async () => {
  const { storage, records } = await openRecords()
  await assert.rejects(records.insert({ type: 'post', date: '2024-02-30' }), { code: 'empty_content' })
  await assert.rejects(records.insert({ type: 'attachment', title: 'A', comment_status: 'a'.repeat(21) }), {
    message: 'Could not insert attachment into the database.',
  })
  await storage.close()
})

test('records.as reads and writes on behalf of another caller', async () => {
  const { storage, records } = await openRecords()
  const recordsOfAnonymous = records.as(anonymous)
  assert.equal((await recordsOfAnonymous.insert({ title: 'T', content: '<script>x</script>' })).content, 'x')
  assert.equal((await records.insert({ title: 'T', content: '<script>x</script>' })).author, 2)
  await storage.close()
})

test('a query with a category and a term is refused', async () => {
  const { storage, records } = await openRecords()
  const query = { category: 'books', term: { taxonomy: 'post_tag', slug: 'red' } }
  await assert.rejects(records.list(query), RangeError)
  await storage.close()
})

test('a misspelt option of get is refused', async () => {
  const { storage, records } = await openRecords()
  const { id } = await records.insert({ type: 'product', status: 'publish', title: 'A' })
  const misspelt = { lok: true } as object
  await assert.rejects(records.get(id, misspelt), /'lok'\. Did you mean 'lock'/)
  assert.equal((await records.get(id, { type: undefined, lock: false, fields: ['title'] }))?.title, 'A')
  await storage.close()
})

test('a null or undefined field does not restrict a query', async () => {
  const { storage, records } = await openRecords()
  for (const title of ['A', 'B']) await records.insert({ type: 'product', status: 'publish', title, slug: title })
  await records.insert({ type: 'product', status: 'draft', title: 'C' })
  const names = [
    'category',
    'term',
    'author',
    'parent',
    'slug',
    'search',
    'ids',
    'orderby',
    'order',
    'page',
    'per_page',
  ]
  for (const empty of [null, undefined]) {
    const query = Object.fromEntries(['type', 'status', ...names].map((name) => [name, empty]))
    assert.deepEqual(await records.list(query), await records.list({}))
    assert.equal(await records.count(query), 2)
    const orderby = { meta: 'price' }
    assert.deepEqual(await records.list({ ...query, orderby }), await records.list({ orderby }))
  }
  await storage.close()
})

test('an unknown order is refused with the nearest one', async () => {
  const { storage, records } = await openRecords()
  for (const orderby of ['price', 'toString', '__proto__', 'ID; DROP TABLE wp_posts', ''])
    await assert.rejects(records.list({ orderby: orderby as 'date' }), { code: 'undeclared-order' })
  await assert.rejects(records.list({ orderby: 'titel' as 'title' }), /ordered by 'titel'\. Did you mean 'title'\?/)
  await assert.rejects(
    records.list({ orderby: ['date', { by: 'id', order: 'DESC' as 'desc' }] }),
    /Did you mean 'desc'/,
  )
  await storage.close()
})

test('a page has at most a thousand records, whatever per_page is', async () => {
  const { storage, records } = await openRecords()
  await storage.transaction(async ({ posts }) => {
    for (let number = 0; number < 1001; number += 1) await posts.insert(aPost())
  })
  const countOnPage = async (per_page: number, page = 1) =>
    (await records.list({ type: 'product', fields: ['id'], per_page, page })).length
  for (const per_page of [1001, 100_000, Infinity, -1])
    assert.equal(await countOnPage(per_page), 1000, String(per_page))
  assert.equal(await countOnPage(100_000, 2), 1)
  await storage.close()
})

test('a change of the lists fields and meta_keys after a call is used in the next call', async () => {
  const { storage, records } = await openRecords()
  await records.insert({ type: 'product', status: 'publish', title: 'Lamp', meta: { price: '5', size: 'S' } })
  const fields: ('title' | 'meta' | 'slug')[] = ['title', 'meta', 'meta']
  const meta_keys = ['price']
  const read = async () => Object.entries((await records.list({ type: 'product', fields, meta_keys }))[0] ?? {})
  const metaWith = (values: object) => Object.assign(Object.create(null) as object, values)
  assert.deepEqual((await read()).slice(1), [
    ['title', 'Lamp'],
    ['meta', metaWith({ price: '5' })],
  ])
  fields[0] = 'slug'
  assert.deepEqual((await read()).slice(1), [
    ['slug', 'lamp'],
    ['meta', metaWith({ price: '5' })],
  ])
  meta_keys[0] = 'size'
  assert.deepEqual((await read()).slice(1), [
    ['slug', 'lamp'],
    ['meta', metaWith({ size: 'S' })],
  ])
  await storage.close()
})

test('an id that is invalid, in use, or too large for further ids is refused', async () => {
  const { storage, records } = await openRecords()
  const { id } = await records.insert({ type: 'product', title: 'Lamp', id: 70 })
  assert.equal(id, 70)
  for (const refusedId of [70, -1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER])
    await assert.rejects(records.insert({ type: 'product', title: 'Lamp', id: refusedId }), { code: 'invalid_post_id' })
  assert.equal((await records.insert({ type: 'product', title: 'Lamp' })).id, 71)
  await storage.close()
})

test('records of a repeated query have current links for the caller and are new objects for each call', async () => {
  const storage = await openTestStorage()
  const siteWith = (options: Record<string, string>) =>
    siteFrom(new Map(Object.entries({ home: 'http://example.test', permalink_structure: '/%postname%/', ...options })))
  const site = { ...siteWith({}) }
  const types = new RecordTypes({ product: { public: true } })
  const records = new Records({ storage, types, site, caller: () => anonymous })
  const admin = { ...anonymous, id: 1, capabilities: new Set(['read', 'read_private_posts', 'read_private_pages']) }
  const recordsOfAdmin = records.as(admin)
  await recordsOfAdmin.insert({ type: 'product', status: 'publish', title: 'Lamp', meta: { price: 5, sizes: [1, 2] } })
  const { id } = await recordsOfAdmin.insert({ type: 'page', status: 'publish', title: 'Home' })
  await recordsOfAdmin.insert({ type: 'post', status: 'private', title: 'Hidden', slug: 'hidden' })
  const query = { type: ['product', 'page', 'post'], status: ['publish', 'private'], orderby: 'id' } as const
  const fields = ['link', 'meta'] as const
  const linksOfThreeReads = async (store = records) => {
    const lists = []
    for (let time = 0; time < 3; time += 1) lists.push((await store.list({ ...query, fields })).map(({ link }) => link))
    assert.deepEqual(lists[1], lists[0])
    assert.deepEqual(lists[2], lists[0])
    return lists[0]
  }
  const productLink = async () => {
    const list = () => records.list({ type: 'product', fields })
    const [first] = [await list(), await list(), await list()].map(([record]) => record)
    const last = (await list())[0]
    assert.notEqual(last, first)
    assert.notEqual(last?.meta, first?.meta)
    assert.notEqual(last?.meta['sizes'], first?.meta['sizes'])
    return last?.link
  }
  assert.deepEqual(await linksOfThreeReads(), [
    'http://example.test/product/lamp/',
    'http://example.test/home/',
    'http://example.test/?p=3',
  ])
  assert.equal((await linksOfThreeReads(recordsOfAdmin))?.[2], 'http://example.test/hidden/')
  assert.equal(await productLink(), 'http://example.test/product/lamp/')
  Object.assign(site, siteWith({ home: 'https://other.test' }))
  assert.equal(await productLink(), 'https://other.test/product/lamp/')
  Object.assign(site, siteWith({ permalink_structure: '' }))
  assert.equal(await productLink(), 'http://example.test/?product=lamp')
  Object.assign(site, siteWith({ show_on_front: 'page', page_on_front: String(id) }))
  const pageLink = async () => (await records.get(id, { fields: ['link'] }))?.link
  for (let time = 0; time < 3; time += 1) assert.equal(await pageLink(), 'http://example.test/')
  Object.assign(site, siteWith({}))
  assert.equal(await pageLink(), 'http://example.test/home/')
  await storage.close()
})
