import assert from 'node:assert/strict'
import test from 'node:test'
import type { Caller } from '../../src/http/caller.js'
import {
  RecordRejectedError,
  type NewRecord,
  type RecordField,
  type RecordSelection,
  type StoredRecord,
} from '../../src/content/record.js'
import type { RecordStore } from '../../src/content/record-store.js'
import type { RecordTypeDeclarations } from '../../src/content/record-types.js'

/** What a store is opened with: an empty one, of a site at `http://example.test` with permalinks `/%postname%/`. */
export interface RecordStoreSetup {
  readonly types: RecordTypeDeclarations
  readonly categories: readonly string[]
  /** Who reads and writes. */
  readonly caller: () => Caller
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export interface OpenedRecordStore {
  readonly store: RecordStore
  close(): Promise<void>
}

const types: RecordTypeDeclarations = {
  product: {
    supports: ['title', 'editor', 'excerpt'],
    meta: {
      price: { type: 'number' },
      total_sales: { type: 'integer', default: 0 },
      Price: { type: 'string' },
      note: { type: 'string' },
      colour: { type: 'string' },
      colours: { type: 'array' },
      sizes: { type: 'array' },
    },
  },
  folder: { hierarchical: true },
  plain: { permalink: false, supports: [] },
}

const administrator: Caller = {
  id: 1,
  login: 'ada',
  displayName: 'Ada',
  email: 'ada@example.test',
  roles: ['administrator'],
  capabilities: new Set(['exist', 'read', 'unfiltered_html', 'publish_posts', 'read_private_posts']),
}
const visitor: Caller = { ...administrator, id: 0, login: '', roles: [], capabilities: new Set(['exist']) }
const author: Caller = { ...administrator, id: 7, capabilities: new Set(['exist', 'read', 'publish_posts']) }

/** What every store of records must do; `open` gives an empty one. */
export function recordStoreContract(name: string, open: (setup: RecordStoreSetup) => Promise<OpenedRecordStore>): void {
  const behaves = (
    statement: string,
    check: (store: RecordStore, hands: { become(caller: Caller): void; wait(seconds: number): void }) => Promise<void>,
  ): void => {
    test(`${name}: ${statement}`, async () => {
      let now = Date.parse('2026-01-15T12:00:00Z')
      let present = administrator
      const caller = (): Caller => present
      const { store, close } = await open({ types, categories: ['books', 'toys'], caller, clock: () => now })
      try {
        await check(store, {
          become: (next) => (present = next),
          wait: (seconds) => (now += seconds * 1000),
        })
      } finally {
        await close()
      }
    })
  }

  const product = (title: string, more: NewRecord = {}): NewRecord => ({
    type: 'product',
    status: 'publish',
    title,
    ...more,
  })
  const titles = (records: readonly Pick<StoredRecord, 'title'>[]): string[] => records.map((record) => record.title)

  behaves('a record comes back as it was given', async (store) => {
    const text = 'C:\\new \\"q\\" <b>&amp;</b> 日本 🎁 \u0000 end'
    const record = await store.insert(
      product(text, { content: text, excerpt: 'e', meta: { price: 12.5, colours: ['red', 'blue'] } }),
    )
    assert.equal(record.title, text)
    assert.equal(record.content, text)
    assert.deepEqual({ ...record.meta }, { price: 12.5, colours: ['red', 'blue'], total_sales: 0 })
    assert.equal(record.author, 1)
    assert.equal(record.date, '2026-01-15T12:00:00')
    assert.deepEqual(await store.get(record.id), record)
  })

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

  behaves('what does not exist is null, or false', async (store) => {
    for (const id of [0, -1, 1.5, Number.NaN, 99, 2 ** 60]) {
      assert.equal(await store.get(id), null)
      assert.equal(await store.update(id, { title: 'x' }), null)
      assert.equal(await store.delete(id), false)
    }
  })

  behaves('a record without any text is refused, and nothing of it stays', async (store) => {
    await assert.rejects(store.insert(product('   ', { meta: { price: 1 } })), { code: 'empty_content' })
    await assert.rejects(store.insert(product('@@'.repeat(33_000))), {
      code: 'db_insert_error',
      message: 'Could not insert post into the database.',
    })
    await assert.rejects(store.insert(product('bad \udcff byte')), { code: 'db_insert_error' })
    await assert.rejects(store.insert(product('Dated', { date: '2024-02-30' })), { code: 'invalid_date' })
    await assert.rejects(store.insert(product('Shelved', { terms: { category: ['cellar'] } })), {
      code: 'invalid_term',
    })
    await assert.rejects(store.insert({ type: 'folder', title: 'Odd', meta: { '': 1 } }), RecordRejectedError)
    assert.equal(await store.count({ type: 'product' }), 0)
  })

  behaves('slugs come from titles and are unique within a type', async (store) => {
    const slugs = ['Été à Paris!', 'Ete a Paris', 'ÉTÉ À PARIS'].map(
      async (title) => (await store.insert(product(title))).slug,
    )
    assert.deepEqual(new Set(await Promise.all(slugs)), new Set(['ete-a-paris', 'ete-a-paris-2', 'ete-a-paris-3']))
    assert.equal((await store.insert({ type: 'post', status: 'publish', title: 'Ete a Paris' })).slug, 'ete-a-paris')
    const { id, slug } = await store.insert(product('', { content: 'c' }))
    assert.equal(slug, String(id))
    // As in WordPress, where `0` is as good as no slug, and the backslash goes of an escaped NUL.
    const odd: [title: string, slug: string][] = [
      ['0', '0'],
      ['0', '0'],
      ['nul\0x', 'nul0x'],
      ['nul\0x', 'nul0x-2'],
    ]
    for (const [title, slug] of odd) assert.equal((await store.insert(product(title, { content: 'c' }))).slug, slug)
  })

  behaves('many writers at once never share a slug', async (store) => {
    const records = await Promise.all(Array.from({ length: 20 }, () => store.insert(product('Lamp'))))
    assert.equal(new Set(records.map((record) => record.slug)).size, 20)
  })

  behaves('an update keeps what it leaves out', async (store, { wait }) => {
    const before = await store.insert(product('Lamp', { content: 'c', meta: { price: 5, colour: 'red' } }))
    wait(60)
    const after = await store.update(before.id, { title: 'Big lamp', meta: { price: 6 } })
    assert.deepEqual(after, {
      ...before,
      title: 'Big lamp',
      modified: '2026-01-15T12:01:00',
      meta: Object.assign(Object.create(null), before.meta, { price: 6 }),
    })
    const bare = await store.update(before.id, { remove_meta: ['colour'] })
    assert.equal('colour' in (bare?.meta ?? {}), false)
  })

  behaves('a refused update changes nothing', async (store) => {
    const before = await store.insert(product('Lamp', { meta: { price: 5 } }))
    const change = { title: 'Other', meta: { price: 6 }, terms: { category: ['cellar'] } }
    await assert.rejects(store.update(before.id, change), { code: 'invalid_term' })
    assert.deepEqual(await store.get(before.id), before)
  })

  behaves(
    'the HTML of a caller without unfiltered_html is filtered in the written fields only',
    async (store, { become }) => {
      const { id } = await store.insert(product('A & B', { content: '<script>x</script><p onclick=1>P</p>' }))
      become(author)
      const changed = await store.update(id, { title: 'T & <u>u</u>' })
      assert.equal(changed?.title, 'T &amp; u')
      assert.equal(changed?.content, '<script>x</script><p onclick=1>P</p>')
      const own = await store.insert(product('T', { content: '<script>x</script><p onclick=1>P</p>' }))
      assert.equal(own.content, 'x<p>P</p>')
      assert.equal(own.author, 7)
    },
  )

  behaves('links are pretty for what the caller may read', async (store, { become }) => {
    const home = 'http://example.test'
    const link = async (status: string): Promise<{ id: number; link: string }> =>
      store.insert(product('Lamp', { status }))
    assert.equal((await link('publish')).link, `${home}/product/lamp/`)
    const draft = await link('draft')
    assert.equal(draft.link, `${home}/?post_type=product&p=${draft.id}`)
    const hidden = await link('private')
    assert.equal(hidden.link, `${home}/product/lamp-2/`)
    become(visitor)
    assert.equal((await store.get(hidden.id))?.link, `${home}/?post_type=product&p=${hidden.id}`)
  })

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

  behaves('what is deleted is gone with all that hangs on it', async (store) => {
    const shelf = await store.insert({ type: 'folder', status: 'publish', title: 'Shelf' })
    const box = await store.insert({ type: 'folder', status: 'publish', title: 'Box', parent: shelf.id })
    const inner = await store.insert({
      type: 'folder',
      status: 'publish',
      title: 'Inner',
      parent: box.id,
      meta: { k: 'v' },
    })
    assert.equal(inner.link, 'http://example.test/folder/shelf/box/inner/')
    assert.equal(await store.delete(box.id), true)
    assert.equal(await store.delete(box.id), false)
    assert.equal(await store.get(box.id), null)
    assert.equal((await store.get(inner.id))?.parent, shelf.id)

    const page = await store.insert({ type: 'page', status: 'publish', title: 'Page' })
    await store.update(page.id, { title: 'Changed' })
    const revisions = { type: 'revision', status: 'inherit', parent: page.id }
    assert.deepEqual(titles(await store.list(revisions)), ['Changed'])
    await store.delete(page.id)
    assert.equal(await store.count(revisions), 0)
  })

  behaves('a record cannot be its own ancestor', async (store) => {
    const outer = await store.insert({ type: 'folder', status: 'publish', title: 'Outer' })
    const inner = await store.insert({ type: 'folder', status: 'publish', title: 'Inner', parent: outer.id })
    assert.equal((await store.update(outer.id, { parent: inner.id }))?.parent, 0)
    assert.equal((await store.update(inner.id, { parent: inner.id }))?.parent, 0)
  })

  behaves('the trash gives up a slug, and gets it back', async (store) => {
    const old = await store.insert(product('Lamp'))
    assert.equal((await store.update(old.id, { status: 'trash' }))?.slug, 'lamp__trashed')
    const second = await store.insert(product('Lamp'))
    assert.equal(second.slug, 'lamp')
    assert.equal((await store.update(old.id, { status: 'publish' }))?.slug, 'lamp-2')
  })

  behaves('a scheduled record waits for its time', async (store) => {
    const planned = await store.insert(product('Soon', { date: '2026-01-15T13:00:00' }))
    assert.equal(planned.status, 'future')
    assert.equal(
      (await store.update(planned.id, { date: '2026-01-15 11:00', date_gmt: '2026-01-15 11:00' }))?.status,
      'publish',
    )
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

  behaves('a known id is kept, and never given twice', async (store) => {
    assert.equal((await store.insert(product('Known', { id: 500 }))).id, 500)
    await assert.rejects(store.insert(product('Again', { id: 500 })), { code: 'invalid_post_id' })
    assert.ok((await store.insert(product('Next'))).id > 500)
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
