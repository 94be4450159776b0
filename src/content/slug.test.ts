import assert from 'node:assert/strict'
import test from 'node:test'
import { assert as assertProperty, nat, property, string } from 'fast-check'
import { openSqlite } from '../database/sqlite/open-sqlite.js'
import { RecordTypes } from './record-types.js'
import { shortened, uniqueSlug } from './slug.js'

const cases: [slug: string, length: number, short: string][] = [
  ['lamp', 10, 'lamp'],
  ['desk-lamp', 5, 'desk'],
  ['%e6%97%a5%e6%9c%ac', 17, '%e6%97%a5'],
  ['a%e6%97%a5', 9, 'a'],
  ['---', 3, ''],
]
for (const [slug, length, short] of cases)
  test(`'${slug}' cut to ${length} is '${short}'`, () => assert.equal(shortened(slug, length), short))

test('a cut slug is never too long, begins the whole one and never splits a character', () => {
  assertProperty(
    property(string({ unit: 'binary', maxLength: 60 }), nat(200), (text, length) => {
      const slug = encodeURIComponent(text).toLowerCase()
      const short = shortened(slug, length)
      assert.ok(short.length <= length && slug.startsWith(short) && !short.endsWith('-'))
      assert.doesNotThrow(() => decodeURIComponent(short))
    }),
  )
})

test('of many records with one title each gets the next number, with few questions', async () => {
  const taken = new Set(['lamp', ...Array.from({ length: 5000 }, (_, index) => `lamp-${index + 2}`)])
  const storage = await openSqlite('sqlite::memory:')
  let questions = 0
  const slugTaken = ({ slug }: { slug: string }): Promise<boolean> => {
    questions += 1
    return Promise.resolve(taken.has(slug))
  }
  const posts = Object.assign(Object.create(storage.posts) as typeof storage.posts, { slugTaken })
  const context = { storage: { ...storage, posts }, types: new RecordTypes(), permalinkStructure: '' }
  const question = { slug: 'lamp', type: 'post', status: 'publish', parent: 0, id: 0, ownSlug: '', isUsed: true }
  assert.equal(await uniqueSlug(question, context), 'lamp-5002')
  assert.ok(questions < 200, `${questions} questions`)
  taken.delete('lamp-7')
  assert.equal(await uniqueSlug(question, context), 'lamp-7')
  await storage.close()
})
