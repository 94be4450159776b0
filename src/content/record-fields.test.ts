import assert from 'node:assert/strict'
import test from 'node:test'
import { anonymous } from '../http/caller.js'
import type { PostRow } from '../database/storage.js'
import { Terms } from './terms.js'
import { onlyOnSqlite } from '../../test/support/test-database.js'
import { openRecords } from '../../test/support/opened-records.js'

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
    const { records } = await openRecords()
    const inserted = await records.insert({ title: 'T', type: 'product', meta })
    assert.deepEqual({ ...inserted.meta }, storedMeta)
    assert.deepEqual(await records.get(inserted.id), inserted)
  })

test('a record inserted with an id replaces existing metadata of that id', async () => {
  const { storage, records } = await openRecords()
  await storage.posts.meta.add(50, 'price', '1')
  const inserted = await records.insert({ id: 50, type: 'product', title: 'T', meta: { price: 2, stock: 3 } })
  assert.deepEqual({ ...inserted.meta }, { price: '2', stock: '3' })
  assert.deepEqual(await storage.posts.meta.read(50, 'price'), ['2'])
})

test('a title is stored without blanks at its ends, and a NUL is no blank', async () => {
  const { storage, records } = await openRecords()
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
  const { storage, records } = await openRecords('/%postname%/', new Set(['read']))
  for (const [title, stored] of [
    ['Lamp\0', 'Lamp'],
    [' Lamp \0', 'Lamp '],
  ] as const) {
    const { id } = await records.insert({ type: 'product', title })
    assert.equal((await storage.posts.find(id))?.post_title, stored)
  }
})

test('an update of one field does not change any other column', async () => {
  const { storage, records } = await openRecords()
  const { id } = await records.insert({ type: 'product', status: 'publish', title: 'T', content: 'C', menu_order: 3 })
  const before = await storage.posts.find(id)
  await records.update(id, { content: 'D' })
  assert.deepEqual(await storage.posts.find(id), { ...before, post_content: 'D' })
})

test('the previous slugs of a published record are stored, without its current slug', async () => {
  const { storage, records } = await openRecords()
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
  const { storage, records } = await openRecords()
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
  const { storage, records } = await openRecords()
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
  const { storage, records } = await openRecords()
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
    const { storage, records } = await openRecords()
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
    const { storage, records } = await openRecords()
    const dates = { date: '2025-03-04', date_gmt: '2020-01-01' }
    const fields = { comment_status: 'open', ping_status: 'open', password: 'secret', author: 7 }
    const { id } = await records.insert({ status: 'publish', title: 'Hello', ...dates, ...fields })
    await records.update(id, change)
    const row = await storage.posts.find(id)
    assert.deepEqual({ ...row, ...columns }, row)
    await storage.close()
  })

test('the previous days of a published record and the previous slugs of an attachment are stored', async () => {
  const { storage, records } = await openRecords()
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
  const { storage, records } = await openRecords()
  const { id } = await records.insert({ type: 'product', title: 'Lamp' })
  await records.update(id, { status: 'trash' })
  assert.equal((await records.update(id, { status: 'publish', slug: 'light' }))?.slug, 'light')
  await records.update(id, { status: 'trash' })
  assert.equal((await records.update(id, { status: 'publish', slug: 'lantern' }))?.slug, 'light')
  await storage.close()
})

test('a record in the trash gives up its slug for a new record only when its type is public', async () => {
  const { storage, records } = await openRecords()
  const slugs = async (type: string): Promise<string[]> => {
    const { id } = await records.insert({ type, title: 'First', slug: 'lamp', status: 'trash' })
    const second = await records.insert({ type, title: 'Second', slug: 'lamp', status: 'publish' })
    return [(await records.get(id))?.slug ?? '', second.slug]
  }
  assert.deepEqual(await slugs('product'), ['lamp__trashed', 'lamp'])
  // As in WordPress, records that have left the same slug have one name in the trash, and slugs of their own when they leave it.
  const left = (await records.list({ type: 'product', status: 'publish' }))[0]?.id ?? 0
  await records.update(left, { slug: 'other' })
  const { id: again } = await records.insert({ type: 'product', title: 'Third', slug: 'lamp', status: 'trash' })
  await records.update(left, { slug: 'lamp' })
  assert.equal((await records.get(again))?.slug, 'lamp__trashed')
  await records.update(left, { slug: 'other' })
  const trashed = await records.list({ type: 'product', status: 'trash' })
  const restored = await Promise.all(trashed.map(({ id }) => records.update(id, { status: 'publish' })))
  assert.deepEqual(restored.map((record) => record?.slug).toSorted(), ['lamp', 'lamp-2'])
  assert.deepEqual(await slugs('note'), ['lamp', 'lamp-2'])
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
    const { storage, records } = await openRecords()
    const insert = records.insert({ title: 'T', status: 'publish', ...fields })
    if (local === null) await assert.rejects(insert, { code: 'invalid_date' })
    else {
      const row = await storage.posts.find((await insert).id)
      assert.deepEqual([row?.post_date, row?.post_date_gmt], [local, utc])
    }
    await storage.close()
  })

test('a pending record of a caller who may not publish has no slug, even when the caller requests one', async () => {
  const { storage, records } = await openRecords()
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
