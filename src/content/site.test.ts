import assert from 'node:assert/strict'
import test from 'node:test'
import { siteFrom, siteOptionNames, writeSiteDefaults } from './site.js'
import { openTestStorage } from '../../test/support/test-database.js'

test('the defaults of a site are written once, and existing options do not change', async () => {
  const { options, close } = await openTestStorage()
  await writeSiteDefaults(options, { siteurl: 'http://shop.test', name: 'Shop', timezone: 'Europe/Berlin' })
  await writeSiteDefaults(options, { siteurl: 'http://other.test', name: 'Other' })
  const storedOptions = await options.readMany(siteOptionNames)
  const site = siteFrom(storedOptions)
  assert.equal(site.home, 'http://shop.test')
  assert.equal(site.name, 'Shop')
  assert.equal(site.permalinkStructure.text, '/%postname%/')
  assert.equal(site.timeZone.toLocal(0), 3_600_000)
  assert.equal(siteFrom(storedOptions, 'https://base.test/').home, 'https://base.test')
  await close()
})

const addresses: [options: Record<string, string>, home: string, siteurl: string][] = [
  [{ siteurl: 'http://a.test/' }, 'http://a.test', 'http://a.test'],
  [{ siteurl: 'http://a.test/wp', home: '' }, 'http://a.test/wp', 'http://a.test/wp'],
  [{ siteurl: 'http://a.test/wp', home: 'http://a.test//' }, 'http://a.test', 'http://a.test/wp'],
  [{}, '', ''],
]
for (const [options, home, siteurl] of addresses)
  test(`a site with the options ${JSON.stringify(options)} has the address '${home}'`, () => {
    const site = siteFrom(new Map(Object.entries(options)))
    assert.deepEqual([site.home, site.siteurl], [home, siteurl])
  })

test('all trailing slashes of an address are removed', () => {
  assert.equal(siteFrom(new Map([['home', `http://a.test${'/'.repeat(20_000)}`]])).home, 'http://a.test')
})

test('postsPerPage is the option posts_per_page, or 1 when it is 0 or no number', () => {
  const postsPerPage = (text: string) => siteFrom(new Map([['posts_per_page', text]])).postsPerPage
  assert.deepEqual(['7', '-1', '0', 'x'].map(postsPerPage), [7, -1, 1, 1])
  assert.equal(siteFrom(new Map()).postsPerPage, 10)
})

test('frontPage is the option page_on_front only while show_on_front is page', () => {
  const frontPage = (showOnFront: string) =>
    siteFrom(
      new Map([
        ['show_on_front', showOnFront],
        ['page_on_front', '7'],
      ]),
    ).frontPage
  assert.equal(frontPage('page'), 7)
  assert.equal(frontPage('posts'), 0)
})
