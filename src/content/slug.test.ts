import assert from 'node:assert/strict'
import test from 'node:test'
import { assert as assertProperty, nat, property, string } from 'fast-check'
import { aPost } from '../../test/contracts/storage/rows.js'
import { statementsOf } from '../../test/support/counted-statements.js'
import type { Storage } from '../database/storage.js'
import { RecordTypes } from './record-types.js'
import { shortened, uniqueSlug } from './slug.js'
import { openTestStorage } from '../../test/support/test-database.js'

const cases: [slug: string, maxLength: number, shortSlug: string][] = [
  ['lamp', 10, 'lamp'],
  ['desk-lamp', 5, 'desk'],
  ['%e6%97%a5%e6%9c%ac', 17, '%e6%97%a5'],
  ['a%e6%97%a5', 9, 'a'],
  ['---', 3, ''],
  ['a%0db-%0dc', 9, 'a%0Db-%0D'],
  ['a%0db', 5, 'a%0db'],
  ['ab%41cdef', 6, 'abAcde'],
  // WordPress reads bytes outside ASCII in groups of the length that the first one announces, and drops an incomplete group.
  ['%e9ab%e9ab%e9ab%e9ab', 12, 'abab'],
  ['a%80%ffb%c3%a9', 13, 'a%80%ffb'],
]
for (const [slug, maxLength, shortSlug] of cases)
  test(`'${slug}' shortened to ${maxLength} characters is '${shortSlug}'`, () =>
    assert.equal(shortened(slug, maxLength), shortSlug))

test('a shortened slug has at most the maximum length, is the start of the slug and does not split a character', () => {
  assertProperty(
    property(string({ unit: 'binary', maxLength: 60 }), nat(200), (text, maxLength) => {
      const slug = encodeURIComponent(text).toLowerCase()
      const shortSlug = shortened(slug, maxLength)
      assert.ok(shortSlug.length <= maxLength && !shortSlug.endsWith('-'))
      // A slug that was cut is encoded again.
      assert.ok(decodeURIComponent(slug).startsWith(decodeURIComponent(shortSlug)))
    }),
  )
})

const uniqueSlugIn = (storage: Storage, request: Parameters<typeof uniqueSlug>[0]): Promise<string> =>
  storage.write(async (inside) =>
    uniqueSlug(request, { storage: inside, types: new RecordTypes(), permalinkStructure: '' }),
  )

for (const count of [0, 1, 2, 100, 10_000])
  test(`the slug among ${count} records with the same slug is the first free one, and takes a constant number of statements`, async () => {
    const storage = await openTestStorage()
    // `write` has no time limit.
    await storage.write(async ({ posts }) => {
      for (let number = 1; number <= count; number += 1)
        await posts.insert(aPost({ post_name: number === 1 ? 'lamp' : `Lamp-${number}`, post_type: 'post' }))
    })
    const request = { slug: 'lamp', type: 'post', status: 'publish', parent: 0, id: 0, currentSlug: '', isUsed: true }
    const expected = count === 0 ? 'lamp' : `lamp-${count + 1}`
    const statements = await statementsOf(async () => assert.equal(await uniqueSlugIn(storage, request), expected))
    const queries = statements.filter((statement) => statement.startsWith('SELECT'))
    assert.ok(queries.length <= (count < 30 ? 1 : 3), statements.join('\n'))
    await storage.close()
  })

test('the number of a deleted record is used again, however many follow it', async () => {
  const storage = await openTestStorage()
  const request = { slug: 'lamp', type: 'post', status: 'publish', parent: 0, id: 0, currentSlug: '', isUsed: true }
  const ids = await storage.transaction(async ({ posts }) => {
    const inserted: number[] = []
    for (let number = 1; number <= 2000; number += 1)
      inserted.push(
        await posts.insert(aPost({ post_name: number === 1 ? 'lamp' : `lamp-${number}`, post_type: 'post' })),
      )
    return inserted
  })
  for (const number of [1999, 900, 30, 7, 2]) {
    await storage.posts.delete(ids[number - 1] ?? 0)
    assert.equal(await uniqueSlugIn(storage, request), `lamp-${number}`)
  }
  await storage.close()
})

test('a slug of 200 characters stays that long with each number', async () => {
  const storage = await openTestStorage()
  const slug = 'x'.repeat(200)
  const request = { slug, type: 'post', status: 'publish', parent: 0, id: 0, currentSlug: '', isUsed: true }
  await storage.transaction(async ({ posts }) => {
    await posts.insert(aPost({ post_name: slug, post_type: 'post' }))
    for (let number = 2; number <= 1200; number += 1) {
      const suffix = `-${number}`
      await posts.insert(aPost({ post_name: slug.slice(suffix.length) + suffix, post_type: 'post' }))
    }
  })
  assert.equal(await uniqueSlugIn(storage, request), `${'x'.repeat(195)}-1201`)
  await storage.close()
})
