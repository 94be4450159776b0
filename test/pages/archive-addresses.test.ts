import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { boot, type Service } from '../../src/index.js'
import { silent } from '../../src/log/log.js'
import { openTestStorage, sharedDatabase } from '../support/test-database.js'

const folder = mkdtempSync(join(tmpdir(), 'archives-'))
after(() => rmSync(folder, { recursive: true }))

let count = 0

/** A site with twelve books, twelve posts and two pages, whose options are written between two starts. */
async function siteWith(options: Readonly<Record<string, string>>): Promise<Service> {
  count += 1
  const database = await sharedDatabase(join(folder, `${count}.sqlite`))
  const open = () =>
    boot(new URL('../../examples/shop/app/', import.meta.url), {
      database,
      base_url: 'http://site.example/blog',
      log: silent,
      record_types: {
        book: { public: true, permalink: 'library/books', with_front: false, taxonomies: ['genre', 'category'] },
        note: { public: true, permalink: false, taxonomies: ['post_tag'] },
        hidden: {},
      },
      async seed({ records, terms, users }) {
        await terms.create({ name: 'Novel', taxonomy: 'genre', id: 31 })
        await terms.create({ name: 'Short', taxonomy: 'genre', parent: 31, id: 32 })
        await terms.create({ name: 'Red', taxonomy: 'post_tag', id: 33 })
        await terms.create({ name: 'News', id: 34 })
        const { id: author } = await users.create({ login: 'Ann Lee', email: 'ann@site.example', password: 'x', id: 7 })
        const common = { status: 'publish', author }
        await records.insert({ ...common, type: 'page', title: 'Welcome', id: 901 })
        await records.insert({ ...common, type: 'page', title: 'All posts', id: 902 })
        for (let number = 1; number <= 12; number += 1) {
          const terms = { genre: ['short'], category: ['news'] }
          await records.insert({ ...common, type: 'book', title: `Book ${number}`, terms })
          await records.insert({ ...common, title: `Post ${number}`, terms: { category: ['news'] } })
        }
        await records.insert({ ...common, type: 'note', title: 'Note', terms: { post_tag: ['red'] } })
        await records.insert({ ...common, type: 'hidden', title: 'Hidden', terms: { category: ['news'] } })
      },
    })
  await (await open()).close()
  const storage = await openTestStorage(database)
  for (const [name, value] of Object.entries(options)) await storage.options.write(name, value)
  await storage.close()
  return open()
}

async function get(service: Service, path: string) {
  const response = await service.fetch(new Request(`http://site.example/blog${path}`))
  const location = response.headers.get('location')?.replace('http://site.example/blog', '') ?? ''
  return { status: response.status, location, text: await response.text() }
}

const titlesIn = (text: string) =>
  new Set([...text.matchAll(/>((?:Book|Post|Note|Hidden)(?: \d+)?)<\/a>/g)].map(([, title]) => title))

/** The canonical addresses of the archives, each with an address of its second page, by permalink structure. */
const structures: [
  structure: string,
  options: Record<string, string>,
  addresses: Record<string, string>,
  second: string,
][] = [
  [
    '/%postname%/',
    {},
    {
      type: '/library/books/',
      genre: '/genre/short/',
      tag: '/tag/red/',
      category: '/category/news/',
      author: '/author/ann-lee/',
    },
    '/library/books/page/2/',
  ],
  [
    '/archives/%post_id%',
    {},
    {
      type: '/library/books',
      genre: '/archives/genre/short',
      tag: '/archives/tag/red',
      category: '/archives/category/news',
      author: '/archives/author/ann-lee',
    },
    '/library/books/page/2',
  ],
  [
    '/archives/%postname%/',
    { category_base: '/topics/', tag_base: 'label' },
    {
      type: '/library/books/',
      genre: '/archives/genre/short/',
      tag: '/label/red/',
      category: '/topics/news/',
      author: '/archives/author/ann-lee/',
    },
    '/library/books/page/2/',
  ],
  [
    '/index.php/%year%/%postname%/',
    {},
    {
      type: '/index.php/library/books/',
      genre: '/index.php/genre/short/',
      tag: '/index.php/tag/red/',
      category: '/index.php/category/news/',
      author: '/index.php/author/ann-lee/',
    },
    '/index.php/library/books/page/2/',
  ],
  [
    '',
    {},
    { type: '/?post_type=book', genre: '/?genre=short', tag: '/?tag=red', category: '/?cat=34', author: '/?author=7' },
    '/?post_type=book&paged=2',
  ],
]
const plainAddresses: Record<string, string> = {
  type: '/?post_type=book',
  genre: '/?genre=short',
  tag: '/?tag=red',
  category: '/?cat=34',
  author: '/?author=7',
}
for (const [permalink_structure, options, addresses, second] of structures)
  test(`archives under ${permalink_structure || 'plain permalinks'} ${JSON.stringify(options)}`, async () => {
    const service = await siteWith({ permalink_structure, ...options })
    try {
      for (const [kind, address] of Object.entries(addresses)) {
        const page = await get(service, address)
        assert.equal(page.status, 200, address)
        assert.match(
          page.text,
          new RegExp(`<link rel="canonical" href="http://site.example/blog${address.replaceAll(/[?]/g, '\\?')}"`),
        )
        assert.ok(!titlesIn(page.text).has('Hidden'))
        if (permalink_structure === '') continue
        const moved = await get(service, plainAddresses[kind] ?? '')
        assert.deepEqual([moved.status, moved.location], [301, address])
        const respelled = await get(service, address.endsWith('/') ? address.slice(0, -1) : `${address}/`)
        assert.deepEqual([respelled.status, respelled.location], [301, address])
      }
      assert.match(
        (await get(service, addresses['type'] ?? '')).text,
        new RegExp(`href="http://site.example/blog${second.replaceAll('?', '\\?').replaceAll('&', '&amp;')}"`),
      )
      assert.equal(titlesIn((await get(service, second)).text).size, 2)
      assert.deepEqual(titlesIn((await get(service, '/?post_type=note')).text), new Set(['Note']))
      assert.deepEqual(titlesIn((await get(service, addresses['tag'] ?? '')).text), new Set(['Note']))
      const frontSecond =
        permalink_structure === ''
          ? '/?paged=2'
          : `${permalink_structure.startsWith('/index.php') ? '/index.php' : ''}/page/2${permalink_structure.endsWith('/') ? '/' : ''}`
      assert.equal((await get(service, frontSecond)).status, 200, frontSecond)
      assert.match(
        (await get(service, '/')).text,
        new RegExp(`href="http://site.example/blog${frontSecond.replaceAll('?', '\\?')}"`),
      )
    } finally {
      await service.close()
    }
  })

test('a term above another one lists the records of both', async () => {
  const service = await siteWith({})
  try {
    assert.equal(titlesIn((await get(service, '/genre/novel/')).text).size, 10)
    assert.equal(titlesIn((await get(service, '/genre/novel/page/2/')).text).size, 2)
    assert.equal((await get(service, '/genre/novel/short/')).status, 404)
  } finally {
    await service.close()
  }
})

for (const permalink_structure of ['/%postname%/', ''])
  test(`a page of posts lists them, and the front page is another page: ${permalink_structure}`, async () => {
    const options = { show_on_front: 'page', page_on_front: '901', page_for_posts: '902', permalink_structure }
    const service = await siteWith(options)
    const isPretty = permalink_structure !== ''
    try {
      assert.match((await get(service, '/')).text, /<h1>Welcome<\/h1>/)
      const posts = isPretty ? '/all-posts/' : '/?page_id=902'
      const second = isPretty ? '/all-posts/page/2/' : '/?page_id=902&paged=2'
      assert.equal(titlesIn((await get(service, posts)).text).size, 10)
      assert.equal(titlesIn((await get(service, second)).text).size, 2)
      assert.equal((await get(service, second.replace(/2(?=\/?$)/, '9'))).status, 404)
      assert.equal((await get(service, isPretty ? '/page/2/' : '/?paged=2')).status, 404)
      assert.match((await get(service, '/?s=book')).text, /Search results/)
      if (isPretty) assert.deepEqual((await get(service, '/?page_id=902')).location, '/all-posts/')
    } finally {
      await service.close()
    }
  })
