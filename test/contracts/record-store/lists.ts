import assert from 'node:assert/strict'
import type { RecordStore } from '../../../src/content/record-store.js'
import { product, titles, visitor, type Behaves } from './setup.js'

/** Which records a list has, and in which order. */
export function listContract(behaves: Behaves): void {
  behaves(
    'a search of an anonymous caller does not match the content of protected records',
    async (store, { become }) => {
      await store.insert(product('Lamp', { content: 'In full', password: 'sesame' }))
      await store.insert(product('Open', { content: 'In full' }))
      const search = { type: 'product', search: 'in full' }
      assert.equal(await store.count(search), 2)
      become(visitor)
      assert.deepEqual(titles(await store.list(search)), ['Open'])
      assert.equal(await store.count(search), 1)
      assert.equal(await store.count({ type: 'product' }), 2)
    },
  )

  behaves('lists are published records, newest first, page by page', async (store, { wait }) => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await store.insert(product(title))
      wait(1)
    }
    await store.insert(product('Hidden', { status: 'draft' }))
    const query = { type: 'product', per_page: 2 }
    assert.deepEqual(titles(await store.list(query)), ['Five', 'Four'])
    assert.deepEqual(titles(await store.list({ ...query, page: 3 })), ['One'])
    assert.deepEqual(titles(await store.list({ ...query, page: Number.MAX_SAFE_INTEGER })), [])
    assert.deepEqual(titles(await store.list({ ...query, page: 0 })), ['Five', 'Four'])
    // As WP_Query reads numbers below 1: the size counts, but 0 is the site's own number and -1 all there are.
    assert.deepEqual(titles(await store.list({ ...query, page: -2 })), ['Three', 'Two'])
    assert.deepEqual(titles(await store.list({ ...query, page: 2, per_page: -3 })), ['Two', 'One'])
    assert.equal((await store.list({ ...query, per_page: 0 })).length, 5)
    assert.deepEqual(await store.list({ ...query, page: 2, per_page: 0 }), [])
    assert.equal((await store.list({ ...query, page: 2, per_page: -1 })).length, 5)
    assert.equal(await store.count(query), 5)
    assert.deepEqual(titles(await store.list({ type: 'product', status: 'draft' })), ['Hidden'])
    assert.deepEqual(titles(await store.list({ type: 'product', status: ['draft', 'publish'], per_page: 1 })), [
      'Hidden',
    ])
  })

  behaves('lists are sorted as asked, metadata by its type', async (store) => {
    const goods: [title: string, price?: number | undefined, sales?: number][] = [
      ['beta', 9, 3],
      ['Alpha', 10, 12],
      ['gamma', 100],
      ['Delta', undefined, 3],
      ['epsilon', -1.5, 0],
    ]
    for (const [title, price, total_sales] of goods)
      await store.insert(product(title, { meta: { price, total_sales } }))
    const sorted = async (
      orderby: NonNullable<Parameters<RecordStore['list']>[0]['orderby']>,
      order?: 'asc' | 'desc',
    ) => titles(await store.list({ type: 'product', orderby, ...(order ? { order } : {}) }))
    assert.deepEqual(await sorted('date'), ['epsilon', 'Delta', 'gamma', 'Alpha', 'beta'])
    assert.deepEqual(await sorted('title'), ['Alpha', 'beta', 'Delta', 'epsilon', 'gamma'])
    assert.deepEqual(await sorted({ meta: 'price' }), ['epsilon', 'Delta', 'beta', 'Alpha', 'gamma'])
    assert.deepEqual(await sorted({ meta: 'total_sales' }, 'desc'), ['Alpha', 'beta', 'Delta', 'gamma', 'epsilon'])
  })

  behaves('lists are narrowed by category', async (store) => {
    await store.insert(product('Crime', { terms: { category: ['books'] } }))
    await store.insert(product('Kite', { terms: { category: ['toys'] } }))
    const both = await store.insert(product('Comic', { terms: { category: ['books', 'toys'] } }))
    const within = async (category: string | null) =>
      titles(await store.list({ type: 'product', category, orderby: 'title' }))
    assert.deepEqual(await within('books'), ['Comic', 'Crime'])
    assert.deepEqual(await within(''), ['Comic', 'Crime', 'Kite'])
    assert.deepEqual(await within(null), ['Comic', 'Crime', 'Kite'])
    assert.deepEqual(await within('unknown'), [])
    assert.deepEqual(await within('!'), [])
    assert.deepEqual(await within(' Boöks!'), ['Comic', 'Crime'])
    await store.update(both.id, { terms: { category: ['toys'] } })
    assert.deepEqual(await within('books'), ['Crime'])
    assert.equal(await store.count({ type: 'product', category: 'toys' }), 2)
  })

  behaves('a query with a value of another type is refused with the name of the field', async (store) => {
    await store.insert(product('Lamp'))
    const queries: [query: object, message: RegExp][] = [
      [{ slug: true }, /'slug'.*must be a string; it is a boolean/],
      [{ search: ['lamp'] }, /'search'.*must be a string; it is a list/],
      [{ category: 5 }, /'category'.*must be a string; it is a number/],
      [{ type: true }, /'type'.*must be a string or a list of strings; it is a boolean/],
      [{ status: ['publish', 1] }, /item of 'status'.*must be a string; it is a number/],
      [{ author: '1' }, /'author'.*must be a number; it is a string/],
      [{ parent: false }, /'parent'.*must be a number; it is a boolean/],
      [{ ids: 5 }, /'ids'.*must be a list of numbers; it is a number/],
      [{ ids: ['5'] }, /item of 'ids'.*must be a number; it is a string/],
      [{ term: 'lamps' }, /'term'.*must be an object/],
      [{ term: { taxonomy: 'category', slug: true } }, /'slug' of 'term'.*must be a string; it is a boolean/],
      [{ orderby: true }, /'orderby'.*must be a string or an object/],
      [{ orderby: { meta: 5 } }, /'meta' of 'orderby'.*must be a string; it is a number/],
      [{ order: 1 }, /'order'.*must be a string; it is a number/],
      [{ page: '2' }, /'page'.*must be a number; it is a string/],
      [{ per_page: new Date(0) }, /'per_page'.*must be a number; it is an object of Date/],
    ]
    for (const [query, message] of queries) {
      await assert.rejects(store.list(query), { name: 'TypeError', message }, JSON.stringify(query))
      await assert.rejects(store.count(query), { name: 'TypeError', message }, JSON.stringify(query))
    }
    for (const id of ['1', true, null, undefined, {}] as never[]) {
      await assert.rejects(store.get(id), TypeError)
      await assert.rejects(store.update(id, { title: 'Changed' }), TypeError)
      await assert.rejects(store.delete(id), TypeError)
    }
    const nothing = { slug: null, search: undefined, category: null, ids: null, term: null, orderby: null, page: null }
    assert.deepEqual(titles(await store.list({ type: 'product', ...nothing })), ['Lamp'])
  })
}
