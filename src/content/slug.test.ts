import assert from 'node:assert/strict'
import test from 'node:test'
import { assert as assertProperty, nat, property, string } from 'fast-check'
import { openSqlite } from '../database/sqlite/open-sqlite.js'
import { RecordTypes } from './record-types.js'
import { shortened, uniqueSlug } from './slug.js'

const cases: [slug: string, maxLength: number, shortSlug: string][] = [
  ['lamp', 10, 'lamp'],
  ['desk-lamp', 5, 'desk'],
  ['%e6%97%a5%e6%9c%ac', 17, '%e6%97%a5'],
  ['a%e6%97%a5', 9, 'a'],
  ['---', 3, ''],
]
for (const [slug, maxLength, shortSlug] of cases)
  test(`'${slug}' shortened to ${maxLength} characters is '${shortSlug}'`, () =>
    assert.equal(shortened(slug, maxLength), shortSlug))

test('a shortened slug has at most the maximum length, is the start of the slug and does not split a character', () => {
  assertProperty(
    property(string({ unit: 'binary', maxLength: 60 }), nat(200), (text, maxLength) => {
      const slug = encodeURIComponent(text).toLowerCase()
      const shortSlug = shortened(slug, maxLength)
      assert.ok(shortSlug.length <= maxLength && slug.startsWith(shortSlug) && !shortSlug.endsWith('-'))
      assert.doesNotThrow(() => decodeURIComponent(shortSlug))
    }),
  )
})

test('the next free number among 5000 records with the same title is found with fewer than 200 queries', async () => {
  const taken = new Set(['lamp', ...Array.from({ length: 5000 }, (_, index) => `lamp-${index + 2}`)])
  const storage = await openSqlite('sqlite::memory:')
  let queryCount = 0
  const slugTaken = ({ slug }: { slug: string }): Promise<boolean> => {
    queryCount += 1
    return Promise.resolve(taken.has(slug))
  }
  const posts = Object.assign(Object.create(storage.posts) as typeof storage.posts, { slugTaken })
  const context = { storage: { ...storage, posts }, types: new RecordTypes(), permalinkStructure: '' }
  const request = { slug: 'lamp', type: 'post', status: 'publish', parent: 0, id: 0, ownSlug: '', isUsed: true }
  assert.equal(await uniqueSlug(request, context), 'lamp-5002')
  assert.ok(queryCount < 200, `${queryCount} queries`)
  taken.delete('lamp-7')
  assert.equal(await uniqueSlug(request, context), 'lamp-7')
  await storage.close()
})
