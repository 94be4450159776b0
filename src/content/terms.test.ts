import assert from 'node:assert/strict'
import test from 'node:test'
import { Terms } from './terms.js'
import { openTestStorage } from '../../test/support/test-database.js'

test('slugs of terms are unique within their taxonomy, and invalid terms are refused', async () => {
  const storage = await openTestStorage()
  const terms = new Terms(storage)
  const tools = await terms.create({ name: ' Tools & Parts ', id: 12 })
  assert.deepEqual(tools, {
    id: 12,
    taxonomy: 'category',
    name: 'Tools & Parts',
    slug: 'tools-parts',
    description: '',
    parent: 0,
    count: 0,
  })
  assert.deepEqual(await terms.find('tools-parts'), tools)
  await terms.create({ name: 'Books', slug: 'all-books' })
  await terms.create({ name: 'Books', slug: 'all-books', taxonomy: 'post_tag' })
  assert.deepEqual(
    (await terms.list()).map(({ slug }) => slug),
    ['all-books', 'tools-parts'],
  )
  assert.equal(await terms.find('tools-parts', 'post_tag'), null)
  await assert.rejects(terms.create({ name: 'Tools parts' }), { code: 'term_exists' })
  await assert.rejects(terms.create({ name: '  ' }), { code: 'empty_term_name' })
  await assert.rejects(terms.create({ name: 'n'.repeat(201) }), { code: 'invalid_term_name' })
  for (const [term, code] of [
    [{ name: 'Child', parent: 999 }, 'missing_parent'],
    [{ name: 'Child', id: 12 }, 'invalid_term_id'],
    [{ name: 'Child', id: -5 }, 'invalid_term_id'],
    [{ name: 'Child', id: 1.5 }, 'invalid_term_id'],
    [{ name: 'Child', id: Number.MAX_SAFE_INTEGER }, 'invalid_term_id'],
    [{ name: 'Child', description: 'half a character: \udcff' }, 'invalid_term_description'],
  ] as const)
    await assert.rejects(terms.create(term), { name: 'RecordRejectedError', code })
  assert.equal((await terms.create({ name: 'Child', parent: 12 })).parent, 12)
  await storage.close()
})

test('terms whose names give an empty slug get the slugs term, term-2 and so on', async () => {
  const storage = await openTestStorage()
  const terms = new Terms(storage)
  const created = [
    await terms.create({ name: '!!!' }),
    await terms.create({ name: '???' }),
    await terms.create({ name: '&' }),
  ]
  assert.deepEqual(
    created.map(({ slug }) => slug),
    ['term', 'term-2', 'term-3'],
  )
  for (const term of created) assert.deepEqual(await terms.find(term.slug), term)
  await storage.close()
})

test('a term may have the id of a term in another taxonomy only with the same name and slug', async () => {
  const storage = await openTestStorage()
  const terms = new Terms(storage)
  await terms.create({ id: 5, name: 'Tools' })
  const error = { name: 'RecordRejectedError', code: 'invalid_term_id' }
  await assert.rejects(terms.create({ id: 5, name: 'Paint', taxonomy: 'tag' }), error)
  await assert.rejects(terms.create({ id: 5, name: 'Tools', slug: 'others', taxonomy: 'tag' }), error)
  assert.deepEqual(await terms.list('tag'), [])
  const shared = await terms.create({ id: 5, name: 'Tools', taxonomy: 'tag' })
  assert.deepEqual(await terms.find('tools', 'tag'), shared)
  await storage.close()
})

test('a slug or a taxonomy that is not a string is refused', async () => {
  const storage = await openTestStorage()
  const terms = new Terms(storage)
  for (const value of [true, 5, null, ['books']] as never[]) {
    await assert.rejects(terms.find(value), { name: 'TypeError', message: /slug of a term must be a string/ })
    await assert.rejects(terms.find('books', value), {
      name: 'TypeError',
      message: /taxonomy of a term must be a string/,
    })
    await assert.rejects(terms.list(value), { name: 'TypeError', message: /taxonomy of terms must be a string/ })
  }
  await storage.close()
})
