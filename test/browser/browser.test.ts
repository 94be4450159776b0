import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endpoint, boot, type Service } from 'as-rest-route'
import type { Page } from 'playwright-core'
import { openChromium, skip } from './chromium.js'
import { startService } from '../support/start-service.js'
import { temporaryDatabase } from '../support/test-database.js'

let service: Service
let url: string
let closeBrowser: () => Promise<void>
let page: Page
/** What the browser complained about, content security policy included. */
const complaints: string[] = []

before(async () => {
  if (skip) return
  service = await boot(new URL('../../examples/shop/app/', import.meta.url), {
    database: await temporaryDatabase(),
    log: { info() {}, warn() {}, error: (fields) => complaints.push(JSON.stringify(fields)) },
    async seed({ records, users }) {
      for (let number = 1; number <= 14; number += 1) {
        const date = `2026-01-${String(number).padStart(2, '0')} 10:00:00`
        await records.insert({
          type: 'post',
          status: 'publish',
          title: `Story ${number} <b>&</b>`,
          content: `<p>Text ${number}</p>`,
          date,
        })
      }
      await users.create({ login: 'mia', email: 'mia@shop.example', password: 'a long password', role: 'editor' })
    },
  })
  ;({ url } = await service.listen({ port: 0 }))
  const { context, close } = await openChromium()
  closeBrowser = close
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
})

after(async () => {
  await closeBrowser?.()
  await service?.close()
})

test('the front page loads more stories until there are no more', { skip }, async () => {
  await page.goto(`${url}/`)
  assert.equal(await page.locator('.card').count(), 6)
  await page.getByRole('link', { name: 'Load more' }).click()
  await page.locator('.card').nth(11).waitFor()
  await page.getByRole('link', { name: 'Load more' }).click()
  await page.locator('.card').nth(13).waitFor()
  assert.equal(await page.locator('.card').count(), 14)
  assert.equal(await page.getByRole('link', { name: 'Load more' }).count(), 0)
  assert.match((await page.locator('.card').first().textContent()) ?? '', /Story 14 <b>&<\/b>/)
})

test('a story opens at its permalink', { skip }, async () => {
  await page.goto(`${url}/`)
  await page.locator('.card a').first().click()
  await page.getByRole('heading', { name: 'Story 14' }).waitFor()
  assert.match(page.url(), /\/story-14-b-b\/|\/story-14\//)
  assert.match((await page.locator('main').textContent()) ?? '', /Text 14/)
})

test('a person logs in, makes an application password that is shown once, and revokes it', { skip }, async () => {
  await page.goto(`${url}/wp-admin/profile.php`)
  await page.fill('[name=log]', 'mia')
  await page.fill('[name=pwd]', 'a long password')
  await page.getByRole('button', { name: /log in/i }).click()
  await page.waitForURL(/profile\.php/)
  await page.fill('input[name=name]', 'My phone')
  await page.getByRole('button', { name: /create|add/i }).click()
  await page.getByText('The password for My phone').waitFor()
  const shown = (await page.locator('code.secret').textContent()) ?? ''
  assert.match(shown, /^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
  const basic = `Basic ${Buffer.from(`mia:${shown}`).toString('base64')}`
  const me = () => fetch(`${url}/wp-json/shop/v1/items`, { headers: { Authorization: basic } })
  assert.equal((await me()).status, 200)
  await page.goto(`${url}/wp-admin/profile.php`)
  assert.ok(!(await page.content()).includes(shown))
  assert.match((await page.locator('main').innerText()) ?? '', /My phone/)
  await page.locator('summary').filter({ hasText: 'Revoke' }).first().click()
  await page.getByRole('button', { name: 'Revoke My phone' }).click()
  await page.getByText('The application password was revoked.').waitFor()
  assert.equal((await me()).status, 401)
})

test(
  'a script of the page calls REST with cookie and nonce, and is anonymous without the nonce',
  { skip },
  async () => {
    await page.goto(`${url}/`)
    // As text: the compiler that runs the tests leaves helpers in functions, which the page does not have.
    const [named, anonymous, wrong] = await page.evaluate<number[]>(`(async () => {
    const nonce = await (await fetch('/wp-admin/admin-ajax.php?action=rest-nonce')).text()
    const statuses = []
    for (const headers of [{ 'X-WP-Nonce': nonce }, {}, { 'X-WP-Nonce': 'ffffffffff' }]) {
      statuses.push((await fetch('/wp-json/shop/v1/items', { headers })).status)
    }
    return statuses
  })()`)
    assert.deepEqual([named, anonymous, wrong], [200, 401, 403])
  },
)

test('a form of a page sends files to a route that declares them', { skip }, async (t) => {
  const site = await startService([
    endpoint(
      {
        namespace: 'posters/v1',
        route: '/posters',
        method: 'POST',
        permission: 'public',
        args: {
          title: { type: 'string', required: true },
          poster: { type: 'file', required: true, media_types: ['image/png'], max_size: 100 },
          pages: { type: 'array', items: { type: 'file' } },
        },
      },
      (request) => {
        const { title, poster, pages } = request.get_params()
        return { title, poster: [poster.name, poster.type, poster.size], pages: pages?.map(({ name }) => name) ?? null }
      },
    ),
    endpoint({ namespace: 'posters/v1', route: '/form', permission: 'public' }, () => {
      const html = `<!doctype html><title>Posters</title><form method="post" action="posters" enctype="multipart/form-data">
        <input name="title"><input type="file" name="poster"><input type="file" name="pages[]" multiple><button>Send</button></form>`
      return new Response(html, { headers: { 'Content-Type': 'text/html' } })
    }),
  ])
  t.after(() => site.close())
  const png = { name: 'jazz im keller.png', mimeType: 'image/png', buffer: Buffer.from('1234') }
  const send = async (files: readonly (typeof png)[], poster: typeof png | null) => {
    await page.goto(`${site.rest}posters/v1/form`)
    await page.fill('[name=title]', 'Jazz')
    if (poster !== null) await page.setInputFiles('[name=poster]', poster)
    await page.setInputFiles('[name="pages[]"]', [...files])
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/posters$/)
    return JSON.parse((await page.locator('body').textContent()) ?? '') as Record<string, unknown>
  }
  const poster = ['jazz-im-keller.png', 'image/png', 4]
  assert.deepEqual(await send([png, { ...png, name: 'b.png' }], png), {
    title: 'Jazz',
    poster,
    pages: ['jazz-im-keller.png', 'b.png'],
  })
  assert.deepEqual(await send([], png), { title: 'Jazz', poster, pages: null })
  assert.equal((await send([], null))['code'], 'rest_missing_callback_param')
  const large = await send([], { ...png, buffer: Buffer.alloc(101) })
  assert.deepEqual((large['data'] as { params: unknown }).params, { poster: 'poster is larger than 100 bytes.' })
})

test('the console of the browser has only the errors of the four refused requests', { skip }, () => {
  const statuses = complaints.map((text) => /status of (\d+)/.exec(text)?.[1] ?? text)
  assert.deepEqual(statuses, ['401', '403', '400', '400'])
})
