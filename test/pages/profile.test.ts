import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillPasswords } from '../support/fill-passwords.js'
import { Browser, formWith, openShop, passwordOf } from './shop-site.js'

const profile = '/wp-admin/profile.php'
let shop: Awaited<ReturnType<typeof openShop>>
before(async () => {
  shop = await openShop()
})
after(() => shop.service.close())

/** Submits the form and follows its redirect. */
const create = async (browser: Browser, name: string) => {
  const { text } = await browser.get(profile)
  const response = await browser.post(profile, { ...formWith(text, 'name="name"'), name })
  return response.status === 302 ? browser.get(response.location) : response
}
const idOf = async (login: string) => (await shop.service.users.find(login))?.id ?? 0
const passwordsOf = async (login: string) => shop.service.applicationPasswords.list(await idOf(login))

test('a visitor is asked to log in first, and led back', async () => {
  const response = await shop.browser().get(profile)
  const back = encodeURIComponent(`${shop.url}${profile}`)
  assert.equal(response.status, 302)
  assert.equal(response.location, `${shop.url}/wp-login.php?redirect_to=${back}&reauth=1`)
})

test('the cookie for the whole site opens no page of the administration, and the login form removes it', async () => {
  const browser = await shop.signedIn('ed')
  for (const name of browser.cookies.keys()) if (/^wordpress_[0-9a-f]{32}$/.test(name)) browser.cookies.delete(name)
  assert.equal((await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).status, 200)
  const authorize = await browser.get('/wp-admin/authorize-application.php?app_name=A')
  assert.match(authorize.location, /\/wp-login\.php\?redirect_to=/)
  const response = await browser.get(profile)
  assert.equal(response.status, 302)
  const form = await browser.get(response.location)
  assert.doesNotMatch(form.text, /You are logged in as/)
  assert.deepEqual([...browser.cookies.keys()], ['wordpress_test_cookie'])
})

test('/wp-admin/ leads to the profile', async () => {
  for (const path of ['/wp-admin', '/wp-admin/', '/wp-admin/index.php'])
    assert.equal((await shop.browser().get(path)).location, `${shop.url}${profile}`)
})

test('the profile shows name and roles, and no cache stores it', async () => {
  const response = await (await shop.signedIn('ed')).get(profile)
  assert.equal(response.status, 200)
  assert.match(response.text, /<dd>editor<\/dd>/)
  assert.match(response.headers.get('cache-control') ?? '', /no-store/)
  assert.match((await (await shop.signedIn('nora')).get(profile)).text, /<dd>none<\/dd>/)
})

test('an application password is shown once, in groups of four, and works', async () => {
  const browser = await shop.signedIn('ed')
  const response = await create(browser, 'Phone app')
  assert.equal(response.status, 200)
  assert.match(response.headers.get('cache-control') ?? '', /no-store/)
  const [shown = ''] = /\w{4}(?: \w{4}){5}/.exec(response.text) ?? []
  assert.match(response.text, /<script src="\/wp-includes\/js\/pages\.js\?ver=\w+" defer>/)
  assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  const authorization = `Basic ${Buffer.from(`ed:${shown}`).toString('base64')}`
  const orders = await shop.browser().get('/wp-json/shop/v1/orders', { authorization })
  assert.equal(orders.status, 200)
  const again = await browser.get(profile)
  assert.match(again.text, /Phone app/)
  assert.doesNotMatch(again.text, new RegExp(shown))
  assert.match(again.text, /127\.0\.0\.1/)
  assert.doesNotMatch(again.headers.get('content-security-policy') ?? '', /script-src/)
})

test('an application password may have scopes and an end, which the profile shows', async () => {
  const browser = await shop.signedIn('ed')
  const { text } = await browser.get(profile)
  const form = { ...formWith(text, 'name="scopes"'), name: 'Till' }
  const refused = await browser.post(profile, { ...form, scopes: 'orders', expires: '2099-01-31' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Scopes are at most 50 paths/)
  assert.match(refused.text, />orders<\/textarea>/)
  assert.match(refused.text, /value="2099-01-31"/)
  const noDay = await browser.post(profile, { ...form, expires: '2099-02-30' })
  assert.equal(noDay.status, 400)
  assert.match(noDay.text, /must be a date in the future, such as 2027-01-31/)
  const limits = { scopes: 'GET /shop/v1/orders\r\n /shop/v1/products*\r\n', expires: '2099-01-31' }
  const shown = await browser.get((await browser.post(profile, { ...form, ...limits })).location)
  assert.match(shown.text, /<code>GET \/shop\/v1\/orders<\/code> <code>\/shop\/v1\/products\*<\/code>/)
  assert.match(shown.text, /<dt>Ends<\/dt>[^]*?2099/)
  const till = (await passwordsOf('ed')).find(({ name }) => name === 'Till')
  assert.deepEqual(
    [till?.scopes, till?.expires],
    [['GET /shop/v1/orders', '/shop/v1/products*'], Date.UTC(2099, 0, 31) / 1000],
  )
})

test('a reload makes no second application password, and does not show the first again', async () => {
  const browser = await shop.signedIn('ed')
  const { text } = await browser.get(profile)
  const before = (await passwordsOf('ed')).length
  const response = await browser.post(profile, { ...formWith(text, 'name="name"'), name: 'Reloaded' })
  assert.deepEqual([response.status, response.location], [302, `${shop.url}${profile}?updated=created`])
  const line = response.headers.getSetCookie().find((each) => each.startsWith('wp-new-application-password-')) ?? ''
  assert.match(line, /; Max-Age=120; path=\/wp-admin; HttpOnly; SameSite=Lax$/)
  const cookies = new Map(browser.cookies)
  const shown = await browser.get(response.location)
  const [password = ''] = /\w{4}(?: \w{4}){5}/.exec(shown.text) ?? []
  assert.notEqual(password, '')
  assert.doesNotMatch(line, new RegExp(password.slice(0, 4)))
  const reloaded = await browser.get(response.location)
  assert.doesNotMatch(reloaded.text, new RegExp(password))
  assert.match(reloaded.text, /It was shown once/)
  assert.equal((await passwordsOf('ed')).length, before + 1)
  // The cookie of one session shows nothing in another one.
  const other = await shop.signedIn('ed')
  for (const [name, value] of cookies) if (name.startsWith('wp-new-')) other.cookies.set(name, value)
  assert.doesNotMatch((await other.get(profile)).text, new RegExp(password))
})

test('an altered cookie of a new application password shows nothing', async () => {
  const browser = await shop.signedIn('ed')
  const name = 'wp-new-application-password-' + /_([0-9a-f]{32})/.exec([...browser.cookies.keys()].join(' '))?.[1]
  for (const value of ['', 'x', 'A'.repeat(38), 'A'.repeat(60), '%00', 'é']) {
    browser.cookies.set(name, value)
    assert.equal((await browser.get(profile)).status, 200, value)
  }
})

const names: [name: string, status: number][] = [
  ['', 400],
  ['   ', 400],
  ['<b></b>', 400],
  ['x'.repeat(300_000), 400],
  ['x'.repeat(256), 200],
  ['é'.repeat(50_000), 200],
  ['O’Neil & "Söhne" <i>', 200],
]
for (const [name, status] of names)
  test(`an application password called ${JSON.stringify(name.slice(0, 30))} (${name.length}) answers ${status}`, async () => {
    const browser = await shop.signedIn('sam')
    const before = (await passwordsOf('sam')).length
    const response = await create(browser, name)
    assert.equal(response.status, status)
    assert.equal((await passwordsOf('sam')).length - before, status === 200 ? 1 : 0)
    assert.equal(/<code class="secret"[^>]*>\w{4}(?: \w{4}){5}</.test(response.text), status === 200)
    if (status === 400) assert.match(response.text, /<div id="error" class="notice notice-error" role="alert">/)
  })

test('a user with 200 application passwords is told to revoke one', async () => {
  await fillPasswords(shop.service, 'nora')
  const response = await create(await shop.signedIn('nora'), 'one more')
  assert.equal(response.status, 400)
  assert.match(response.text, /A user has at most 200 application passwords\. Revoke one/)
})

test('one application password is revoked, then all', async () => {
  const browser = await shop.signedIn('cora')
  for (const name of ['one', 'two', 'three']) await create(browser, name)
  const page = await browser.get(profile)
  const revoked = await browser.post(profile, formWith(page.text, 'aria-label="Revoke two"'))
  assert.deepEqual([revoked.status, revoked.location], [302, `${shop.url}${profile}?updated=revoked`])
  assert.deepEqual(
    (await passwordsOf('cora')).map(({ name }) => name),
    ['one', 'three'],
  )
  const next = await browser.get(revoked.location)
  assert.match(next.text, /The application password was revoked\./)
  await browser.post(profile, formWith(next.text, 'Revoke all application passwords'))
  assert.deepEqual(await passwordsOf('cora'), [])
})

test('a message is only ever one of ours', async () => {
  const browser = await shop.signedIn('sam')
  for (const updated of ['constructor', '__proto__', '<script>x</script>', 'x']) {
    const { text, status } = await browser.get(`${profile}?updated=${encodeURIComponent(updated)}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /notice-success|<script/)
  }
})

test('sessions: this one is marked, one can be ended, then all others, then all', async () => {
  const open = () => shop.signedIn('ada')
  const [here, second, third] = [await open(), await open(), await open()] as const
  const rows = (text: string) =>
    text.match(/<li class="item"(?:(?!<\/li>)[\s\S])*End the session(?:(?!<\/li>)[\s\S])*/g) ?? []
  const page = await here.get(profile)
  assert.equal(rows(page.text).length, 3)
  assert.equal(page.text.match(/\(this session\)/g)?.length, 1)
  assert.match(rows(page.text)[0] ?? '', /aria-current="true"/)

  const fields = formWith(rows(page.text)[1] ?? '', 'end-session')
  assert.equal((await here.post(profile, fields)).location, `${shop.url}${profile}?updated=session-ended`)
  assert.equal(rows((await here.get(profile)).text).length, 2)
  const statuses = await Promise.all([second, third].map(async (browser) => (await browser.get(profile)).status))
  assert.deepEqual(statuses.sort(), [200, 302])

  await here.post(profile, formWith((await here.get(profile)).text, 'end-other-sessions'))
  assert.equal(rows((await here.get(profile)).text).length, 1)

  const last = await open()
  const ended = await here.post(profile, formWith((await here.get(profile)).text, 'end-all-sessions'))
  assert.match(ended.location, /loggedout=true/)
  for (const browser of [here, last]) assert.equal((await browser.get(profile)).status, 302)
  assert.deepEqual([...here.cookies.keys()], ['wordpress_test_cookie'])
})

test('ending the session in use is a log out', async () => {
  const browser = await shop.signedIn('sam')
  const { text } = await browser.get(profile)
  const own = /<li class="item"\s+aria-current[\s\S]*?<\/li>/.exec(text)?.[0] ?? ''
  assert.match((await browser.post(profile, formWith(own, 'end-session'))).location, /loggedout=true/)
})

test('no form works without its own nonce', async () => {
  const [ed, sam] = [await shop.signedIn('ed'), await shop.signedIn('sam')]
  await create(sam, 'target')
  const [mine, own] = [await sam.get(profile), await ed.get(profile)]
  const wanted = formWith(mine.text, 'name="name"')
  const revoke = formWith(mine.text, 'aria-label="Revoke target"')
  const restNonce = (await sam.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text
  const otherSession = formWith((await (await shop.signedIn('sam')).get(profile)).text, 'name="name"')
  const before = await passwordsOf('sam')
  const attempts: Record<string, string>[] = [
    { action: 'create-application-password', name: 'x' },
    { ...wanted, name: 'x', _wpnonce: '' },
    { ...wanted, name: 'x', _wpnonce: restNonce },
    { ...wanted, name: 'x', _wpnonce: formWith(own.text, 'name="name"')['_wpnonce'] ?? '' },
    { ...otherSession, name: 'x' },
    { ...wanted, action: 'end-all-sessions' },
    { ...wanted, action: 'revoke-application-password', target: revoke['target'] ?? '' },
    { ...revoke, target: '00000000-0000-4000-8000-000000000000' },
    { ...revoke, action: '__proto__' },
    { ...revoke, action: '' },
  ]
  for (const fields of attempts) {
    const response = await sam.post(profile, fields)
    assert.equal(response.status, 403, JSON.stringify(fields))
    assert.match(response.text, /This link has expired/)
  }
  // The nonce counts in the form only, and only for a real POST.
  assert.equal(
    (await sam.post(`${profile}?_wpnonce=${wanted['_wpnonce']}`, { action: 'create-application-password', name: 'x' }))
      .status,
    403,
  )
  assert.equal((await sam.get(`${profile}?${new URLSearchParams({ ...wanted, name: 'x' })}`)).status, 200)
  assert.deepEqual(await passwordsOf('sam'), before)
})

test('a user cannot revoke an application password of another user', async () => {
  const [ada, ed] = [await shop.signedIn('ada'), await shop.signedIn('ed')]
  await create(ed, 'belongs to ed')
  const fields = formWith((await ed.get(profile)).text, 'aria-label="Revoke belongs to ed"')
  assert.equal((await ada.post(profile, fields)).status, 403)
  assert.ok((await passwordsOf('ed')).some(({ name }) => name === 'belongs to ed'))
})

test('names of users, browsers and application passwords are escaped on all pages', async () => {
  await shop.service.users.create({
    login: 'mallory',
    email: 'mallory@shop.example',
    password: passwordOf('mallory'),
    displayName: '<script>alert(1)</script>"\'',
  })
  const browser = new Browser(shop.url)
  browser.headers = { 'user-agent': '<script>alert("agent")</script>' }
  await browser.post('/wp-login.php', { log: 'mallory', pwd: passwordOf('mallory') })
  await shop.service.applicationPasswords.create(await idOf('mallory'), { name: '"><script>alert("name")</script>' })
  for (const path of [profile, '/', '/wp-login.php', '/nothing', '/wp-admin/authorize-application.php']) {
    const { text } = await browser.get(path)
    assert.doesNotMatch(text, /<script>/, path)
    assert.match(text, /&lt;script&gt;alert\(1\)/, path)
  }
})

test('a wrong method is refused', async () => {
  for (const path of [profile, '/wp-login.php', '/'])
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await shop.browser().send(method, path)
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD, POST'], `${method} ${path}`)
    }
})
