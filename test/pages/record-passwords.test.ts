import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ViewEngineInterface } from '../../src/index.js'
import { NoViews } from '../../src/views/no-views.js'
import { formWith, openShop, type Browser } from './shop-site.js'

type Shop = Awaited<ReturnType<typeof openShop>>
let shop: Shop
before(async () => {
  shop = await openShop()
  for (const [title, password] of [
    ['Guarded', 'open sesame'],
    ['Other', 'other word'],
  ] as const)
    await shop.service.records.insert({
      type: 'product',
      status: 'publish',
      title,
      password,
      content: `<p>Once in full: ${title}</p>`,
    })
})
after(() => shop.service.close())

const cookieName = () => `wp-postpass_${createHash('md5').update(shop.url).digest('hex')}`
const enter = (browser: Browser, password: string, fields: Record<string, string> = {}) =>
  browser.post('/wp-login.php?action=postpass', {
    post_password: password,
    redirect_to: `${shop.url}/product/guarded/`,
    ...fields,
  })

test('a visitor who enters the password sees the record, and no cache stores it', async () => {
  const browser = shop.browser()
  const form = await browser.get('/product/guarded/')
  assert.doesNotMatch(form.text, /Once in full/)
  assert.match(form.text, /<form class="post-password-form"/)
  assert.match(form.text, new RegExp(`action="${shop.url}/wp-login\\.php\\?action=postpass"`))
  assert.match(form.text, /<label for="pwbox-\d+">Password<\/label>/)
  assert.deepEqual(formWith(form.text, 'post_password'), { redirect_to: `${shop.url}/product/guarded/` })
  const entered = await enter(browser, 'open sesame')
  assert.deepEqual([entered.status, entered.location], [302, `${shop.url}/product/guarded/`])
  const [line = ''] = entered.headers.getSetCookie()
  assert.match(line, new RegExp(`^${cookieName()}=%24P%24B[\\w%.]+; expires=[^;]+; Max-Age=864000; path=/; HttpOnly$`))
  const shown = await browser.get(entered.location)
  assert.match(shown.text, /Once in full: Guarded/)
  assert.doesNotMatch(shown.text, /post-password-form/)
  for (const { headers } of [form, shown]) assert.match(headers.get('cache-control') ?? '', /no-store/)
})

test('the password of one record does not open another', async () => {
  const browser = shop.browser()
  await enter(browser, 'open sesame')
  assert.doesNotMatch((await browser.get('/product/other/')).text, /Once in full/)
})

const lists = ['/', '/product/', '/author/ada/']

test('lists show the excerpts of records whose password the visitor has entered, and no cache stores them', async () => {
  const { records, users } = shop.service
  const author = (await users.find('ada'))?.id ?? 0
  for (const [title, password] of [
    ['Listed', 'open sesame'],
    ['Hidden', 'other word'],
  ] as const)
    for (const type of ['post', 'product'])
      await records.insert({
        type,
        status: 'publish',
        title,
        password,
        author,
        content: '<p>In full</p>',
        excerpt: `Excerpt: ${title}`,
      })
  const browser = shop.browser()
  const seen = async () => {
    const pages = []
    for (const path of lists) {
      const { status, text, headers } = await browser.get(path)
      const isStored = !/no-store/.test(headers.get('cache-control') ?? '')
      pages.push([status, text.includes('Excerpt: Listed'), text.includes('Excerpt: Hidden'), isStored])
    }
    return pages
  }
  const each = (...page: unknown[]) => lists.map(() => page)
  assert.deepEqual(await seen(), each(200, false, false, true))
  await enter(browser, 'open sesame')
  assert.deepEqual(await seen(), each(200, true, false, false))
  await enter(browser, 'wrong')
  assert.deepEqual(await seen(), each(200, false, false, true))
})

test('guesses are not tried through lists, and lists leave the page of a record open', async () => {
  const { records } = shop.service
  const password = 'a third word'
  const { link } = await records.insert({
    type: 'post',
    status: 'publish',
    title: 'Third',
    password,
    excerpt: 'Third!',
  })
  for (let guess = 0; guess < 12; guess += 1) {
    const browser = shop.browser()
    await enter(browser, `guess ${guess}`)
    assert.doesNotMatch((await browser.get('/')).text, /Third!/)
  }
  const browser = shop.browser()
  await enter(browser, password)
  assert.doesNotMatch((await browser.get('/')).text, /Third!/)
  assert.doesNotMatch((await browser.get(link)).text, /post-password-form/)
  assert.match((await browser.get('/')).text, /Third!/)
})

test('a wrong password is reported only to a visitor who comes from the form', async () => {
  const browser = shop.browser()
  await enter(browser, 'wrong')
  const link = `${shop.url}/product/guarded/`
  assert.match((await browser.get(link, { referer: link })).text, /Invalid password\./)
  assert.doesNotMatch((await browser.get(link)).text, /Invalid password\.|Once in full/)
})

test('a cookie that WordPress has set counts as well', async () => {
  const browser = shop.browser()
  // Made by WordPress's own PasswordHash of the password `open sesame`.
  browser.cookies.set(cookieName(), encodeURIComponent('$P$B9nvwVvk1UjyWYSaz9OZknDC78muKE1'))
  assert.match((await browser.get('/product/guarded/')).text, /Once in full: Guarded/)
})

const cookies: [value: string, reason: string][] = [
  ['', 'empty'],
  ['open sesame', 'plain'],
  [createHash('md5').update('open sesame').digest('hex'), 'md5'],
  ['$P$D12345678abcdefghijklmnopqrstuv', 'more rounds'],
  [`$P$B${'x'.repeat(5000)}`, 'long'],
  ['$wp$2y$10$XXdSxmg1wBCGiEolcA32YOtMVTCuBjHdjKRMN0z6FHxT/XvOUul3.', 'bcrypt'],
]
for (const [value, reason] of cookies)
  test(`a cookie that is ${reason} shows nothing`, async () => {
    const browser = shop.browser()
    browser.cookies.set(cookieName(), encodeURIComponent(value))
    const { status, text } = await browser.get('/product/guarded/')
    assert.equal(status, 200)
    assert.doesNotMatch(text, /Once in full/)
  })

const destinations: [back: string, location: string][] = [
  ['/product/guarded/', '/product/guarded/'],
  ['https://evil.example/', '{url}/'],
  ['//evil.example/', '{url}/'],
  ['/\\evil.example/', '{url}/'],
  ['javascript:alert(1)', '{url}/'],
  ['', '{url}/'],
]
for (const [back, location] of destinations)
  test(`the form leads to ${location} for ${JSON.stringify(back)}`, async () => {
    const response = await enter(shop.browser(), 'x', { redirect_to: back })
    assert.deepEqual([response.status, response.location], [302, location.replace('{url}', shop.url)])
  })

test('without redirect_to the form leads to the referring page of this site', async () => {
  const browser = shop.browser()
  const post = (referer: string) =>
    browser.post(
      '/wp-login.php?action=postpass',
      { post_password: 'x' },
      { referer: referer.replace('{url}', shop.url) },
    )
  assert.equal((await post('{url}/product/guarded/')).location, `${shop.url}/product/guarded/`)
  assert.equal((await post('https://evil.example/')).location, `${shop.url}/`)
})

test('a GET sets no cookie', async () => {
  const response = await shop.browser().get('/wp-login.php?action=postpass&post_password=open+sesame')
  assert.deepEqual([response.status, response.headers.getSetCookie()], [302, []])
})

test('a client that guesses has to wait, and others do not', async () => {
  const guarded = await openShop({ trusted_proxies: ['127.0.0.1'] })
  try {
    await guarded.service.records.insert({ status: 'publish', title: 'Vault', password: 'right', content: 'Inside' })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const guess = async (address: string, password: string) => {
      const browser = guarded.browser()
      await browser.post('/wp-login.php?action=postpass', { post_password: password }, from(address))
      return browser.get('/vault/', from(address))
    }
    for (let count = 0; count < 10; count += 1) assert.equal((await guess('192.0.2.1', `guess ${count}`)).status, 200)
    const refused = await guess('192.0.2.1', 'right')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.match(refused.text, /Too many failed attempts\. Try again in \d+ seconds\./)
    assert.doesNotMatch(refused.text, /Inside/)
    assert.match((await guess('198.51.100.1', 'right')).text, /Inside/)
  } finally {
    await guarded.service.close()
  }
})

test('guesses from ten networks do not lock out visitors from other networks', async () => {
  const guarded = await openShop({ trusted_proxies: ['127.0.0.1'] })
  try {
    await guarded.service.records.insert({ status: 'publish', title: 'Vault', password: 'right', content: 'Inside' })
    const enterFrom = async (address: string, password: string) => {
      const from = { 'x-forwarded-for': address }
      const browser = guarded.browser()
      await browser.post('/wp-login.php?action=postpass', { post_password: password }, from)
      return browser.get('/vault/', from)
    }
    for (let network = 0; network < 10; network += 1)
      for (let count = 0; count < 10; count += 1) await enterFrom(`192.0.${network}.1`, `guess ${network}.${count}`)
    const shown = await enterFrom('198.51.100.1', 'right')
    assert.equal(shown.status, 200)
    assert.match(shown.text, /Inside/)
  } finally {
    await guarded.service.close()
  }
})

test('a network has a limit of passwords that are hashed, and other networks still get the cookie', async () => {
  const time = { now: Date.UTC(2026, 0, 15, 12) }
  const lines: object[] = []
  const warn = (fields: object) => 'limit' in fields && lines.push(fields)
  const log = { info: () => {}, warn, error: () => {} }
  const guarded = await openShop({ trusted_proxies: ['127.0.0.1'], clock: () => time.now, log })
  try {
    const enterFrom = (address: string, post_password = 'x') =>
      guarded
        .browser()
        .post(
          '/wp-login.php?action=postpass',
          { post_password, redirect_to: '/vault/?a=1&b=2' },
          { 'x-forwarded-for': address },
        )
    for (let count = 0; count < 100; count += 1) assert.equal((await enterFrom('192.0.2.1')).status, 302)
    for (let count = 0; count < 2; count += 1) {
      const refused = await enterFrom('192.0.2.1')
      assert.equal(refused.status, 429)
      assert.equal(refused.headers.get('retry-after'), '2')
      assert.deepEqual(refused.headers.getSetCookie(), [])
      assert.match(refused.text, /role="alert".*Too many passwords\. Try again in 2 seconds\./s)
      assert.match(refused.text, /<a href="\/vault\/\?a=1&amp;b=2">/)
    }
    assert.deepEqual(lines, [
      { code: 'record-passwords-locked', limit: 'network', network: '192.0.2.1', login: 'record password', wait: 2 },
    ])
    const other = await enterFrom('198.51.100.1')
    assert.equal(other.status, 302)
    assert.match(other.headers.getSetCookie().join(), /^wp-postpass_/)
    assert.equal((await enterFrom('192.0.2.1', 'x'.repeat(256))).status, 302, 'it is not hashed')
    time.now += 2000
    assert.equal((await enterFrom('192.0.2.1')).status, 302)
    assert.equal((await enterFrom('192.0.2.1')).status, 429)
  } finally {
    await guarded.service.close()
  }
})

test('a text that is longer than the password of any record is not hashed', async () => {
  const browser = shop.browser()
  const [line = ''] = (await enter(browser, 'x'.repeat(256))).headers.getSetCookie()
  assert.match(line, new RegExp(`^${cookieName()}=(?:\\*|%2A);`))
  assert.equal((await browser.get('/product/guarded/')).status, 200)
  const [hashed = ''] = (await enter(browser, 'x'.repeat(255))).headers.getSetCookie()
  assert.match(hashed, /=%24P%24B/)
})

test('the same wrong cookie counts once', async () => {
  const browser = shop.browser()
  await enter(browser, 'again and again')
  for (let count = 0; count < 15; count += 1) assert.equal((await browser.get('/product/other/')).status, 200)
})

test('an application without templates has the form too', async () => {
  const plain = await openShop({ provide: [[ViewEngineInterface, new NoViews()]] })
  try {
    await plain.service.records.insert({ status: 'publish', title: 'Vault', password: 'right', content: 'Inside' })
    const browser = plain.browser()
    const { text } = await browser.get('/vault/')
    await browser.post('/wp-login.php?action=postpass', { ...formWith(text, 'post_password'), post_password: 'right' })
    assert.match((await browser.get('/vault/')).text, /Inside/)
  } finally {
    await plain.service.close()
  }
})
