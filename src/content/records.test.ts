import assert from 'node:assert/strict'
import test from 'node:test'
import { anonymous } from '../http/caller.js'
import { recordStoreContract } from '../../test/contracts/record-store.js'
import { aPost } from '../../test/contracts/storage/rows.js'
import { siteFrom } from './site.js'
import type { PostRow } from '../database/storage.js'
import { RecordTypes } from './record-types.js'
import { rowOfPath } from './record-of-path.js'
import { Records } from './records.js'
import { Terms } from './terms.js'
import { onlyOnSqlite, openTestStorage } from '../../test/support/test-database.js'

const plainSite = siteFrom(new Map([['home', 'http://example.test']]))

recordStoreContract('records in SQLite', async ({ types, categories, caller, clock }) => {
  const storage = await openTestStorage()
  for (const name of categories) await new Terms(storage).create({ name })
  const store = new Records({ storage, types: new RecordTypes(types), site: plainSite, clock, caller })
  return { store, close: () => storage.close() }
})

async function open(
  structure = '/%postname%/',
  capabilities = new Set(['unfiltered_html', 'read', 'read_private_posts']),
) {
  const storage = await openTestStorage()
  const types = new RecordTypes({
    product: { public: true },
    item: { public: true, permalink: 'shop/item' },
    folder: { public: true, hierarchical: true },
    note: {},
  })
  const site = siteFrom(
    new Map([
      ['home', 'http://example.test'],
      ['permalink_structure', structure],
    ]),
  )
  const editor = { ...anonymous, id: 2, capabilities }
  const clock = (): number => Date.parse('2026-01-15T12:00:00Z')
  const records = new Records({ storage, types, site, clock, caller: () => editor })
  const idOfPath = async (path: string, query: URLSearchParams) =>
    (await rowOfPath(path, query, { storage, types, site }))?.post.ID ?? null
  return { storage, records, idOfPath }
}

for (const structure of [
  '/%postname%/',
  '/%postname%',
  '/archives/%post_id%',
  '/%year%/%monthnum%/%postname%/',
  '/%category%/%postname%/',
  '/index.php/%postname%/',
  '/index.php/archives/%post_id%',
  '',
])
  test(`with the permalink structure '${structure}' every link leads to its record`, async () => {
    const { storage, records, idOfPath } = await open(structure)
    const category = await new Terms(storage).create({ name: 'Tools' })
    const terms = { category: [(await new Terms(storage).create({ name: 'Hammers', parent: category.id })).slug] }
    const parents = { folder: 0, page: 0 }
    for (const type of ['folder', 'page'] as const)
      parents[type] = (await records.insert({ type, status: 'publish', title: 'Parent 日本' })).id
    for (const status of ['publish', 'private', 'draft', 'pending', 'future'])
      for (const type of ['post', 'page', 'product', 'item', 'folder']) {
        const parent = type === 'folder' || type === 'page' ? parents[type] : 0
        const date = status === 'future' ? '2027-01-01' : '2025-03-04'
        const record = await records.insert({
          type,
          status,
          parent,
          date,
          title: `Été ${type} ${status}`,
          ...(type === 'post' ? { terms } : {}),
        })
        const { pathname, searchParams } = new URL(record.link)
        assert.equal(await idOfPath(pathname, searchParams), record.id, record.link)
        assert.equal(await idOfPath(decodeURI(pathname), searchParams), record.id, record.link)
      }
    await storage.close()
  })

const addressesWithoutRecord = [
  '/',
  '/nothing/',
  '/product/',
  '/product/lamp/more/',
  '/?p=999',
  '/?p=x',
  '/?product=',
  '/%ff/',
  `/${'a'.repeat(5000)}/`,
]
for (const address of addressesWithoutRecord)
  test(`the address ${address.slice(0, 30)} leads to no record`, async () => {
    const { storage, records, idOfPath } = await open()
    await records.insert({ type: 'product', title: 'Lamp', status: 'publish' })
    await records.insert({ type: 'revision', title: 'Old', status: 'inherit' })
    const { pathname, searchParams } = new URL(address, 'http://example.test')
    assert.equal(await idOfPath(pathname, searchParams), null)
    await storage.close()
  })

for (const structure of ['/%postname%/', '/%author%/%post_id%/', ''])
  test(`with the permalink structure '${structure}' insert returns the stored record, and its link is the guid`, async () => {
    const { storage, records } = await open(structure)
    for (const type of ['post', 'page', 'product', 'folder', 'revision', 'note'])
      for (const status of ['publish', 'draft', 'private'])
        for (const title of ['Same title', '日本', '']) {
          const content = 'Not empty'
          const inserted = await records.insert({ type, status, title, content, meta: { price: 5, list: [1] } })
          assert.deepEqual(await records.get(inserted.id), inserted)
          const row = await storage.posts.find(inserted.id)
          if (status !== 'private') assert.equal(row?.guid, inserted.link)
          else assert.ok(row?.guid.startsWith('http://example.test/'))
        }
  })

const metadata: [meta: Record<string, unknown>, storedMeta: Record<string, unknown>][] = [
  [{ price: 5, Price: 6 }, { price: '6' }],
  [
    { __proto__x: 1, 'a b': [1], none: null, left: undefined },
    { __proto__x: '1', 'a b': [1], none: '' },
  ],
  [
    { é: 1, É: 2, 日本: 3 },
    // Servers compare without case as WordPress does, SQLite only in ASCII.
    onlyOnSqlite === false ? { é: '1', É: '2', 日本: '3' } : { é: '2', 日本: '3' },
  ],
]
for (const [meta, storedMeta] of metadata)
  test(`insert with the metadata ${JSON.stringify(meta)} returns the stored metadata`, async () => {
    const { records } = await open()
    const inserted = await records.insert({ title: 'T', type: 'product', meta })
    assert.deepEqual({ ...inserted.meta }, storedMeta)
    assert.deepEqual(await records.get(inserted.id), inserted)
  })

test('a record inserted with an id replaces existing metadata of that id', async () => {
  const { storage, records } = await open()
  await storage.posts.meta.add(50, 'price', '1')
  const inserted = await records.insert({ id: 50, type: 'product', title: 'T', meta: { price: 2, stock: 3 } })
  assert.deepEqual({ ...inserted.meta }, { price: '2', stock: '3' })
  assert.deepEqual(await storage.posts.meta.read(50, 'price'), ['2'])
})

test('a title is stored without blanks at its ends, and a NUL is no blank', async () => {
  const { storage, records } = await open()
  const titles = [
    [' \t\n\v\rLamp \t\n\v\r', 'Lamp'],
    ['Lamp\0', 'Lamp\0'],
    [' \0 Lamp \0 ', '\0 Lamp \0'],
  ] as const
  for (const [title, stored] of titles) {
    const { id } = await records.insert({ type: 'product', title })
    assert.equal((await storage.posts.find(id))?.post_title, stored)
  }
})

test('a title of a caller without unfiltered_html is trimmed before its control characters are removed', async () => {
  const { storage, records } = await open('/%postname%/', new Set(['read']))
  for (const [title, stored] of [
    ['Lamp\0', 'Lamp'],
    [' Lamp \0', 'Lamp '],
  ] as const) {
    const { id } = await records.insert({ type: 'product', title })
    assert.equal((await storage.posts.find(id))?.post_title, stored)
  }
})

test('an update of one field does not change any other column', async () => {
  const { storage, records } = await open()
  const { id } = await records.insert({ type: 'product', status: 'publish', title: 'T', content: 'C', menu_order: 3 })
  const before = await storage.posts.find(id)
  await records.update(id, { content: 'D' })
  assert.deepEqual(await storage.posts.find(id), { ...before, post_content: 'D' })
})

test('the previous slugs of a published record are stored, without its current slug', async () => {
  const { storage, records } = await open()
  const { id } = await records.insert({ type: 'product', title: 'Lamp', status: 'publish' })
  const oldSlugs = (): Promise<readonly (string | null)[]> => storage.posts.meta.read(id, '_wp_old_slug')
  await records.update(id, { slug: 'light' })
  assert.deepEqual(await oldSlugs(), ['lamp'])
  await records.update(id, { slug: 'lantern' })
  assert.deepEqual(await oldSlugs(), ['lamp', 'light'])
  await records.update(id, { slug: 'lamp' })
  assert.deepEqual(await oldSlugs(), ['light', 'lantern'])
  await storage.close()
})

test('each version of a page is stored once as a revision; other types have no revisions', async () => {
  const { storage, records } = await open()
  const revisions = async (parent: number): Promise<string[]> =>
    (await records.list({ type: 'revision', status: 'inherit', parent, orderby: 'id' })).map(
      ({ title, slug }) => `${title} ${slug}`,
    )
  const { id } = await records.insert({ type: 'page', title: 'One', status: 'publish' })
  assert.deepEqual(await revisions(id), [])
  await records.update(id, { title: 'Two' })
  await records.update(id, { title: 'Two', menu_order: 3 })
  await records.update(id, { title: 'Three' })
  assert.deepEqual(await revisions(id), [`Two ${id}-revision-v1`, `Three ${id}-revision-v1`])
  const product = await records.insert({ type: 'product', title: 'One', status: 'publish' })
  await records.update(product.id, { title: 'Two' })
  assert.deepEqual(await revisions(product.id), [])
  await storage.close()
})

test('a post without a category is in the default category, which counts it only while it is published', async () => {
  const { storage, records } = await open()
  const terms = new Terms(storage)
  await terms.create({ name: 'Uncategorized', id: 1 })
  const { id } = await records.insert({ title: 'Hello', status: 'publish' })
  const count = async (): Promise<number | undefined> => (await terms.find('uncategorized'))?.count
  assert.equal(await count(), 1)
  await records.update(id, { status: 'draft' })
  assert.equal(await count(), 0)
  await records.update(id, { status: 'publish' })
  assert.equal(await count(), 1)
  await records.delete(id)
  assert.equal(await count(), 0)
  await storage.close()
})

test('an update puts an auto-draft or a record that becomes a post into the default category', async () => {
  const { storage, records } = await open()
  const terms = new Terms(storage)
  await terms.create({ name: 'Uncategorized', id: 1 })
  const count = async (): Promise<number | undefined> => (await terms.find('uncategorized'))?.count
  const { id } = await records.insert({ status: 'auto-draft', title: 'Hello' })
  await records.update(id, { status: 'publish' })
  assert.equal(await count(), 1)
  const product = await records.insert({ type: 'product', status: 'publish', title: 'Lamp' })
  await records.update(product.id, { type: 'post' })
  assert.equal(await count(), 2)
  await terms.create({ name: 'Tools' })
  await records.update(id, { terms: { category: ['tools'] } })
  await records.update(id, { title: 'Hello again' })
  assert.equal(await count(), 1)
  await storage.close()
})

const newRecords: [statement: string, fields: object, columns: Partial<PostRow>][] = [
  ["the slug '0' counts as empty", { slug: '0' }, { post_name: 'lamp' }],
  ["the title '0' gives the slug '0'", { title: '0' }, { post_name: '0' }],
  ['a private record has no password', { status: 'private', password: 'secret' }, { post_password: '' }],
  [
    "the comment status '' is the default of the type",
    { type: 'post', comment_status: '' },
    { comment_status: 'open' },
  ],
  ['the comment status Open! is open', { comment_status: 'Open!' }, { comment_status: 'open' }],
  ["the ping status '' is the default of the type", { ping_status: '' }, { ping_status: 'closed' }],
  ['the author null is the caller', { author: null }, { post_author: 2 }],
  [
    'character references of the Windows character set are corrected',
    { content: '&#150; &#128; &#129;' },
    { post_content: '&#8211; &#8364; ' },
  ],
]
for (const [statement, fields, columns] of newRecords)
  test(`in a new record, ${statement}`, async () => {
    const { storage, records } = await open()
    const { id } = await records.insert({ type: 'product', status: 'publish', title: 'Lamp', ...fields })
    const row = await storage.posts.find(id)
    assert.deepEqual({ ...row, ...columns }, row)
    await storage.close()
  })

const changes: [statement: string, change: object, columns: Partial<PostRow>][] = [
  ['the status private removes the password', { status: 'private' }, { post_password: '' }],
  ["the comment status '' closes the comments", { comment_status: '' }, { comment_status: 'closed' }],
  ["the ping status '' is the default of the type", { ping_status: '' }, { ping_status: 'open' }],
  ['the author null is the caller', { author: null }, { post_author: 2 }],
  ['the UTC date null is computed from the date', { date_gmt: null }, { post_date_gmt: '2025-03-04 00:00:00' }],
]
for (const [statement, change, columns] of changes)
  test(`in an update, ${statement}`, async () => {
    const { storage, records } = await open()
    const dates = { date: '2025-03-04', date_gmt: '2020-01-01' }
    const fields = { comment_status: 'open', ping_status: 'open', password: 'secret', author: 7 }
    const { id } = await records.insert({ status: 'publish', title: 'Hello', ...dates, ...fields })
    await records.update(id, change)
    const row = await storage.posts.find(id)
    assert.deepEqual({ ...row, ...columns }, row)
    await storage.close()
  })

test('an empty record with an invalid date is refused as empty', async () => {
  const { storage, records } = await open()
  await assert.rejects(records.insert({ type: 'post', date: '2024-02-30' }), { code: 'empty_content' })
  await assert.rejects(records.insert({ type: 'attachment', title: 'A', comment_status: 'a'.repeat(21) }), {
    message: 'Could not insert attachment into the database.',
  })
  await storage.close()
})

test('the previous days of a published record and the previous slugs of an attachment are stored', async () => {
  const { storage, records } = await open()
  const metaOf = (id: number, key: string) => storage.posts.meta.read(id, key)
  const { id } = await records.insert({
    type: 'product',
    title: 'Lamp',
    status: 'publish',
    date: '2024-01-01T10:00:00',
  })
  await records.update(id, { date: '2024-01-01T11:00:00' })
  assert.deepEqual(await metaOf(id, '_wp_old_date'), [])
  await records.update(id, { date: '2024-02-01' })
  await records.update(id, { date: '2024-03-01' })
  assert.deepEqual(await metaOf(id, '_wp_old_date'), ['2024-01-01', '2024-02-01'])
  await records.update(id, { date: '2024-01-01' })
  assert.deepEqual(await metaOf(id, '_wp_old_date'), ['2024-02-01', '2024-03-01'])
  const photo = await records.insert({ type: 'attachment', title: 'Photo', status: 'inherit' })
  await records.update(photo.id, { slug: 'picture' })
  assert.deepEqual(await metaOf(photo.id, '_wp_old_slug'), ['photo'])
  await storage.close()
})

test('a record that had no slug before the trash gets the requested slug when it is restored', async () => {
  const { storage, records } = await open()
  const { id } = await records.insert({ type: 'product', title: 'Lamp' })
  await records.update(id, { status: 'trash' })
  assert.equal((await records.update(id, { status: 'publish', slug: 'light' }))?.slug, 'light')
  await records.update(id, { status: 'trash' })
  assert.equal((await records.update(id, { status: 'publish', slug: 'lantern' }))?.slug, 'light')
  await storage.close()
})

test('a record in the trash gives up its slug for a new record only when its type is public', async () => {
  const { storage, records } = await open()
  const slugs = async (type: string): Promise<string[]> => {
    const { id } = await records.insert({ type, title: 'First', slug: 'lamp', status: 'trash' })
    const second = await records.insert({ type, title: 'Second', slug: 'lamp', status: 'publish' })
    return [(await records.get(id))?.slug ?? '', second.slug]
  }
  assert.deepEqual(await slugs('product'), ['lamp__trashed', 'lamp'])
  assert.deepEqual(await slugs('note'), ['lamp', 'lamp-2'])
  await storage.close()
})

test('a tag without a value is left out of a permalink', async () => {
  const { storage, records } = await open('/%author%/%postname%/')
  const { link } = await records.insert({ title: 'Lamp', status: 'publish', author: 99 })
  assert.equal(link, 'http://example.test/lamp/')
  await storage.close()
})

test('the front page has the address of the site, even as a draft', async () => {
  const storage = await openTestStorage()
  const site = siteFrom(
    new Map([
      ['home', 'http://example.test'],
      ['show_on_front', 'page'],
      ['page_on_front', '5'],
    ]),
  )
  const records = new Records({ storage, types: new RecordTypes(), site, caller: () => anonymous })
  assert.equal((await records.insert({ type: 'page', title: 'Welcome', id: 5 })).link, 'http://example.test/')
  assert.equal((await records.insert({ type: 'page', title: 'About', id: 6 })).link, 'http://example.test/?page_id=6')
  await storage.close()
})

test('without a permalink structure, the link of a record has its type and slug in the query', async () => {
  const { storage, records } = await open('')
  const { link } = await records.insert({ type: 'note', title: 'Lamp', status: 'publish' })
  assert.equal(link, 'http://example.test/?note=lamp')
  await storage.close()
})

test('records.as reads and writes on behalf of another caller', async () => {
  const { storage, records } = await open()
  const recordsOfAnonymous = records.as(anonymous)
  assert.equal((await recordsOfAnonymous.insert({ title: 'T', content: '<script>x</script>' })).content, 'x')
  assert.equal((await records.insert({ title: 'T', content: '<script>x</script>' })).author, 2)
  await storage.close()
})

test('a query with a category and a term is refused', async () => {
  const { storage, records } = await open()
  const query = { category: 'books', term: { taxonomy: 'post_tag', slug: 'red' } }
  await assert.rejects(records.list(query), RangeError)
  await storage.close()
})

test('a null or undefined field does not restrict a query', async () => {
  const { storage, records } = await open()
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
  const { storage, records } = await open()
  for (const orderby of ['price', 'toString', '__proto__', 'ID; DROP TABLE wp_posts', ''])
    await assert.rejects(records.list({ orderby: orderby as 'date' }), { code: 'undeclared-order' })
  await assert.rejects(records.list({ orderby: 'titel' as 'title' }), /ordered by 'titel'\. Did you mean 'title'\?/)
  await assert.rejects(
    records.list({ orderby: ['date', { by: 'id', order: 'DESC' as 'desc' }] }),
    /Did you mean 'desc'/,
  )
  await storage.close()
})

const dateFields: [fields: { date?: string; date_gmt?: string }, local: string | null, utc?: string][] = [
  [{ date: '2024-05-01T10:00:00+02:00' }, '2024-05-01 10:00:00', '2024-05-01 08:00:00'],
  [{ date: '2024-05-01T10:00:00Z' }, '2024-05-01 10:00:00', '2024-05-01 10:00:00'],
  [{ date_gmt: '2024-05-01T10:00:00+02:00' }, '2024-05-01 08:00:00', '2024-05-01 10:00:00'],
  [{ date_gmt: ' 2024-05-01 10:00' }, '2024-05-01 10:00:00', '2024-05-01 10:00:00'],
  [{ date: ' 2024-05-01 10:00:00' }, null],
]
for (const [fields, local, utc] of dateFields)
  test(`a record with ${JSON.stringify(fields)} is ${local === null ? 'refused' : `stored as ${local}, ${utc} in UTC`}`, async () => {
    const { storage, records } = await open()
    const insert = records.insert({ title: 'T', status: 'publish', ...fields })
    if (local === null) await assert.rejects(insert, { code: 'invalid_date' })
    else {
      const row = await storage.posts.find((await insert).id)
      assert.deepEqual([row?.post_date, row?.post_date_gmt], [local, utc])
    }
    await storage.close()
  })

test('a page has at most a thousand records, whatever per_page is', async () => {
  const { storage, records } = await open()
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

test('pages with a cycle of parents have a link and can be deleted', async () => {
  const { storage, records } = await open()
  const page = async (title: string) => (await records.insert({ type: 'page', status: 'publish', title })).id
  const [one, two, own, child] = [await page('One'), await page('Two'), await page('Own'), await page('Child')]
  // A damaged import may contain such cycles.
  for (const [id, post_parent] of [
    [one, two],
    [two, one],
    [own, own],
    [child, own],
  ] as const)
    await storage.posts.update(id, { post_parent })
  assert.equal((await records.get(one))?.link, 'http://example.test/two/one/')
  assert.equal((await records.get(own))?.link, 'http://example.test/own/')
  for (const id of [own, one, two]) assert.equal(await records.delete(id), true)
  assert.equal((await records.get(child))?.parent, 0)
  await storage.close()
})

test('a cycle of parent categories gives a finite link', async () => {
  const { storage, records } = await open('/%category%/%postname%/')
  await storage.terms.insert({ term_id: 5, name: 'A', slug: 'a', taxonomy: 'category', parent: 6 })
  await storage.terms.insert({ term_id: 6, name: 'B', slug: 'b', taxonomy: 'category', parent: 5 })
  const { link } = await records.insert({ type: 'post', status: 'publish', title: 'X', terms: { category: ['a'] } })
  assert.match(link, /^http:\/\/example\.test(\/b\/a){1,100}\/x\/$/)
  await storage.close()
})

test('no address leads to a record of a type that is not public', async () => {
  const { storage, records, idOfPath } = await open()
  const { id } = await records.insert({ type: 'note', status: 'publish', title: 'Secret' })
  assert.equal(await idOfPath('/note/secret/', new URLSearchParams()), null)
  for (const query of [`p=${id}`, 'note=secret', `post_type=note&p=${id}`])
    assert.equal(await idOfPath('/', new URLSearchParams(query)), null, query)
  await storage.close()
})

test('a change of the lists fields and meta_keys after a call is used in the next call', async () => {
  const { storage, records } = await open()
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

test('a pending record of a caller who may not publish has no slug, even when the caller requests one', async () => {
  const { storage, records } = await open()
  const author = { ...anonymous, id: 3, capabilities: new Set(['read', 'edit_posts', 'publish_posts']) }
  const contributor = { ...anonymous, id: 4, capabilities: new Set(['read', 'edit_posts']) }
  const pending = { type: 'post', status: 'pending', title: 'News', slug: 'chosen' } as const
  assert.equal((await records.as(author).insert(pending)).slug, 'chosen')
  const { id, slug } = await records.as(contributor).insert({ ...pending, slug: 'chosen-too' })
  assert.equal(slug, '')
  assert.equal((await records.as(contributor).update(id, { slug: 'chosen-later' }))?.slug, '')
  assert.equal((await records.as(author).update(id, { slug: 'chosen-later' }))?.slug, 'chosen-later')
  await storage.close()
})

test('an id that is invalid, in use, or too large for further ids is refused', async () => {
  const { storage, records } = await open()
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
