import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { boot, ViewEngineInterface, type SeedTools } from '../../src/index.js'
import { silent } from '../../src/log/log.js'
import { NoViews } from '../../src/views/no-views.js'
import { openShop, unescaped } from './shop-site.js'
import { openTestStorage, sharedDatabase } from '../support/test-database.js'

type Shop = Awaited<ReturnType<typeof openShop>>
let shop: Shop
let plain: Shop
before(async () => {
  shop = await openShop({ seed })
  await fill(shop)
  plain = await openShop({ seed, site: { permalink_structure: '' }, provide: [[ViewEngineInterface, new NoViews()]] })
  await fill(plain)
})
after(() => Promise.all([shop.service.close(), plain.service.close()]))

let garden = 0
async function seed({ terms }: SeedTools): Promise<void> {
  garden = (await terms.create({ name: 'Garden & <b>Yard</b>', slug: 'garden', description: 'Green things' })).id
  await terms.create({ name: 'Tools', parent: garden })
}

async function fill({ service: { records, users } }: Shop): Promise<void> {
  const author = (await users.find('ed'))?.id ?? 0
  for (let number = 1; number <= 25; number += 1)
    await records.insert({
      type: 'product',
      title: `Item ${number}`,
      status: 'publish',
      author,
      date: `2024-01-${String(number).padStart(2, '0')}T00:00:00`,
      terms: { category: [number % 2 === 0 ? 'garden' : 'tools'] },
    })
  await records.insert({
    type: 'product',
    title: 'Hidden item',
    status: 'draft',
    author,
    terms: { category: ['garden'] },
  })
  await records.insert({ type: 'product', title: 'Private item', status: 'private', author })
  await records.insert({ title: 'Story of a garden', status: 'publish', author, terms: { category: ['garden'] } })
  await records.insert({ type: 'page', title: 'About items', status: 'publish', author })
  const secret = { password: 'sesame', excerpt: 'Once in short', content: 'Once in full' }
  await records.insert({ type: 'product', title: 'Guarded', status: 'publish', ...secret, date: '2024-02-01T00:00:00' })
}

const linksIn = (page: string): readonly string[] =>
  [...page.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => unescaped(link))
const titlesIn = (page: string) =>
  [...page.matchAll(/>(Item \d+|Guarded|Story of a garden|About items)<\/a>/g)].map(([, title]) => title)
const nextIn = (page: string) => unescaped(/rel="next"\s+href="([^"]*)"/.exec(page)?.[1] ?? '')

/** The titles on all pages of an archive, and the addresses of the pages. */
async function walk({ browser }: Shop, path: string) {
  const titles: (string | undefined)[] = []
  const addresses: string[] = []
  for (let address = path; address !== '';) {
    const { status, text } = await browser().get(address)
    assert.equal(status, 200, address)
    titles.push(...titlesIn(text))
    address = nextIn(text)
    if (address !== '') addresses.push(address)
  }
  return { titles, addresses }
}

const items = (numbers: readonly number[]) => numbers.map((number) => `Item ${number}`)
const countdown = (from: number, step = 1) =>
  Array.from({ length: Math.ceil(from / step) }, (_, index) => from - index * step)

test('every product can be reached from the front page by links', async () => {
  const seen = new Set<string>()
  const queue = [`${shop.url}/`]
  const visited = new Set<string>()
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const path = new URL(address).pathname + new URL(address).search
    if (visited.has(path) || !address.startsWith(shop.url) || /wp-|\.\w+$|action=/.test(path)) continue
    visited.add(path)
    const { text, status } = await shop.browser().get(path)
    assert.equal(status, 200, path)
    for (const title of titlesIn(text)) if (title?.startsWith('Item')) seen.add(title)
    queue.push(...linksIn(text).filter((link) => /^https?:/.test(link)))
  }
  assert.equal(seen.size, 25)
})

const archives: [path: string, plainPath: string, titles: readonly string[], second: string, plainSecond: string][] = [
  [
    '/product/',
    '/?post_type=product',
    ['Guarded', ...items(countdown(25))],
    '/product/page/2/',
    '/?post_type=product&paged=2',
  ],
  [
    '/category/garden/',
    '/?cat={garden}',
    ['Story of a garden', ...items(countdown(25))],
    '/category/garden/page/2/',
    '/?cat={garden}&paged=2',
  ],
  [
    '/category/garden/tools/',
    '/?cat={tools}',
    items(countdown(25, 2)),
    '/category/garden/tools/page/2/',
    '/?cat={tools}&paged=2',
  ],
  [
    '/author/ed/',
    '/?author={ed}',
    ['Story of a garden', ...items(countdown(25))],
    '/author/ed/page/2/',
    '/?author={ed}&paged=2',
  ],
  ['/?s=item', '/?s=item', ['About items', ...items(countdown(25))], '/page/2/?s=item', '/?s=item&paged=2'],
]
for (const [pretty, plainPath, titles, second, plainSecond] of archives)
  for (const kind of ['pretty', 'plain'] as const)
    test(`the ${kind} archive ${kind === 'pretty' ? pretty : plainPath} lists all its published records page by page`, async () => {
      const site = kind === 'pretty' ? shop : plain
      const tools = (await site.service.users.find('ed'))?.id ?? 0
      const filled = (path: string) =>
        path
          .replace('{garden}', String(garden))
          .replace('{tools}', String(garden + 1))
          .replace('{ed}', String(tools))
      const start = filled(kind === 'pretty' ? pretty : plainPath)
      const { titles: seen, addresses } = await walk(site, start)
      assert.deepEqual(seen, titles)
      assert.equal(addresses[0], site.url + filled(kind === 'pretty' ? second : plainSecond))
      const last = addresses.at(-1) ?? start
      const beyond = last.replace(
        /(page\/|paged=)(\d+)/,
        (_, before: string, number: string) => `${before}${Number(number) + 1}`,
      )
      assert.equal((await site.browser().get(beyond)).status, 404)
      assert.equal((await site.browser().get(last.replace(/(page\/|paged=)\d+/, '$1999999999'))).status, 404)
      const { text } = await site.browser().get(last)
      assert.ok(linksIn(text).includes(last), 'canonical')
      assert.match(text, /<nav class="pages" aria-label="Pages">/)
      assert.match(text, /rel="prev"/)
      assert.doesNotMatch(text, /Hidden|Private|Once in/)
    })

const moved: [from: string, to: string][] = [
  ['/product', '/product/'],
  ['/product/page/1/', '/product/'],
  ['/product/page/2', '/product/page/2/'],
  ['/product/?paged=2', '/product/page/2/'],
  ['/product/?paged=2&utm=x', '/product/page/2/?utm=x'],
  ['/?post_type=product', '/product/'],
  ['/?post_type=product&paged=2', '/product/page/2/'],
  ['/category/tools/', '/category/garden/tools/'],
  ['/category/no/such/tools', '/category/garden/tools/'],
  ['/?category_name=garden/tools', '/category/garden/tools/'],
  ['/?cat={garden}', '/category/garden/'],
  ['/?author={ed}', '/author/ed/'],
  ['/?author_name=ed', '/author/ed/'],
  ['/page/1/', '/'],
  ['/?s=item&paged=2', '/page/2/?s=item'],
  ['/page/1/?s=item', '/?s=item'],
]
for (const [from, to] of moved)
  test(`${from} moves to ${to}, which stays`, async () => {
    const id = (await shop.service.users.find('ed'))?.id ?? 0
    const path = from.replace('{garden}', String(garden)).replace('{ed}', String(id))
    const response = await shop.browser().get(path)
    assert.deepEqual([response.status, response.location], [301, shop.url + to])
    assert.equal((await shop.browser().get(to)).status, 200)
  })

const absent = [
  '/category/',
  '/category/none/',
  '/category/garden/feed/x/',
  '/author/',
  '/author/nobody/',
  '/author/%00/',
  '/author/%ff/',
  '/category/%00/',
  '/?author_name=%00',
  '/author/ed/x/',
  '/author/sam/',
  '/?author=999999',
  '/?author=1x',
  '/?cat=999',
  '/?cat=x',
  '/?tag=none',
  '/tag/none/',
  '/product/page/x/',
  '/products/',
  '/page/2/',
  '/?p=99999',
]
for (const path of absent)
  test(`there is nothing at ${path}`, async () => {
    assert.equal((await shop.browser().get(path)).status, 404)
  })

test('the page of an author without published records is for that author and for administrators', async () => {
  for (const [login, status] of [
    ['sam', 200],
    ['ada', 200],
    ['cora', 404],
    ['ed', 404],
  ] as const)
    assert.equal((await (await shop.signedIn(login)).get('/author/sam/')).status, status, login)
  const { id } = (await shop.service.users.find('sam')) ?? {}
  assert.equal((await shop.browser().get(`/?author=${id}`)).status, 404)
})

test('the link of users/me leads to the page of that author', async () => {
  for (const site of [shop, plain])
    for (const login of ['ed', 'sam']) {
      const browser = await site.signedIn(login)
      const { text: nonce } = await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')
      const { text: user } = await browser.get('/?rest_route=/wp/v2/users/me', { 'X-WP-Nonce': nonce })
      const { link } = JSON.parse(user) as { link: string }
      const { status, text } = await browser.get(link.slice(site.url.length))
      assert.deepEqual([status, text.includes(`>${login}<`)], [200, true], link)
    }
})

test('a search shows what was searched as text, finds nothing by blanks, and is not indexed', async () => {
  const text = async (path: string) => (await shop.browser().get(path)).text
  const hostile = '"><script>alert(1)</script>'
  const page = await text(`/?s=${encodeURIComponent(hostile)}`)
  assert.doesNotMatch(page, /<script>alert/)
  assert.match(page, /name="robots" content="noindex"/)
  assert.match(page, /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/)
  assert.deepEqual(titlesIn(await text('/?s=')), [])
  assert.deepEqual(titlesIn(await text('/?s=%20%20')), [])
  assert.deepEqual(titlesIn(await text(`/?s=${'x'.repeat(2000)}`)), [])
  assert.match(await text('/?s=zebra'), /Nothing was found/)
  for (const search of ['%00', '%ff', '%25', '_', '%5C', '%27', '%F0%9F%98%80', '%ED%A0%80'])
    assert.equal((await shop.browser().get(`/?s=${search}`)).status, 200, search)
})

test('a page has at most 100 records whatever the site says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'archives-'))
  const database = await sharedDatabase(join(folder, 'site.sqlite'))
  const open = () =>
    boot(new URL('../../examples/shop/app/', import.meta.url), {
      database,
      log: silent,
      async seed({ records }) {
        await Promise.all(
          Array.from({ length: 101 }, (_, index) =>
            records.insert({ type: 'product', title: `Item ${index}`, status: 'publish' }),
          ),
        )
      },
    })
  try {
    await (await open()).close()
    for (const posts_per_page of ['-1', '5000']) {
      const storage = await openTestStorage(database)
      await storage.options.write('posts_per_page', posts_per_page)
      await storage.close()
      const service = await open()
      const titles = async (path: string) =>
        titlesIn(await (await service.fetch(new Request(`http://localhost${path}`))).text()).length
      assert.deepEqual([await titles('/product/'), await titles('/product/page/2/')], [100, 1], posts_per_page)
      await service.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a record links to its author, its categories and its archive', async () => {
  for (const site of [shop, plain]) {
    const link = linksIn((await site.browser().get(site === shop ? '/product/' : '/?post_type=product')).text).find(
      (each) => /item-25/.test(each),
    )
    const { text } = await site.browser().get(link ?? '')
    const links = linksIn(text)
    const { id } = (await site.service.users.find('ed')) ?? {}
    const wanted =
      site === shop
        ? ['/category/garden/tools/', '/author/ed/', '/product/']
        : [`/?cat=${garden + 1}`, `/?author=${id}`, '/?post_type=product']
    for (const path of wanted) assert.ok(links.includes(site.url + path), `${path} in ${links.join(' ')}`)
  }
})

test('the names of terms and authors are text', async () => {
  const { text } = await shop.browser().get('/category/garden/')
  assert.match(text, /Garden &amp; &lt;b&gt;Yard&lt;\/b&gt;/)
  assert.doesNotMatch(text, /<b>Yard/)
})

test('an archive takes GET, HEAD and POST only', async () => {
  assert.equal((await shop.browser().send('PUT', '/product/')).status, 405)
  assert.deepEqual([(await shop.browser().send('HEAD', '/product/')).status], [200])
})
