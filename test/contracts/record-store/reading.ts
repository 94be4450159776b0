import assert from 'node:assert/strict'
import type { RecordField, RecordSelection, StoredRecord } from '../../../src/content/record.js'
import type { Caller } from '../../../src/http/caller.js'
import { administrator, author, product, visitor, type Behaves } from './setup.js'

/** What is read of a record, and by whom. */
export function readingContract(behaves: Behaves): void {
  behaves('only the requested fields are read, with the same values as in a whole record', async (store) => {
    const meta = { price: 12.5, Price: 'in another case', colours: ['red'], note: null }
    await store.insert(product('Lamp', { content: 'c', excerpt: 'e', password: 'sesame', meta }))
    await store.insert(product('Vase', { status: 'private', author: 5 }))
    const shelf = await store.insert({ type: 'folder', status: 'publish', title: 'Shelf' })
    await store.insert({ type: 'folder', status: 'publish', title: 'Box', parent: shelf.id })
    await store.insert({ type: 'post', status: 'draft', title: 'Draft' })
    const query = { status: ['publish', 'private', 'draft'], orderby: 'id' } as const
    const whole = await store.list(query)
    assert.equal(whole.length, 5)
    const all = Object.keys(whole[0] ?? {}) as RecordField[]
    const selections: readonly RecordSelection[] = [
      ...all.map((field) => ({ fields: [field] })),
      { fields: [] },
      { fields: all },
      { fields: all.toReversed() },
      { fields: ['meta', 'title', 'title'], meta_keys: ['price', 'price'] },
      { meta_keys: ['total_sales', 'colours', 'colour', 'sizes'] },
      { fields: ['meta'], meta_keys: ['Price', 'note'] },
      { fields: ['meta'], meta_keys: [] },
    ]
    for (const selection of selections) {
      const expected = whole.map((record) => partOf(record, selection))
      const selected = await store.list({ ...query, ...selection })
      assert.deepEqual(selected, expected)
      assert.deepEqual(selected.map(Object.keys), expected.map(Object.keys))
      for (const [index, { id }] of whole.entries()) assert.deepEqual(await store.get(id, selection), expected[index])
    }
  })

  behaves('links are the same whatever else is read of a list', async (store, { become }) => {
    const shelf = await store.insert({ type: 'folder', status: 'publish', title: 'Shelf' })
    await store.insert({ type: 'folder', status: 'publish', title: 'Box', parent: shelf.id })
    for (const type of ['product', 'post', 'page', 'plain']) {
      for (const status of ['publish', 'private', 'draft'])
        await store.insert({ type, status, title: status, date: '2025-03-04T05:06:07', author: 7 })
    }
    for (const reader of [administrator, author, visitor]) {
      become(reader)
      for (const type of ['product', 'folder', 'post', 'page', 'plain', ['product', 'post']]) {
        for (const status of ['publish', 'private', ['publish', 'private', 'draft']]) {
          const whole = await store.list({ type, status })
          const links = whole.map(({ id, link }) => ({ id, link }))
          assert.deepEqual(await store.list({ type, status, fields: ['link'] }), links, `${type} ${status}`)
        }
      }
    }
  })

  behaves('what a reader does with a list changes no later one', async (store) => {
    for (const title of ['Lamp', 'Vase'])
      await store.insert(product(title, { meta: { price: 3, sizes: ['S', { height: 2 }] } }))
    for (const selection of [{}, { fields: ['title', 'meta'] }, { fields: ['meta'], meta_keys: ['price'] }] as const) {
      const first = structuredClone(await store.list({ type: 'product', ...selection }))
      for (let time = 0; time < 5; time += 1) {
        const again = await store.list({ type: 'product', ...selection })
        assert.deepEqual(structuredClone(again), first, `time ${time}`)
        for (const record of again) spoil(record)
        ;(again as unknown[]).pop()
      }
    }
  })

  behaves(
    'a private record that is listed again and again has the link that its reader may see',
    async (store, { become }) => {
      await store.insert(product('Lamp', { status: 'private', author: 7 }))
      const seen = new Map<Caller, unknown>()
      for (let time = 0; time < 5; time += 1) {
        for (const reader of [administrator, visitor]) {
          become(reader)
          const [record] = await store.list({ type: 'product', status: 'private' })
          const [named] = await store.list({ type: 'product', status: 'private', fields: ['link'] })
          assert.equal(record?.link, named?.link)
          assert.equal(record?.link, seen.get(reader) ?? record?.link, `time ${time}`)
          seen.set(reader, record?.link)
        }
      }
      assert.notEqual(seen.get(administrator), seen.get(visitor))
    },
  )

  behaves('fields have the types of a record, and no others can be read', async (store) => {
    const { id } = await store.insert(product('Lamp', { meta: { price: 3 } }))
    const [listed] = await store.list({ type: 'product', fields: ['title', 'meta'], meta_keys: ['price'] })
    const single = await store.get(id, { fields: ['link'] })
    const nothing = await store.get(id, { fields: [] })
    assert.ok(listed && single && nothing)
    const told: [id: number, title: string, price: unknown, link: string, id: number] = [
      listed.id,
      listed.title,
      listed.meta['price'],
      single.link,
      nothing.id,
    ]
    assert.deepEqual(told, [id, 'Lamp', 3, 'http://example.test/product/lamp/', id])
    // @ts-expect-error the content was not requested
    assert.equal(listed.content, undefined)
    // @ts-expect-error no field was requested
    assert.equal(nothing.title, undefined)
    // @ts-expect-error no record has this field
    await assert.rejects(store.list({ fields: ['titel'] }), { name: 'RangeError', message: /'titel'.*title, content/ })
    // @ts-expect-error no record has this field
    await assert.rejects(store.get(id, { fields: ['toString'] }), { name: 'RangeError' })
    // @ts-expect-error not a list
    await assert.rejects(store.list({ fields: 'title' }), { name: 'TypeError', message: /'fields' must be a list/ })
    // @ts-expect-error not a list
    await assert.rejects(store.list({ fields: null }), { name: 'TypeError' })
    await assert.rejects(store.list({ fields: ['title'], meta_keys: ['price'] }), { message: /'meta' is not among/ })
  })

  behaves('a record is its reader’s own, however often it is read', async (store) => {
    await store.insert(product('Lamp', { meta: { colours: ['red'] } }))
    for (let time = 0; time < 4; time += 1) {
      const [record] = await store.list({ type: 'product', fields: ['title', 'meta'], meta_keys: ['colours'] })
      assert.deepEqual(record && { ...record, meta: { ...record.meta } }, {
        id: 1,
        title: 'Lamp',
        meta: { colours: ['red'] },
      })
      assert.ok(record)
      Object.assign(record, { title: 'Changed' })
      Object.assign(record.meta['colours'] ?? [], ['changed'])
    }
  })

  behaves('a record says whether a password is asked of readers, and never which', async (store) => {
    const { id, isProtected } = await store.insert(product('Lamp'))
    assert.equal(isProtected, false)
    const guarded = await store.update(id, { password: 'sesame' })
    assert.equal(guarded?.isProtected, true)
    assert.doesNotMatch(JSON.stringify(guarded), /sesame/)
    assert.deepEqual(await store.get(id), guarded)
    assert.deepEqual(await store.list({ type: 'product' }), [guarded])
    assert.equal((await store.update(id, { password: '' }))?.isProtected, false)
  })
}

/** What a selection should leave of a record. */
function partOf(record: StoredRecord, { fields, meta_keys: metaKeys }: RecordSelection): object {
  const meta = Object.assign(Object.create(null) as object, record.meta)
  const named = Object.entries(meta).filter(([key]) => metaKeys === undefined || metaKeys.includes(key))
  const read = { ...record, meta: Object.assign(Object.create(null) as object, Object.fromEntries(named)) }
  const isAsked = (field: string): boolean => field === 'id' || fields === undefined || fields.some((f) => f === field)
  return Object.fromEntries(Object.entries(read).filter(([field]) => isAsked(field)))
}

/** Changes everything there is to change in a value, as a careless handler would. */
function spoil(value: object): void {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object' && item !== null) spoil(item as object)
    else Reflect.set(value, key, 'spoiled')
  }
  Reflect.set(value, 'more', 'spoiled')
}
