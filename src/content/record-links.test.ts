import assert from 'node:assert/strict'
import test from 'node:test'
import { anonymous } from '../http/caller.js'
import { siteFrom } from './site.js'
import { RecordTypes } from './record-types.js'
import { Records } from './records.js'
import { Terms } from './terms.js'
import { openTestStorage } from '../../test/support/test-database.js'
import { openRecords } from '../../test/support/opened-records.js'

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
    const { storage, records, idOfPath } = await openRecords(structure)
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
    for (const status of ['draft', 'trash'])
      for (const type of ['folder', 'page'] as const) {
        // A draft reserves no slug: both parents have the same one.
        const slug = `parent-${status}`
        for (const parentStatus of [status, 'publish']) {
          const parent = await records.insert({ type, status: parentStatus, title: 'Parent' })
          await storage.posts.update(parent.id, { post_name: slug })
          const { link, id } = await records.insert({
            type,
            status: 'publish',
            parent: parent.id,
            title: 'Child',
            slug: `of-${parentStatus}`,
          })
          const { pathname, searchParams } = new URL(link)
          assert.equal(await idOfPath(pathname, searchParams), id, link)
        }
      }
    await storage.close()
  })

test('drafts with the slug of a published page take no address from the pages below it', async () => {
  const { storage, records, idOfPath } = await openRecords('/%postname%/')
  const insertParent = async (status: string) => {
    const { id } = await records.insert({ type: 'page', status, title: 'Parent' })
    await storage.posts.update(id, { post_name: 'many' })
    return id
  }
  const insertChild = async (parent: number, slug: string) => {
    const { id } = await records.insert({ type: 'page', status: 'publish', title: 'Child', parent })
    await storage.posts.update(id, { post_name: slug })
    return id
  }
  const draft = await insertParent('draft')
  await insertChild(draft, 'child')
  const belowDraft = await insertChild(draft, 'below-draft')
  for (let count = 0; count < 12; count += 1) await insertParent('draft')
  const published = await insertParent('publish')
  const child = await insertChild(published, 'child')
  assert.equal(await idOfPath('/many/child/', new URLSearchParams()), child)
  assert.equal(await idOfPath('/many/below-draft/', new URLSearchParams()), belowDraft)
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
    const { storage, records, idOfPath } = await openRecords()
    await records.insert({ type: 'product', title: 'Lamp', status: 'publish' })
    await records.insert({ type: 'revision', title: 'Old', status: 'inherit' })
    const { pathname, searchParams } = new URL(address, 'http://example.test')
    assert.equal(await idOfPath(pathname, searchParams), null)
    await storage.close()
  })

for (const structure of ['/%postname%/', '/%author%/%post_id%/', ''])
  test(`with the permalink structure '${structure}' insert returns the stored record, and its link is the guid`, async () => {
    const { storage, records } = await openRecords(structure)
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

test('a tag without a value is left out of a permalink', async () => {
  const { storage, records } = await openRecords('/%author%/%postname%/')
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
  const { storage, records } = await openRecords('')
  const { link } = await records.insert({ type: 'note', title: 'Lamp', status: 'publish' })
  assert.equal(link, 'http://example.test/?note=lamp')
  await storage.close()
})

test('pages with a cycle of parents have a link and can be deleted', async () => {
  const { storage, records } = await openRecords()
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
  const { storage, records } = await openRecords('/%category%/%postname%/')
  await storage.terms.insert({ term_id: 5, name: 'A', slug: 'a', taxonomy: 'category', parent: 6 })
  await storage.terms.insert({ term_id: 6, name: 'B', slug: 'b', taxonomy: 'category', parent: 5 })
  const { link } = await records.insert({ type: 'post', status: 'publish', title: 'X', terms: { category: ['a'] } })
  assert.match(link, /^http:\/\/example\.test(\/b\/a){1,100}\/x\/$/)
  await storage.close()
})

test('no address leads to a record of a type that is not public', async () => {
  const { storage, records, idOfPath } = await openRecords()
  const { id } = await records.insert({ type: 'note', status: 'publish', title: 'Secret' })
  assert.equal(await idOfPath('/note/secret/', new URLSearchParams()), null)
  for (const query of [`p=${id}`, 'note=secret', `post_type=note&p=${id}`])
    assert.equal(await idOfPath('/', new URLSearchParams(query)), null, query)
  await storage.close()
})
