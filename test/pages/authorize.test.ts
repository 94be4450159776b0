import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillPasswords } from '../support/fill-passwords.js'
import { Browser, formWith, openShop } from './shop-site.js'

const page = '/wp-admin/authorize-application.php'
const uuid = '11111111-2222-4333-8444-555555555555'
let shop: Awaited<ReturnType<typeof openShop>>
let ada: Browser
before(async () => {
  shop = await openShop()
  ada = await shop.signedIn('ada')
})
after(() => shop.service.close())

const addressOf = (parameters: Record<string, string>) => `${page}?${new URLSearchParams(parameters)}`
const formFor = async (parameters: Record<string, string>, browser = ada): Promise<Record<string, string>> => {
  const { text, status } = await browser.get(addressOf(parameters))
  assert.equal(status, 200)
  return { ...formWith(text, 'approve'), app_name: parameters['app_name'] ?? '' }
}
const count = async () => {
  const user = await shop.service.users.find('ada')
  return (await shop.service.applicationPasswords.list(user?.id ?? 0)).length
}

test('a visitor logs in first and comes back to the same question', async () => {
  const path = addressOf({ app_name: 'An App', success_url: 'https://app.example/?a=1&b=2' })
  const { status, location } = await shop.browser().get(path)
  assert.equal(status, 302)
  const { pathname, searchParams } = new URL(location)
  assert.deepEqual([pathname, searchParams.get('reauth')], ['/wp-login.php', '1'])
  assert.equal(searchParams.get('redirect_to'), shop.url + path)
})

const successes: [success_url: string, sentTo: string][] = [
  ['https://app.example/done', 'https://app.example/done?'],
  ['https://app.example/done?a=%20b&password=x&a=2#end', 'https://app.example/done?a=+b&a=2&'],
  ['http://127.0.0.1:9/x', 'http://127.0.0.1:9/x?'],
  ['http://[::1]/x', 'http://[::1]/x?'],
  ['my-app://login/done', 'my-app://login/done?'],
]
for (const [success_url, sentTo] of successes)
  test(`approving sends the password to ${success_url}`, async () => {
    const fields = await formFor({ app_name: 'An App', app_id: uuid, success_url })
    const { status, location, headers } = await ada.post(page, { ...fields, approve: '1' })
    assert.equal(status, 302)
    assert.ok(location.startsWith(sentTo), location)
    const { searchParams, hash } = new URL(location)
    assert.equal(searchParams.get('site_url'), shop.url)
    assert.equal(searchParams.get('user_login'), 'ada')
    assert.match(searchParams.getAll('password').join(), /^[A-Za-z0-9]{24}$/)
    assert.equal(hash, new URL(success_url).hash)
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    const authorization = `Basic ${Buffer.from(`ada:${searchParams.get('password')}`).toString('base64')}`
    assert.equal((await new Browser(shop.url).get('/wp-json/shop/v1/orders', { authorization })).status, 200)
  })

test('without an address the profile shows the password, once', async () => {
  const before = await count()
  const response = await ada.post(page, { ...(await formFor({ app_name: 'An App' })), approve: '1' })
  assert.deepEqual([response.status, response.location], [302, `${shop.url}/wp-admin/profile.php?updated=created`])
  const shown = await ada.get(response.location)
  assert.match(shown.text, /The password for An App/)
  assert.match(shown.text, /\w{4}(?: \w{4}){5}/)
  assert.match(shown.headers.get('cache-control') ?? '', /no-store/)
  assert.doesNotMatch((await ada.get(response.location)).text, /\w{4}(?: \w{4}){5}/)
  assert.equal(await count(), before + 1)
})

const rejections: [parameters: Record<string, string>, sentTo: string][] = [
  [{ success_url: 'https://app.example/?a=1' }, 'https://app.example/?a=1&success=false'],
  [{ success_url: 'https://app.example/', reject_url: 'https://app.example/no' }, 'https://app.example/no'],
  [{ reject_url: 'my-app://no' }, 'my-app://no'],
  [{}, '{url}/wp-admin/'],
]
for (const [parameters, sentTo] of rejections)
  test(`refusing ${JSON.stringify(parameters)} makes no password`, async () => {
    const before = await count()
    const response = await ada.post(page, { ...(await formFor({ app_name: 'An App', ...parameters })), reject: '1' })
    assert.deepEqual([response.status, response.location], [302, sentTo.replace('{url}', shop.url)])
    assert.equal(await count(), before)
  })

const refused: [parameters: Record<string, string>, reason: string][] = [
  [{ success_url: 'javascript:alert(1)' }, 'Invalid URL format.'],
  [{ success_url: 'javascript://x/%0aalert(1)' }, 'Invalid URL format.'],
  [{ success_url: 'JavaScript://x/%0aalert(1)' }, 'Invalid URL format.'],
  [{ success_url: 'data://text/html,x' }, 'Invalid URL format.'],
  [{ success_url: 'java\nscript://x/' }, 'Invalid URL format.'],
  [{ success_url: '/path' }, 'Invalid URL format.'],
  [{ success_url: '//app.example/' }, 'Invalid URL format.'],
  [{ success_url: 'https:app.example' }, 'Invalid URL format.'],
  [{ success_url: 'https://' }, 'Invalid URL format.'],
  [{ success_url: 'https:\\\\app.example' }, 'Invalid URL format.'],
  [{ reject_url: 'javascript:alert(1)' }, 'Invalid URL format.'],
  [{ success_url: 'https://shop.example@evil.example/' }, 'Invalid URL format.'],
  [{ reject_url: 'https://shop.example:443@evil.example/' }, 'Invalid URL format.'],
  [{ success_url: 'http://app.example/' }, 'The URL must be served over a secure connection.'],
  [{ success_url: 'http://127.0.0.1.app.example/' }, 'The URL must be served over a secure connection.'],
  [{ app_id: 'one' }, 'The application ID must be a UUID.'],
]
for (const [parameters, reason] of refused)
  test(`${JSON.stringify(parameters)} is not asked of anybody, and not accepted from a form`, async () => {
    const shown = await ada.get(addressOf({ app_name: 'An App', ...parameters }))
    assert.equal(shown.status, 500)
    assert.match(shown.text, new RegExp(`The Authorize Application request is not allowed\\. ${reason}`))
    const before = await count()
    const fields = { ...(await formFor({ app_name: 'An App' })), ...parameters, approve: '1' }
    assert.equal((await ada.post(page, fields)).status, 500)
    assert.equal(await count(), before)
  })

const looks: [success_url: string, shown: string][] = [
  ['https://аpple.example/', 'https://xn--pple-43d.example/'],
  ['https://evil.example/\u202egpj.exe', 'https://evil.example/%E2%80%AEgpj.exe'],
  ['https://evil.example/a/../<b>', 'https://evil.example/%3Cb%3E'],
  ['my-app://done?x=1', 'my-app://done'],
]
for (const [success_url, shown] of looks)
  test(`${JSON.stringify(success_url)} is shown as ${shown}`, async () => {
    const { text } = await ada.get(addressOf({ app_name: 'An App', success_url }))
    assert.ok(text.includes(`If you approve, you are sent to <strong>${shown}</strong>.`), text)
  })

test('a form of another user, of another action or without a nonce does nothing', async () => {
  const before = await count()
  const sam = await shop.signedIn('sam')
  const fields = await formFor({ app_name: 'An App' })
  const foreign = await formFor({ app_name: 'An App' }, sam)
  const other = formWith((await ada.get('/wp-admin/profile.php')).text, 'name="name"')
  for (const _wpnonce of ['', '0123456789', foreign['_wpnonce'] ?? '', other['_wpnonce'] ?? ''])
    assert.equal((await ada.post(page, { ...fields, _wpnonce, approve: '1' })).status, 403)
  assert.equal((await ada.post(page, { ...fields, action: 'x', approve: '1' })).status, 403)
  assert.equal(await count(), before)
})

test('the password needs a name', async () => {
  const response = await ada.post(page, { ...(await formFor({})), app_name: ' ', approve: '1' })
  assert.equal(response.status, 400)
  assert.match(response.text, /The application needs a name\./)
})

test('a user with 200 application passwords is told to revoke one', async () => {
  const sam = await shop.signedIn('sam')
  const fields = await formFor({ app_name: 'An App', success_url: 'https://app.example/' }, sam)
  await fillPasswords(shop.service, 'sam')
  const response = await sam.post(page, { ...fields, approve: '1' })
  assert.equal(response.status, 400)
  assert.match(response.text, /A user has at most 200 application passwords\. Revoke one/)
})

test('the name and addresses of an application are shown as text only', async () => {
  const evil = '"><script>alert(1)</script>'
  const response = await ada.get(addressOf({ app_name: evil, success_url: `https://app.example/${evil}` }))
  assert.doesNotMatch(response.text, /<script>/)
  const policy = await ada.get(addressOf({ success_url: 'https://app.example;script-src/x' }))
  assert.doesNotMatch(policy.headers.get('content-security-policy') ?? '', /script-src/)
})

test('the browser may follow the redirect at the end of the form', async () => {
  const policyFor = async (success_url: string) =>
    (await ada.get(addressOf({ success_url }))).headers.get('content-security-policy') ?? ''
  assert.match(await policyFor('https://app.example:81/x'), /form-action [^;]*https:\/\/app\.example:81(;| )/)
  assert.match(await policyFor('my-app://x'), /form-action [^;]* my-app:(;| )/)
})

test('where application passwords are not available nothing is authorised', async () => {
  const remote = { 'x-forwarded-for': '192.0.2.1' }
  assert.equal((await ada.get(page, remote)).status, 501)
  const fields = await formFor({ app_name: 'An App' })
  assert.equal((await ada.post(page, { ...fields, approve: '1' }, remote)).status, 501)
  const profile = await ada.get('/wp-admin/profile.php', remote)
  assert.match(profile.text, /Application passwords are not available\./)
  assert.doesNotMatch(profile.text, /name="name"/)
})
