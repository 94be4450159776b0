import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Mailer, type MailMessage } from '../../src/index.js'
import { Browser, formWith, openShop, passwordOf } from './shop-site.js'

/** Keeps messages, and tells when one arrives. */
class Mailbox extends Mailer {
  readonly messages: MailMessage[] = []
  #waiting: (() => void)[] = []

  async send(message: MailMessage): Promise<void> {
    this.messages.push(message)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** The next message that has not been taken. */
  async next(): Promise<MailMessage> {
    while (this.messages.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.messages.shift() as MailMessage
  }
}

const mailbox = new Mailbox()
const time = { now: Date.now() }
const hour = 3_600_000
let shop: Awaited<ReturnType<typeof openShop>>
before(async () => {
  shop = await openShop({
    provide: [[Mailer, mailbox]],
    clock: () => time.now,
    trusted_proxies: ['127.0.0.1'],
    site: { name: 'Tom &amp; Jerry' },
  })
})
after(() => shop.service.close())

let lastAddress = 0
/** A request from a network of its own, so that no test waits for another one. */
const ask = (name: string, browser = shop.browser(), address = `192.0.2.${(lastAddress += 1)}`) =>
  browser.post('/wp-login.php?action=lostpassword', { user_login: name }, { 'x-forwarded-for': address })

/** The path of the link in the next message. */
async function nextLink(): Promise<string> {
  const { text } = await mailbox.next()
  const link = /^http.*action=rp$/m.exec(text)?.[0] ?? ''
  assert.ok(link.startsWith(shop.url), text)
  return link.slice(shop.url.length)
}

/** Follows a link to the form. */
async function formOf(link: string, browser: Browser) {
  const moved = await browser.get(link)
  assert.deepEqual([moved.status, moved.location], [302, `${shop.url}/wp-login.php?action=rp`])
  return browser.get(moved.location)
}

const saved = (browser: Browser, page: { text: string }, password: string, repeated = password) =>
  browser.post('/wp-login.php?action=resetpass', { ...formWith(page.text, 'pass1'), pass1: password, pass2: repeated })

const logIn = async (login: string, password: string) =>
  (await shop.browser().post('/wp-login.php', { log: login, pwd: password })).status

test('the login form offers a new password', async () => {
  const { text } = await shop.browser().get('/wp-login.php')
  assert.match(text, /<a href="[^"]*action=lostpassword">Lost your password\?<\/a>/)
})

test('a link leads to a new password, ends the sessions, and works once', async () => {
  const session = await shop.signedIn('ed')
  const response = await ask('ed')
  assert.deepEqual([response.status, response.location], [302, `${shop.url}/wp-login.php?checkemail=confirm`])
  const message = await mailbox.next()
  assert.equal(message.to, 'ed@shop.example')
  assert.equal(message.subject, '[Tom & Jerry] Password Reset')
  assert.match(message.text, /Username: ed\n/)
  assert.match(message.text, /IP address 192\.0\.2\.\d+\./)
  const link = /^http.*$/m.exec(message.text)?.[0].slice(shop.url.length) ?? ''
  assert.match(link, /^\/wp-login\.php\?login=ed&key=[A-Za-z0-9]{20}&action=rp$/)
  const browser = shop.browser()
  const moved = await browser.get(link)
  const [line = ''] = moved.headers.getSetCookie()
  assert.match(line, /^wp-resetpass-[0-9a-f]{32}=ed%3A[A-Za-z0-9]{20}; path=\/wp-login\.php; HttpOnly$/)
  const form = await browser.get(moved.location)
  assert.match(form.text, /<label for="pass1">New password<\/label>/)
  assert.match(form.headers.get('cache-control') ?? '', /no-store/)
  const other = new Browser(shop.url)
  const second = await formOf(link, other)
  const done = await saved(browser, form, ' a new password ')
  assert.equal(done.status, 200)
  assert.match(done.text, /Your password has been reset\./)
  assert.deepEqual([...browser.cookies.keys()], [])
  assert.equal((await session.get('/wp-admin/profile.php')).status, 302)
  assert.deepEqual([await logIn('ed', passwordOf('ed')), await logIn('ed', 'a new password')], [200, 302])
  const notice = await mailbox.next()
  assert.deepEqual([notice.to, notice.subject], ['ed@shop.example', '[Tom & Jerry] Password Changed'])
  assert.doesNotMatch(notice.text, /a new password|key=/)
  const again = await saved(other, second, 'a third password')
  assert.equal(again.location, `${shop.url}/wp-login.php?action=lostpassword&error=invalidkey`)
  assert.match((await other.get(again.location)).text, /Your password reset link appears to be invalid/)
  assert.equal(await logIn('ed', 'a third password'), 200)
})

test('of two requests with one key at the same time one succeeds', async () => {
  await ask('cora@shop.example')
  const link = await nextLink()
  const browsers = [shop.browser(), shop.browser()]
  const pages = await Promise.all(browsers.map((browser) => formOf(link, browser)))
  const responses = await Promise.all(
    pages.map((page, index) => saved(browsers[index] as Browser, page, `password ${index}`)),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 302])
  await mailbox.next()
})

test('the response is the same whether the account exists or not', async () => {
  const responses = await Promise.all(
    ['sam', 'sam@shop.example', 'nobody', 'no@body.example', '<b>'].map((name) => ask(name)),
  )
  const seen = responses.map(({ status, text, headers }) => [
    status,
    text,
    [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  ])
  for (const each of seen) assert.deepEqual(each, seen[0])
  assert.deepEqual([(await mailbox.next()).to, (await mailbox.next()).to], ['sam@shop.example', 'sam@shop.example'])
  const { text } = await shop.browser().get(responses[0]?.location ?? '')
  assert.match(text, /If there is an account with this name or address/)
  assert.deepEqual(mailbox.messages, [])
})

test('a link is valid for one hour, and only the newest one', async () => {
  await ask('nora')
  const old = await nextLink()
  await ask('nora')
  const link = await nextLink()
  const refused = async (path: string) => {
    const browser = shop.browser()
    return (await browser.get((await browser.get(path)).location)).location
  }
  assert.match(await refused(old), /error=invalidkey$/)
  const browser = shop.browser()
  const form = await formOf(link, browser)
  assert.equal(form.status, 200)
  time.now += hour - 1000
  assert.equal((await formOf(link, browser)).status, 200)
  time.now += 1000
  assert.match(await refused(link), /error=expiredkey$/)
  assert.match((await saved(browser, form, 'too late')).location, /error=expiredkey$/)
  assert.match((await browser.get('/wp-login.php?action=lostpassword&error=expiredkey')).text, /has expired/)
})

test('a new email address makes links to the former one invalid', async () => {
  const { id } = await shop.service.users.create({
    login: 'mia',
    email: 'mia@old.example',
    password: passwordOf('mia'),
  })
  await ask('mia')
  const link = await nextLink()
  await shop.service.users.update(id, { email: 'mia@new.example' })
  const browser = shop.browser()
  assert.match((await browser.get((await browser.get(link)).location)).location, /error=invalidkey$/)
})

const refusedPasswords: [password: string, repeated: string, message: RegExp][] = [
  ['one', 'two', /The passwords do not match\./],
  ['', '', /cannot be a space or all spaces/],
  ['   ', '   ', /cannot be a space or all spaces/],
  ['x'.repeat(4097), 'x'.repeat(4097), /at most 4,096 bytes/],
]
test('a refused password leaves the link valid', async () => {
  await ask('ada')
  const browser = shop.browser()
  let page = await formOf(await nextLink(), browser)
  for (const [password, repeated, message] of refusedPasswords) {
    page = await saved(browser, page, password, repeated)
    assert.equal(page.status, 200)
    assert.match(page.text, message)
  }
  assert.match((await saved(browser, page, 'fine at last')).text, /has been reset/)
  await mailbox.next()
})

test('a form of another site changes nothing', async () => {
  await ask('ada')
  const browser = shop.browser()
  const link = await nextLink()
  await formOf(link, browser)
  const key = new URL(link, shop.url).searchParams.get('key') ?? ''
  assert.notEqual(key, '')
  for (const sent of [{ rp_key: '' }, { rp_key: 'x'.repeat(20) }, {}, { 'rp_key[]': key }, { 'rp_key[a]': key }]) {
    const response = await browser.post('/wp-login.php?action=resetpass', { pass1: 'stolen', pass2: 'stolen', ...sent })
    assert.match(response.location, /error=invalidkey$/)
  }
  assert.equal(await logIn('ada', 'stolen'), 200)
})

const keys = ['', 'x', 'x'.repeat(20), '%00', 'A'.repeat(10_000), '$generic$', '0']
for (const key of keys)
  for (const login of ['ada', 'nobody', 'a:b', '<script>alert(1)</script>'])
    test(`the key ${key.slice(0, 20)} of ${login} is refused`, async () => {
      const browser = shop.browser()
      const first = await browser.get(`/wp-login.php?action=rp&login=${encodeURIComponent(login)}&key=${key}`)
      const last = first.location.includes('error=') ? first : await browser.get(first.location)
      assert.equal(last.location, `${shop.url}/wp-login.php?action=lostpassword&error=invalidkey`)
      assert.deepEqual([...browser.cookies.keys()], [])
    })

test('a network, a name and an account have limits', async () => {
  const site = await openShop({ provide: [[Mailer, new Mailbox()]], trusted_proxies: ['127.0.0.1'] })
  try {
    const from = (name: string, address: string) =>
      site.browser().post('/wp-login.php?action=lostpassword', { user_login: name }, { 'x-forwarded-for': address })
    const statuses = async (count: number, request: (number: number) => Promise<{ status: number }>) => {
      const all: number[] = []
      for (let number = 0; number < count; number += 1) all.push((await request(number)).status)
      return all
    }
    assert.deepEqual(await statuses(4, () => from('nobody', '192.0.2.1')), [302, 302, 302, 429])
    assert.deepEqual((await statuses(21, (number) => from(`name ${number}`, '192.0.2.2'))).slice(-2), [302, 429])
    assert.deepEqual((await statuses(11, (number) => from('other', `198.51.100.${number}`))).slice(-2), [302, 429])
    const refused = await from('nobody', '192.0.2.1')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.match(refused.text, /Too many requests\. Try again in \d+ seconds\./)
  } finally {
    await site.service.close()
  }
})

test('an account gets three messages, whatever its names and the networks that ask', async () => {
  const own = new Mailbox()
  const site = await openShop({ provide: [[Mailer, own]], trusted_proxies: ['127.0.0.1'] })
  for (const [index, name] of ['sam', 'sam@shop.example', 'SAM', 'Sam@shop.example', 'sam'].entries()) {
    const headers = { 'x-forwarded-for': `192.0.2.${index}` }
    const response = await site.browser().post('/wp-login.php?action=lostpassword', { user_login: name }, headers)
    assert.equal(response.status, 302)
  }
  // A stop waits for the messages.
  await site.service.close()
  assert.equal(own.messages.length, 3)
})

test('an empty name leads back to the form, and a destination outside of this site is ignored', async () => {
  assert.match((await ask('  ')).text, /Please enter a username or email address\./)
  for (const [redirect_to, location] of [
    ['/thanks/', '/thanks/'],
    ['https://evil.example/', `${shop.url}/wp-login.php?checkemail=confirm`],
  ] as const) {
    const fields = { user_login: 'nobody', redirect_to }
    const headers = { 'x-forwarded-for': `203.0.113.${(lastAddress += 1)}` }
    assert.equal((await shop.browser().post('/wp-login.php?action=lostpassword', fields, headers)).location, location)
  }
})

test('a message that cannot be sent is logged, and changes no response', async () => {
  const lines: object[] = []
  class Broken extends Mailer {
    send(): Promise<void> {
      return Promise.reject(new Error('no route to the server'))
    }
  }
  const site = await openShop({
    provide: [[Mailer, Broken]],
    log: { info: () => {}, warn: () => {}, error: (fields) => lines.push(fields) },
  })
  const response = await site.browser().post('/wp-login.php?action=lostpassword', { user_login: 'sam' })
  assert.equal(response.status, 302)
  await site.service.close()
  assert.deepEqual(
    lines.map((line) => (line as { code: string }).code),
    ['mail-not-sent'],
  )
})

test('a stop waits for a message that is being sent', async () => {
  const order: string[] = []
  const signals = new EventEmitter()
  const begun = once(signals, 'begun')
  class Slow extends Mailer {
    async send(): Promise<void> {
      signals.emit('begun')
      await once(signals, 'delivered')
      order.push('sent')
    }
  }
  const site = await openShop({ provide: [[Mailer, Slow]] })
  await site.browser().post('/wp-login.php?action=lostpassword', { user_login: 'sam' })
  await begun
  const closed = site.service.close().then(() => order.push('closed'))
  // A stop that does not wait takes a quarter of a second.
  await Promise.race([closed, sleep(1000)])
  signals.emit('delivered')
  await closed
  assert.deepEqual(order, ['sent', 'closed'])
})

test('in development a message goes to the log', async () => {
  const lines: { text?: string }[] = []
  const site = await openShop({
    environment: 'development',
    log: { info: (fields) => lines.push(fields), warn: () => {}, error: () => {} },
  })
  await site.browser().post('/wp-login.php?action=lostpassword', { user_login: 'sam' })
  await site.service.close()
  assert.ok(lines.some(({ text }) => /&key=[A-Za-z0-9]{20}&action=rp/.test(text ?? '')))
})

test('a production site without a mailer offers no link and says so', async () => {
  const site = await openShop()
  try {
    assert.doesNotMatch((await site.browser().get('/wp-login.php')).text, /Lost your password/)
    for (const method of ['GET', 'POST'] as const) {
      const { status, text } = await site.browser().send(method, '/wp-login.php?action=lostpassword')
      assert.equal(status, 200)
      assert.match(text, /this site sends no email/)
      assert.doesNotMatch(text, /<form/)
    }
    assert.equal((await site.browser().get('/wp-login.php?action=rp&key=x&login=sam')).status, 302)
  } finally {
    await site.service.close()
  }
})
