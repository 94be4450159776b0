import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runAs } from '../../src/auth/current-user.js'
import { NoViews } from '../../src/views/no-views.js'
import { ViewEngineInterface } from '../../src/index.js'
import { openShop } from './shop-site.js'

type Shop = Awaited<ReturnType<typeof openShop>>
const ids: Record<string, number> = {}
let templated: Shop
let plain: Shop
const shops = (): [string, Shop][] => [
  ['with templates', templated],
  ['without templates', plain],
]

before(async () => {
  templated = await openShop()
  plain = await openShop({ provide: [[ViewEngineInterface, new NoViews()]] })
  for (const [, shop] of shops()) {
    const caller = await shop.service.users.find('ada')
    // An administrator's titles and contents are stored as they are.
    if (caller) await runAs({ caller, can: async () => true }, () => fill(shop))
  }
})
after(() => Promise.all([templated.service.close(), plain.service.close()]))

async function fill({ service: { records, users } }: Shop): Promise<void> {
  const author = (await users.find('cora'))?.id ?? 0
  const add = async (name: string, record: Parameters<typeof records.insert>[0]) => {
    const { id } = await records.insert({ status: 'publish', author, date: '2024-01-02T03:04:05', ...record })
    ids[name] = id
  }
  const content = '<p class="told">Once <em>upon</em> a time</p><img src="/x.png" alt="">'
  await add('story', { title: 'Tom & <script>alert(1)</script>', slug: 'story', content })
  await add('lamp', { type: 'product', title: 'Lamp', content, meta: { price: 12.5 } })
  await add('about', { type: 'page', title: 'About', content })
  await add('team', { type: 'page', title: 'Team', parent: ids['about'] ?? 0, content })
  await add('unicode', { title: 'Über 日本', content })
  await add('draft', { title: 'Draft', status: 'draft', content })
  await add('product draft', { type: 'product', title: 'Product draft', status: 'draft', content })
  await add('private', { title: 'Private', status: 'private', content })
  await add('secret', { title: 'Secret', password: 'sesame', content, excerpt: 'Once upon an excerpt' })
  await add('renamed', { title: 'Renamed', slug: 'first-name', content })
  await records.update(ids['renamed'] ?? 0, { slug: 'second-name' })
  await add('renamed product', { type: 'product', title: 'Renamed product', slug: 'old-lamp', content })
  await records.update(ids['renamed product'] ?? 0, { slug: 'new-lamp' })
}

const idsIn = (path: string) => path.replace(/\{([\w ]+)\}/g, (_, name: string) => String(ids[name]))

const pages: [path: string, status: number, location?: string][] = [
  ['/story/', 200],
  ['/story', 301, '/story/'],
  ['/story?a=b', 301, '/story/?a=b'],
  ['/STORY/', 301, '/story/'],
  ['/?p={story}', 301, '/story/'],
  ['/?p={story}&a=b', 301, '/story/?a=b'],
  ['/index.php?p={story}', 301, '/story/'],
  ['/product/lamp/', 200],
  ['/product/lamp', 301, '/product/lamp/'],
  ['/?post_type=product&p={lamp}', 301, '/product/lamp/'],
  ['/?p={lamp}', 301, '/product/lamp/'],
  ['/?product=lamp', 301, '/product/lamp/'],
  ['/lamp/', 404],
  ['/product/story/', 404],
  ['/product/', 200],
  ['/about/', 200],
  ['/about/team/', 200],
  ['/about/team', 301, '/about/team/'],
  ['/team/', 404],
  ['/?page_id={team}', 301, '/about/team/'],
  ['/?page_id={story}', 404],
  ['/%c3%bcber-%e6%97%a5%e6%9c%ac/', 404],
  ['/uber-%e6%97%a5%e6%9c%ac/', 200],
  ['/uber-%E6%97%A5%E6%9C%AC/', 200],
  ['/first-name/', 301, '/second-name/'],
  ['/first-name', 301, '/second-name/'],
  ['/second-name/', 200],
  ['/product/first-name/', 404],
  ['/product/old-lamp/', 301, '/product/new-lamp/'],
  ['/old-lamp/', 404],
  ['/?p={draft}', 404],
  ['/draft/', 404],
  ['/?post_type=product&p={product draft}', 404],
  ['/private/', 404],
  ['/?p={private}', 404],
  ['/?p=999999', 404],
  ['/?p=999999999999999999999', 404],
  ['/?p=x', 200],
  ['/?p[]=1', 200],
  ['/?rest_route=', 200],
  ['/wp-json/shop/v1/products?rest_route=', 200],
  ['/nowhere/?rest_route=', 404],
  ['/', 200],
  ['/index.php', 200],
  ['/?page=2', 200],
  ['/page/2/', 404],
  ['/?page=99999999999999999', 200],
  ['/wp-jsonx', 404],
  ['/WP-JSON/shop/v1/products', 404],
  ['/wp-admin/edit.php', 404],
  ['/%0a', 404],
  ['/story/%0a', 404],
  ['/story%0a', 404],
  ['/%00', 404],
  ['/%ff%fe/', 404],
  ['/%', 404],
  ['/%zz/', 404],
  ['/..%2f..%2fetc%2fpasswd', 404],
  [`/${'a/'.repeat(3000)}`, 404],
  [`/${'%e6'.repeat(2000)}`, 404],
]
for (const [path, status, location] of pages)
  test(`${path.slice(0, 60)} answers ${status}${location ? ` and leads to ${location}` : ''}`, async () => {
    for (const [name, shop] of shops()) {
      const response = await shop.browser().get(idsIn(path))
      assert.equal(response.status, status, `${name}\n${response.text}`)
      if (location) assert.equal(response.location, shop.url + location, name)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=UTF-8')
      if (status === 301) continue
      assert.equal(response.headers.get('link'), `<${shop.url}/wp-json/>; rel="https://api.w.org/"`, name)
      assert.match(response.text, new RegExp(`<link rel="https://api.w.org/" href="${shop.url}/wp-json/" ?/?>`))
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self';.*frame-ancestors 'self'/)
    }
  })

test('a title is text, a content is HTML', async () => {
  for (const [name, shop] of shops()) {
    const { text } = await shop.browser().get('/story/')
    assert.match(text, /<h1>Tom &amp; &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/h1>/, name)
    assert.match(text, /<title>Tom &amp; &lt;script&gt;/, name)
    assert.match(text, /<p class="told">Once <em>upon<\/em> a time<\/p><img src="\/x.png" alt="">/, name)
    assert.doesNotMatch((await shop.browser().get('/')).text, /<script>/, name)
  }
})

test('a HEAD has the same headers and no body', async () => {
  const response = await templated.browser().send('HEAD', '/story/')
  assert.deepEqual([response.status, response.text], [200, ''])
  assert.ok(response.headers.get('link'))
})

test('a permalink takes no other methods than reading and forms', async () => {
  const browser = templated.browser()
  for (const [method, path, status] of [
    ['PUT', '/story/', 405],
    ['DELETE', '/?p={draft}', 404],
    ['POST', '/story/', 200],
    ['PUT', '/nothing/', 404],
    ['OPTIONS', '/story/', 405],
  ] as const)
    assert.equal((await browser.send(method, idsIn(path))).status, status, `${method} ${path}`)
})

const readers: [login: string, path: string, status: number][] = [
  ['ada', '/?p={draft}', 200],
  ['ada', '/?post_type=product&p={product draft}', 200],
  ['ada', '/?p={product draft}', 200],
  ['ada', '/private/', 200],
  ['ada', '/?p={private}', 301],
  ['cora', '/?p={draft}', 200],
  ['cora', '/private/', 200],
  ['sam', '/?p={draft}', 404],
  ['sam', '/private/', 404],
  ['sam', '/story/', 200],
]
for (const [login, path, status] of readers)
  test(`${login} gets ${status} for ${path}, and no cache stores it`, async () => {
    const response = await (await templated.signedIn(login)).get(idsIn(path))
    assert.equal(response.status, status)
    if (status !== 301) assert.match(response.headers.get('cache-control') ?? '', /no-store/)
    if (status === 200) assert.match(response.text, /Once <em>upon<\/em>/)
  })

test('protected content is shown to users who may edit it', async () => {
  for (const [name, shop] of shops()) {
    const visitor = await shop.browser().get('/secret/')
    assert.equal(visitor.status, 200, name)
    assert.doesNotMatch(visitor.text, /upon/, name)
    assert.match(visitor.text, /password-protected/, name)
    assert.match((await (await shop.signedIn('ada')).get('/secret/')).text, /Once <em>upon<\/em>/, name)
  }
})

test('a type of its own has a template of its own', async () => {
  assert.match((await templated.browser().get('/product/lamp/')).text, /<span class="price">12\.50<\/span>/)
})

test('a template that fails is an error page without details', async () => {
  class Broken extends NoViews {
    override exists = (): boolean => true
  }
  const shop = await openShop({ provide: [[ViewEngineInterface, new Broken()]] })
  const response = await shop.browser().get('/')
  await shop.service.close()
  assert.equal(response.status, 500)
  assert.match(response.headers.get('x-request-id') ?? '', /./)
  assert.doesNotMatch(response.text, /template|at /)
})

test('a site in a folder has its pages there', async () => {
  const shop = await openShop({ base_url: 'http://shop.example/blog' })
  await shop.service.records.insert({ type: 'product', title: 'Lamp', status: 'publish' })
  const browser = shop.browser()
  const get = async (path: string) => {
    const { status, location } = await browser.get(path)
    return [status, location]
  }
  assert.deepEqual(await get('/blog/product/lamp/'), [200, ''])
  assert.deepEqual(await get('/blog/product/lamp'), [301, 'http://shop.example/blog/product/lamp/'])
  assert.deepEqual(await get('/blog/wp-login.php'), [200, ''])
  assert.deepEqual(await get('/blog/wp-admin/'), [302, 'http://shop.example/blog/wp-admin/profile.php'])
  assert.deepEqual(await get('/blog/shop.css'), [200, ''])
  assert.deepEqual(await get('/blog/'), [200, ''])
  await shop.service.close()
})
