import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, formWith, openShop, passwordOf, unescaped } from './shop-site.js'

let shop: Awaited<ReturnType<typeof openShop>>
before(async () => {
  shop = await openShop()
})
after(() => shop.service.close())

const login = (fields: Record<string, string>, browser = shop.browser()) => browser.post('/wp-login.php', fields)

test('the form is labelled, sets the test cookie, and no cache stores it', async () => {
  const response = await shop.browser().get('/wp-login.php?redirect_to=%2Fx%3Fa%3D1%26copy%3B%3D2')
  assert.equal(response.status, 200)
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^wordpress_test_cookie=WP%20Cookie%20check; path=\/; HttpOnly$/,
  )
  assert.equal(response.headers.get('cache-control'), 'no-cache, must-revalidate, max-age=0, no-store, private')
  assert.equal(response.headers.get('x-frame-options'), 'SAMEORIGIN')
  assert.equal(response.headers.get('referrer-policy'), 'strict-origin-when-cross-origin')
  assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
  for (const id of ['user_login', 'user_pass', 'rememberme'])
    assert.match(response.text, new RegExp(`<label for="${id}">`))
  assert.deepEqual(formWith(response.text, 'user_login'), { redirect_to: '/x?a=1&copy;=2', testcookie: '1' })
})

test('a HEAD has the headers and no body', async () => {
  const response = await shop.browser().send('HEAD', '/wp-login.php')
  assert.deepEqual([response.status, response.text], [200, ''])
  assert.match(response.headers.get('set-cookie') ?? '', /^wordpress_test_cookie=/)
})

const destinations: [login: string, destination: string | null, location: string][] = [
  ['ada', null, '{url}/wp-admin/'],
  ['ada', '', '{url}/wp-admin/'],
  ['cora', null, '{url}/wp-admin/'],
  ['sam', null, '{url}/wp-admin/profile.php'],
  ['sam', '{url}/wp-admin/', '{url}/wp-admin/profile.php'],
  ['sam', '/product/lamp/', '/product/lamp/'],
  ['nora', null, '{url}/'],
  ['ada', '/product/lamp/?a=b#c', '/product/lamp/?a=b#c'],
  ['ada', '{url}/product/lamp/', '{url}/product/lamp/'],
  ['ada', 'wp-admin/profile.php', '{url}/wp-admin/profile.php'],
  ['ada', 'https://evil.example/', '{url}/wp-admin/'],
  ['ada', '//evil.example/', '{url}/wp-admin/'],
  ['ada', '/\\evil.example/', '{url}/wp-admin/'],
  ['ada', '\\\\evil.example/', '{url}/wp-admin/'],
  ['ada', '/\t/evil.example/', '{url}/wp-admin/'],
  ['ada', 'ht\ntps://evil.example/', '{url}/wp-admin/'],
  ['ada', 'https:evil.example', '{url}/wp-admin/'],
  ['ada', '{url}@evil.example/', '{url}/wp-admin/'],
  ['ada', '{url}.evil.example/', '{url}/wp-admin/'],
  ['ada', '//mia:secret@{host}/', '{url}/wp-admin/'],
  ['ada', '//mia@{host}/', '{url}/wp-admin/'],
  ['ada', '/.//evil.example/', '{url}//evil.example/'],
  ['ada', 'javascript:alert(1)', '{url}/wp-admin/'],
  ['ada', 'data:text/html,x', '{url}/wp-admin/'],
  ['ada', 'blob:{url}/x', '{url}/wp-admin/'],
  ['ada', 'http://127.0.0.1:1/', '{url}/wp-admin/'],
]
for (const [user, destination, location] of destinations)
  test(`${user} who asked for ${JSON.stringify(destination)} is sent to ${location}`, async () => {
    const redirect_to = destination?.replace('{url}', shop.url).replace('{host}', new URL(shop.url).host)
    const response = await login({
      log: user,
      pwd: passwordOf(user),
      ...(redirect_to === undefined ? {} : { redirect_to }),
    })
    assert.equal(response.status, 302)
    assert.equal(response.location, location.replace('{url}', shop.url))
    assert.equal(response.headers.get('x-redirect-by'), 'WordPress')
  })

test('a login sets the test cookie, then those of the two folders, then that of the site', async () => {
  const { headers } = await login({ log: 'ada@shop.example', pwd: passwordOf('ada'), rememberme: 'forever' })
  const names = headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '').replace(/[0-9a-f]{32}/, 'H'))
  const kept = (line = '') => line.replace(/; expires=[^;]*; Max-Age=\d+/, '; kept')
  assert.deepEqual(names.map(kept), [
    'wordpress_test_cookie; path=/; HttpOnly',
    'wordpress_H; kept; path=/wp-content/plugins; HttpOnly',
    'wordpress_H; kept; path=/wp-admin; HttpOnly',
    'wordpress_logged_in_H; kept; path=/; HttpOnly',
  ])
})

const failures: [fields: Record<string, string>, message: RegExp][] = [
  [
    { log: 'ada', pwd: 'wrong' },
    /<div id="login_error" class="notice notice-error"><p><strong>Error:<\/strong> The password you entered for the username <strong>ada<\/strong> is incorrect\./,
  ],
  [{ log: 'nobody', pwd: 'wrong' }, /The username <strong>nobody<\/strong> is not registered on this site\./],
  [{ log: 'no@body.example', pwd: 'wrong' }, /Unknown email address\. Check again or try your username\./],
  [{ log: '', pwd: '' }, /<ul>\s*<li>.*username field is empty.*<\/li>\s*<li>.*password field is empty/s],
  [{ log: '<script>alert(1)</script>', pwd: 'x' }, /login_error/],
  [{ log: '"><script>alert(1)</script>', pwd: 'x', redirect_to: '"><script>alert(1)</script>' }, /login_error/],
]
for (const [fields, message] of failures)
  test(`the form is shown again for ${JSON.stringify(fields)}`, async () => {
    const response = await login(fields)
    assert.equal(response.status, 200)
    assert.match(response.text, message)
    assert.doesNotMatch(response.text, /<script/)
    assert.doesNotMatch(response.headers.getSetCookie().join('\n'), /wordpress_logged_in/)
  })

test('a POST without a form shows the form, as a GET does', async () => {
  const response = await login({})
  assert.equal(response.status, 200)
  assert.match(response.text, /id="loginform"/)
  assert.doesNotMatch(response.text, /login_error|<script/)
  assert.doesNotMatch(response.headers.getSetCookie().join('\n'), /wordpress_logged_in/)
})

const origins = [
  '/',
  '/product/?a=1&b=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
  "/nowhere/?x=');alert(1)//",
  '//evil.example/',
  '/%22onmouseover=alert(1)//',
  '/?s=%F0%9F%98%80+%26amp;',
]
for (const path of origins)
  test(`the login leads back to ${path}`, async () => {
    const browser = shop.browser()
    const { text } = await browser.send('GET', shop.url + path)
    assert.doesNotMatch(text, /<script>alert|"onmouseover/)
    const link = unescaped(/<a href="([^"]*)">Log in<\/a>/.exec(text)?.[1] ?? '')
    const form = await browser.get(link)
    const fields = formWith(form.text, 'user_login')
    const { location } = await login({ ...fields, log: 'sam', pwd: passwordOf('sam') }, browser)
    assert.equal(new URL(location).href, new URL(shop.url + path).href)
  })

test('a browser that keeps no cookies is told so', async () => {
  const response = await login({ log: 'ada', pwd: passwordOf('ada'), testcookie: '1' })
  assert.equal(response.status, 200)
  assert.match(response.text, /Cookies are blocked or not supported/)
  assert.match(response.headers.getSetCookie().join('\n'), /wordpress_logged_in/)
})

test('after too many wrong passwords the response is 429', async () => {
  let response = await login({ log: 'ed', pwd: 'guess' })
  for (let count = 0; count < 20 && response.status === 200; count += 1)
    response = await login({ log: 'ed', pwd: 'guess' })
  assert.equal(response.status, 429)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
  assert.match(response.text, /Too many failed attempts/)
})

test('a log out needs its nonce, ends the session and says so', async () => {
  const browser = await shop.signedIn('ada')
  for (const nonce of ['', '&_wpnonce=0123456789']) {
    const question = await browser.get(`/wp-login.php?action=logout${nonce}`)
    assert.equal(question.status, 403)
    assert.match(question.text, /Do you really want to <a/)
  }
  const before = new Map(browser.cookies)
  const page = await browser.get('/wp-login.php?action=logout')
  const link = unescaped(/href="([^"]*action=logout[^"]*)"/.exec(page.text)?.[1] ?? '')
  const left = await browser.get(link)
  assert.equal(left.status, 302)
  assert.equal(left.location, `${shop.url}/wp-login.php?loggedout=true&wp_lang=en_US`)
  assert.match((await browser.get(left.location)).text, /You are now logged out\./)
  assert.deepEqual([...browser.cookies.keys()], ['wordpress_test_cookie'])
  const stale = new Browser(shop.url)
  for (const [name, value] of before) stale.cookies.set(name, value)
  assert.equal((await stale.get('/wp-admin/profile.php')).status, 302)
})

test('a log-out link of another user does nothing', async () => {
  const [ada, sam] = [await shop.signedIn('ada'), await shop.signedIn('sam')]
  const page = await ada.get('/wp-admin/profile.php')
  const link = unescaped(/href="([^"]*action=logout[^"]*)"/.exec(page.text)?.[1] ?? '')
  assert.equal((await sam.get(link)).status, 403)
  assert.equal((await sam.get('/wp-admin/profile.php')).status, 200)
})

test('a log out leads to this site only', async () => {
  const logOut = async (destination: string) => {
    const browser = await shop.signedIn('ada')
    const { text } = await browser.get('/wp-admin/profile.php')
    const link = unescaped(/href="([^"]*action=logout[^"]*)"/.exec(text)?.[1] ?? '')
    return (await browser.get(`${link}&redirect_to=${encodeURIComponent(destination)}`)).location
  }
  assert.equal(await logOut('/bye/'), '/bye/')
  assert.equal(await logOut('//evil.example/'), `${shop.url}/wp-login.php?loggedout=true&wp_lang=en_US`)
})

test('admin-ajax gives a logged-in caller a nonce that the API takes', async () => {
  const browser = await shop.signedIn('ada')
  const response = await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')
  assert.equal(response.status, 200)
  assert.match(response.text, /^[0-9a-f]{10}$/)
  const expected = {
    'content-type': 'text/html; charset=UTF-8',
    'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
    expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value)
  const orders = await browser.get('/wp-json/shop/v1/orders', { 'X-WP-Nonce': response.text })
  assert.equal(orders.status, 200)
})

const refused: [who: string | null, path: string, fields?: Record<string, string>][] = [
  [null, '?action=rest-nonce'],
  ['ada', ''],
  ['ada', '?action=other'],
  ['ada', '?action[]=rest-nonce'],
  ['ada', '', { action: 'rest-nonce' }],
]
for (const [who, query, fields] of refused)
  test(`admin-ajax${query} with ${JSON.stringify(fields ?? {})} by ${who} answers 400`, async () => {
    const browser = who ? await shop.signedIn(who) : shop.browser()
    const path = `/wp-admin/admin-ajax.php${query}`
    const response = fields ? await browser.post(path, fields) : await browser.get(path)
    assert.deepEqual([response.status, response.text], [400, '0'])
  })
