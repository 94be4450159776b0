import assert from 'node:assert/strict'
import test from 'node:test'
import { openSqlite } from '../database/sqlite/open-sqlite.js'
import { siteFrom, siteOptionNames, writeSiteDefaults } from './site.js'

test('a new site is written once, and read as it was written', async () => {
  const { options, close } = await openSqlite('sqlite::memory:')
  await writeSiteDefaults(options, { siteurl: 'http://shop.test', name: 'Shop', timezone: 'Europe/Berlin' })
  await writeSiteDefaults(options, { siteurl: 'http://other.test', name: 'Other' })
  const stored = await options.readMany(siteOptionNames)
  const site = siteFrom(stored)
  assert.equal(site.home, 'http://shop.test')
  assert.equal(site.name, 'Shop')
  assert.equal(site.permalinkStructure, '/%postname%/')
  assert.equal(site.timeZone.toLocal(0), 3_600_000)
  assert.equal(siteFrom(stored, 'https://given.test/').home, 'https://given.test')
  await close()
})

const addresses: [stored: Record<string, string>, home: string, siteurl: string][] = [
  [{ siteurl: 'http://a.test/' }, 'http://a.test', 'http://a.test'],
  [{ siteurl: 'http://a.test/wp', home: '' }, 'http://a.test/wp', 'http://a.test/wp'],
  [{ siteurl: 'http://a.test/wp', home: 'http://a.test//' }, 'http://a.test', 'http://a.test/wp'],
  [{}, '', ''],
]
for (const [stored, home, siteurl] of addresses)
  test(`${JSON.stringify(stored)} lives at '${home}'`, () => {
    const site = siteFrom(new Map(Object.entries(stored)))
    assert.deepEqual([site.home, site.siteurl], [home, siteurl])
  })

test('slashes at the end of an address do not count, however many', () => {
  assert.equal(siteFrom(new Map([['home', `http://a.test${'/'.repeat(20_000)}`]])).home, 'http://a.test')
})

test('lists are as long as the site says', () => {
  const postsPerPage = (stored: string) => siteFrom(new Map([['posts_per_page', stored]])).postsPerPage
  assert.deepEqual(['7', '-1', '0', 'x'].map(postsPerPage), [7, -1, 1, 1])
  assert.equal(siteFrom(new Map()).postsPerPage, 10)
})

test('a page is the front page only while the front is a page', () => {
  const front = (show: string) =>
    siteFrom(
      new Map([
        ['show_on_front', show],
        ['page_on_front', '7'],
      ]),
    ).frontPage
  assert.equal(front('page'), 7)
  assert.equal(front('posts'), 0)
})
