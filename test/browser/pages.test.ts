import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { boot, Mailer, ViewEngineInterface, type MailMessage, type SeedTools, type Service } from 'as-rest-route'
import type { BrowserContext, Page } from 'playwright-core'
import { NoViews } from '../../src/views/no-views.js'
import { accessibilityFaults, openChromium, overflowing, skip } from './chromium.js'
import { temporaryDatabase } from '../support/test-database.js'

// By address, because the example registers the types of its own content.
const { seed } = (await import(new URL('../../examples/shop/demo/seed.ts', import.meta.url).href)) as {
  readonly seed: (tools: SeedTools) => Promise<void>
}

const widths = [360, 1280] as const
/** Takes pictures for a person to look at: `PICTURES=/tmp/pictures`. */
const pictures = process.env['PICTURES']

class Mailbox extends Mailer {
  readonly messages: MailMessage[] = []

  async send(message: MailMessage): Promise<void> {
    this.messages.push(message)
  }
}

const mailbox = new Mailbox()
let templated: Site
let plain: Site
let context: BrowserContext
let closeBrowser: () => Promise<void>
let page: Page
const complaints: string[] = []

interface Site {
  readonly service: Service
  readonly url: string
}

async function filled(tools: SeedTools): Promise<void> {
  await seed(tools)
  const { records, users } = tools
  const { id } = await users.create({
    login: 'mia',
    email: 'mia@shop.example',
    password: 'a long password',
    role: 'editor',
  })
  await records.insert({
    type: 'product',
    status: 'publish',
    title: 'A guarded product with a title that is long enough to need a second line',
    author: id,
    content: '<p>Once in full</p>',
    password: 'sesame',
    terms: { category: ['garden'] },
    date: '2020-01-01 10:00:00',
  })
  for (let number = 1; number <= 20; number += 1)
    await records.insert({
      type: 'post',
      status: 'publish',
      title: number === 20 ? '' : `Note ${number}`,
      content: '<p>Written in the garden</p>',
      author: id,
      terms: { category: ['garden'] },
      date: `2026-04-${String(number).padStart(2, '0')} 10:00:00`,
    })
}

async function open(options: Parameters<typeof boot>[1] = {}): Promise<Site> {
  const service = await boot(new URL('../../examples/shop/app/', import.meta.url), {
    database: await temporaryDatabase(),
    log: { info() {}, warn() {}, error: (fields) => complaints.push(JSON.stringify(fields)) },
    seed: filled,
    provide: [[Mailer, mailbox]],
    ...options,
  })
  const { url } = await service.listen({ port: 0 })
  return { service, url }
}

before(async () => {
  if (skip) return
  templated = await open()
  plain = await open({ provide: [[Mailer, mailbox], [ViewEngineInterface, new NoViews()]] }) // prettier-ignore
  ;({ context, close: closeBrowser } = await openChromium())
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
})

after(async () => {
  await closeBrowser?.()
  await templated?.service.close()
  await plain?.service.close()
})

/** Checks what the browser shows now: accessible, and inside of the screen. */
async function check(name: string, width: number): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await accessibilityFaults(page), [], `${name}, ${colorScheme}`)
  }
  assert.deepEqual(await overflowing(page), [], name)
}

async function logIn(site: Site, path = '/wp-admin/profile.php'): Promise<void> {
  await context.clearCookies()
  await page.goto(`${site.url}/wp-login.php?redirect_to=${encodeURIComponent(path)}`)
  await page.fill('[name=log]', 'mia')
  await page.fill('[name=pwd]', 'a long password')
  await page.getByRole('button', { name: 'Log In' }).click()
  await page.waitForURL((url) => url.pathname === new URL(path, site.url).pathname)
}

const visited = [
  ['front', '/'],
  ['second', '/page/2/'],
  ['products', '/product/'],
  ['product-page', '/product/page/2/'],
  ['category', '/category/garden/'],
  ['category-page', '/category/garden/page/2/'],
  ['author', '/author/mia/'],
  ['author-page', '/author/mia/page/2/'],
  ['search', '/?s=garden'],
  ['search-page', '/page/2/?s=garden'],
  ['search-form', '/?s='],
  ['nothing-found', '/?s=zzzzzz'],
  ['guarded', '/product/a-guarded-product-with-a-title-that-is-long-enough-to-need-a-second-line/'],
  ['not-found', '/nowhere/'],
  ['login', '/wp-login.php'],
  ['lost-password', '/wp-login.php?action=lostpassword'],
] as const

for (const width of widths) {
  for (const kind of ['templated', 'plain'] as const)
    test(`pages for visitors are accessible and fit ${width} pixels: ${kind}`, { skip }, async () => {
      const site = kind === 'templated' ? templated : plain
      await context.clearCookies()
      await page.setViewportSize({ width, height: 800 })
      for (const [name, path] of visited) {
        const response = await page.goto(site.url + path)
        assert.equal(response?.status(), name === 'not-found' ? 404 : 200, path)
        await check(`${kind}-${name}`, width)
      }
      await page.goto(`${site.url}/product/`)
      await page.locator('.card a').first().click()
      await page.waitForLoadState()
      await check(`${kind}-product`, width)
    })

  test(`a visitor walks from the front page to the last product at ${width} pixels`, { skip }, async () => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${templated.url}/`)
    await page.getByRole('link', { name: 'All products' }).click()
    const seen = new Set<string>()
    for (;;) {
      for (const title of await page.locator('.card h2').allTextContents()) seen.add(title)
      const next = page.getByRole('link', { name: 'Next page' })
      if ((await next.count()) === 0) break
      await next.click()
      await page.waitForLoadState()
    }
    assert.equal(seen.size, await templated.service.records.count({ type: 'product' }))
  })

  test(`a visitor enters the password of a record at ${width} pixels`, { skip }, async () => {
    await context.clearCookies()
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${templated.url}${visited.find(([name]) => name === 'guarded')?.[1]}`)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByText('Invalid password.').waitFor()
    await check('wrong-password', width)
    await page.getByLabel('Password').fill('sesame')
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByText('Once in full').waitFor()
    await check('right-password', width)
  })

  test(`the login leads back to the page it came from at ${width} pixels`, { skip }, async () => {
    await context.clearCookies()
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${templated.url}/category/garden/?x=1&y=%C3%A4`)
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.fill('[name=log]', 'mia')
    await page.fill('[name=pwd]', 'a long password')
    await page.getByRole('button', { name: 'Log In' }).click()
    await page.waitForURL(`${templated.url}/category/garden/?x=1&y=%C3%A4`)
    await check('logged-in', width)
  })

  test(`a person replaces a lost password at ${width} pixels`, { skip }, async () => {
    await context.clearCookies()
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${templated.url}/wp-login.php`)
    await page.getByRole('link', { name: 'Lost your password?' }).click()
    await page.getByLabel('Username or Email Address').fill('mia')
    await page.getByRole('button', { name: 'Get New Password' }).click()
    await page.getByText('a message with a link is on its way').waitFor()
    await check('link-sent', width)
    const isReset = ({ subject }: MailMessage): boolean => subject.endsWith('Password Reset')
    while (!mailbox.messages.some(isReset)) await new Promise(setImmediate)
    const { text } = mailbox.messages.splice(0).find(isReset) as MailMessage
    await page.goto(/^http.*action=rp$/m.exec(text)?.[0] ?? '')
    assert.ok(!page.url().includes('key='))
    await check('new-password', width)
    await page.getByLabel('New password', { exact: true }).fill('a long password')
    await page.getByLabel('Confirm new password').fill('another password')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await page.getByText('The passwords do not match.').waitFor()
    await check('no-match', width)
    await page.getByLabel('New password', { exact: true }).fill('a long password')
    await page.getByLabel('Confirm new password').fill('a long password')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await page.getByText('Your password has been reset.').waitFor()
    await check('saved', width)
    await logIn(templated)
  })

  test(`the profile shows, copies and revokes an application password at ${width} pixels`, { skip }, async () => {
    await page.setViewportSize({ width, height: 800 })
    await logIn(templated)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const name = `Phone of the person with the long name ${width}`
    await page.getByLabel('Name of the new application password').fill(name)
    await page.getByRole('button', { name: 'Add application password' }).click()
    const secret = page.locator('code.secret')
    const shown = (await secret.textContent()) ?? ''
    assert.match(shown, /^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
    await check('new-application-password', width)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied.').waitFor()
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), shown)
    // A click selects the whole password for those without scripts.
    await secret.click()
    assert.equal((await page.evaluate<string>('getSelection().toString()')).trim(), shown)
    await page.reload()
    assert.ok(!(await page.content()).includes(shown))
    assert.equal(await page.getByRole('heading', { name, exact: true }).count(), 1)
    await check('profile', width)
    const item = page.locator('.item').filter({ hasText: name })
    assert.equal(await item.getByRole('button', { name: `Revoke ${name}` }).isVisible(), false)
    await item.locator('summary').click()
    await check('confirmation', width)
    await item.getByRole('button', { name: `Revoke ${name}` }).click()
    await page.getByText('The application password was revoked.').waitFor()
    assert.equal(await page.getByRole('heading', { name, exact: true }).count(), 0)
    await page.getByText('Log out everywhere', { exact: true }).first().click()
    await check('end-sessions', width)
  })

  test(`the end of a session is confirmed at ${width} pixels`, { skip }, async () => {
    await page.setViewportSize({ width, height: 800 })
    await logIn(templated)
    await logIn(templated)
    const items = page.getByRole('region', { name: 'Sessions' }).locator('.item')
    const number = await items.count()
    const other = items.filter({ hasNotText: '(this session)' }).first()
    const end = other.getByRole('button', { name: /^End the session of / })
    assert.equal(await end.isVisible(), false)
    await other.locator('summary').click()
    await check('end-session', width)
    await page.reload()
    assert.equal(await items.count(), number)
    await other.locator('summary').click()
    await end.click()
    await page.getByText('The session was ended.').waitFor()
    assert.equal(await items.count(), number - 1)
    await page.getByText('Log out everywhere else', { exact: true }).first().click()
    await check('end-other-sessions', width)
  })

  test(`a password is copied at ${width} pixels without the clipboard of secure pages`, { skip }, async () => {
    const own = await context.newPage()
    await own.setViewportSize({ width, height: 800 })
    await own.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await logIn(templated)
    await own.goto(`${templated.url}/wp-admin/profile.php`)
    await own.getByLabel('Name of the new application password').fill('Copied')
    await own.getByRole('button', { name: 'Add application password' }).click()
    const shown = (await own.locator('code.secret').textContent()) ?? ''
    await own.getByRole('button', { name: 'Copy' }).click()
    await own.getByText('Copied.').waitFor()
    await own.close()
    await page.getByLabel('Name of the new application password').press('Control+V')
    assert.equal(await page.getByLabel('Name of the new application password').inputValue(), shown)
  })

  test(`the link of users/me leads to a page at ${width} pixels`, { skip }, async () => {
    await page.setViewportSize({ width, height: 800 })
    await logIn(templated, '/')
    const link = await page.evaluate<string>(`(async () => {
      const nonce = await (await fetch('/wp-admin/admin-ajax.php?action=rest-nonce')).text()
      return (await (await fetch('/wp-json/wp/v2/users/me', { headers: { 'X-WP-Nonce': nonce } })).json()).link
    })()`)
    await page.goto(link)
    await page.getByRole('heading', { name: 'mia', level: 1 }).waitFor()
    await check('own-author-page', width)
  })

  test(`the pages of a logged-in person are accessible and fit ${width} pixels`, { skip }, async () => {
    await page.setViewportSize({ width, height: 800 })
    await logIn(templated)
    const authorize = '/wp-admin/authorize-application.php?app_name=An+application+with+a+long+name&success_url='
    for (const [name, path] of [
      ['authorize', `${authorize}https://app.example/a/long/address/of/a/page`],
      ['authorize-refused', `${authorize}javascript:alert(1)`],
      ['log-out', '/wp-login.php?action=logout'],
      ['logged-in-form', '/wp-login.php'],
      ['front-logged-in', '/'],
    ] as const) {
      await page.goto(templated.url + path)
      await check(name, width)
    }
  })

  test(
    `"load more" identifies a logged-in reader and is found again by "back" at ${width} pixels`,
    { skip },
    async () => {
      await page.setViewportSize({ width, height: 800 })
      for (const isLoggedIn of [false, true]) {
        if (isLoggedIn) await logIn(templated, '/')
        else await context.clearCookies()
        await page.goto(`${templated.url}/`)
        const request = page.waitForRequest(/partials\/posts/)
        await page.getByRole('link', { name: 'Load more' }).click()
        const nonce = (await request).headers()['x-wp-nonce']
        assert.equal(/^[0-9a-f]{10}$/.test(nonce ?? ''), isLoggedIn)
        await page.locator('#posts .card').nth(11).waitFor()
        await page.getByRole('link', { name: 'Load more' }).click()
        const last = page.locator('#posts .card').nth(17)
        await last.waitFor()
        await last.scrollIntoViewIfNeeded()
        const place = await page.evaluate<number>('scrollY')
        const title = await last.locator('a').textContent()
        await last.locator('a').click()
        await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor()
        await page.goBack()
        await page.locator('#posts .card').nth(17).waitFor()
        await page.waitForFunction(`Math.abs(scrollY - ${place}) < 5`)
        assert.equal(await page.locator('#posts .card').nth(17).locator('a').textContent(), title)
      }
    },
  )
}

test('after "back", a reader who loaded more than 20 pages is told which are shown again', { skip }, async () => {
  await context.clearCookies()
  await page.route(/partials\/posts/, (route) => {
    const number = new URL(route.request().url()).searchParams.get('page')
    return route.fulfill({ json: { html: `<article class="card">Page ${number}</article>`, hasMore: true } })
  })
  await page.goto(`${templated.url}/`)
  await page.evaluate('history.replaceState({ added: 25, scrollY: 1e6 }, "")')
  await page.reload()
  await page.getByText('20 of the 25 loaded pages are shown again.').waitFor()
  assert.equal(await page.getByText(/^Page \d+$/).count(), 20)
  const bottom = await page.evaluate<number>(
    'innerHeight - document.querySelector("a[data-load-more]").getBoundingClientRect().bottom',
  )
  assert.ok(bottom >= 0)
  await page.getByRole('link', { name: 'Load more' }).click()
  await page.getByText('Page 22').waitFor()
  await page.unroute(/partials\/posts/)
})

test('the keyboard goes on at the first new card', { skip }, async () => {
  await context.clearCookies()
  // An entry of the history that shows the same address would be restored.
  await page.goto('about:blank')
  await page.goto(`${templated.url}/`)
  await page.getByRole('link', { name: 'Load more' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#posts .card').nth(11).waitFor()
  const focused = await page.evaluate<string>('document.activeElement.textContent')
  assert.equal(focused, await page.locator('#posts .card').nth(6).locator('a').textContent())
})

test('the profile works without scripts', { skip }, async () => {
  await logIn(templated)
  const { cookies } = await context.storageState()
  const { context: own, close } = await openChromium({ javaScriptEnabled: false })
  await own.addCookies(cookies)
  const still = await own.newPage()
  await still.goto(`${templated.url}/wp-admin/profile.php`)
  await still.getByLabel('Name of the new application password').fill('Without scripts')
  await still.getByRole('button', { name: 'Add application password' }).click()
  assert.match((await still.locator('code.secret').textContent()) ?? '', /^\w{4} /)
  assert.equal(await still.getByRole('button', { name: 'Copy' }).isVisible(), false)
  const item = still.locator('.item').filter({ hasText: 'Without scripts' })
  await item.locator('summary').click()
  await item.getByRole('button', { name: 'Revoke Without scripts' }).click()
  await still.getByText('The application password was revoked.').waitFor()
  await close()
})

test('the console of the browser has only the errors of missing pages and refused requests', { skip }, () => {
  assert.deepEqual(
    complaints.filter((text) => !/status of (?:403|404|500)/.test(text)),
    [],
  )
})
