import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NoViews } from '../../src/views/no-views.js'
import { ViewEngineInterface } from '../../src/index.js'
import { openShop, unescaped } from './shop-site.js'

let shop: Awaited<ReturnType<typeof openShop>>
before(async () => {
  shop = await openShop()
  await fill(shop, 14)
})
after(() => shop.service.close())

async function fill({ service: { records } }: typeof shop, posts: number): Promise<void> {
  for (let number = 1; number <= posts; number += 1)
    await records.insert({
      title: `Story ${number}`,
      status: 'publish',
      date: `2024-01-${String(number).padStart(2, '0')}T00:00:00`,
    })
  await records.insert({ title: 'Hidden', status: 'draft' })
  await records.insert({ type: 'product', title: 'Lamp & <b>shade</b>', status: 'publish', meta: { price: 5 } })
  await records.insert({ type: 'product', title: 'Hidden product', status: 'draft' })
}

const titles = (page: string) => [...page.matchAll(/>(Story \d+)<\/a>/g)].map(([, title]) => title)

test('the front page shows the latest posts and the products', async () => {
  const { status, text } = await shop.browser().get('/')
  assert.equal(status, 200)
  assert.deepEqual(titles(text), ['Story 14', 'Story 13', 'Story 12', 'Story 11', 'Story 10', 'Story 9'])
  assert.match(text, new RegExp(`<a href="${shop.url}/product/lamp-shade/">Lamp &amp; &lt;b&gt;shade&lt;/b&gt;</a>`))
  assert.doesNotMatch(text, /Hidden/)
})

test('a page has no script or style of its own, so that the policy holds', async () => {
  for (const path of ['/', '/page/2/', '/product/', '/?s=story', '/wp-login.php']) {
    const { text } = await shop.browser().get(path)
    for (const [script] of text.matchAll(/<script\b[^>]*>/g)) assert.match(script, / src="\//)
    assert.doesNotMatch(text, /<style|\son\w+=|\sstyle=/)
  }
})

test('"load more" goes on where the page ends, and ends where the posts do', async () => {
  const browser = shop.browser()
  const { text } = await browser.get('/')
  const [link = ''] = /<a\b[^>]*data-load-more[^>]*>/.exec(text) ?? []
  const attribute = (name: string) => unescaped(new RegExp(`${name}="([^"]*)"`).exec(link)?.[1] ?? '')
  const seen = titles(text)
  let page = Number(attribute('data-page'))
  for (let hasMore = true; hasMore; page += 1) {
    const path = `${attribute('data-load-more')}?page=${page}&per_page=${attribute('data-per-page')}`
    const response = JSON.parse((await browser.get(path)).text) as { html: string; hasMore: boolean }
    seen.push(...titles(response.html))
    hasMore = response.hasMore
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 14 }, (_, index) => `Story ${14 - index}`),
  )
  assert.match((await browser.get('/load-more.js')).text, /insertAdjacentHTML/)
})

const cards: [query: string, first: number, last: number, hasMore: boolean][] = [
  ['per_page=7&page=2', 7, 1, true],
  ['per_page=-1', 14, 1, false],
  ['per_page=-1&page=2', 14, 1, false],
  ['per_page=0', 14, 10, false],
  ['per_page=0&page=2', 9, 5, false],
  ['per_page=-3', 14, 12, false],
  ['per_page=-3&page=2', 11, 9, false],
  ['per_page=3&page=-2', 11, 9, true],
  ['per_page=3&page=0', 14, 12, true],
  ['per_page=3&page=-1', 14, 12, true],
]
for (const [query, first, last, more] of cards)
  test(`cards for ${query} are stories ${first} to ${last}`, async () => {
    const { text } = await shop.browser().get(`/wp-json/shop/v1/partials/posts?${query}`)
    const { html, hasMore } = JSON.parse(text) as { html: string; hasMore: boolean }
    const stories = Array.from({ length: first - last + 1 }, (_, index) => `Story ${first - index}`)
    assert.deepEqual([titles(html), hasMore], [stories, more])
  })

test('without scripts the same link leads to the next page', async () => {
  const browser = shop.browser()
  const seen: unknown[] = []
  for (let path: string | undefined = '/'; path !== undefined;) {
    const { status, text } = await browser.get(path)
    assert.equal(status, 200)
    seen.push(...titles(text))
    path = /rel="next" href="([^"]*)"/.exec(text)?.[1]
  }
  assert.equal(seen.length, 14)
  assert.equal((await browser.get('/page/4/')).status, 404)
})

test('an application without templates has a plain front page', async () => {
  const plain = await openShop({ provide: [[ViewEngineInterface, new NoViews()]] })
  assert.match((await plain.browser().get('/')).text, /There are no posts yet\./)
  await fill(plain, 7)
  const { text } = await plain.browser().get('/')
  assert.equal(titles(text).length, 6)
  assert.match(text, /rel="next"\s+href="[^"]*\/page\/2\/"/)
  assert.match(text, /Lamp &amp; &lt;b&gt;shade/)
  assert.deepEqual(titles((await plain.browser().get('/page/2/')).text), ['Story 1'])
  await plain.service.close()
})

test('the front page shows a user the own name', async () => {
  const response = await (await shop.signedIn('ed')).get('/')
  assert.match(response.text, />ed<\/a>/)
  assert.match(response.text, /action=logout&amp;_wpnonce=[0-9a-f]{10}/)
  assert.match(response.headers.get('cache-control') ?? '', /no-store/)
  assert.equal((await shop.browser().get('/')).headers.get('vary'), 'Cookie')
})

test('the front page shows protected content only to users who may edit it', async () => {
  const guarded = await openShop()
  const secret = {
    title: 'Guarded',
    status: 'publish',
    password: 'sesame',
    content: 'Once in full',
    excerpt: 'Once in short',
  }
  for (const type of ['post', 'product']) await guarded.service.records.insert({ ...secret, type })
  for (const [browser, sees] of [
    [guarded.browser(), false],
    [await guarded.signedIn('sam'), false],
    [await guarded.signedIn('ed'), true],
  ] as const) {
    const { text } = await browser.get('/')
    assert.match(text, /Guarded/)
    assert.equal(text.includes('Once in'), sees)
  }
  await guarded.service.close()
})
