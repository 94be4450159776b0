import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signedIn } from '../endpoints/open-service.js'
import { emptyFolder, endAll, removeFolders, serve, shop } from './command-line.js'
import { withoutResponseCache } from '../support/response-cache.js'

after(() => {
  endAll()
  removeFolders()
})

const cwd = emptyFolder()
const start = () =>
  serve([shop, '--port', '0', '--database', 'sqlite:x.sqlite', '--base-url', 'http://shop.example'], { cwd })
const processes = [await start(), await start()] as const
const [first, second] = processes

const firstLogin = readFileSync(join(cwd, 'first-login.txt'), 'utf8')
const credential = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(firstLogin)?.[1] ?? ''
const basic = (password: string) => ({ Authorization: `Basic ${btoa(`${credential('login')}:${password}`)}` })
const administrator = basic(credential('application_password'))

async function send(url: string, method: string, path: string, body?: object) {
  const headers = { ...administrator, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/wp-json${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) }
}

/** The request has no credentials, so that the response may come from the cache. */
const listAt = (url: string) => fetch(`${url}/wp-json/shop/v1/products?per_page=100`)

async function titlesAt(url: string): Promise<readonly string[]> {
  const response = await listAt(url)
  return ((await response.json()) as { title: string }[]).map(({ title }) => title)
}

const meAt = async (url: string, headers: Record<string, string>) =>
  (await fetch(`${url}/wp-json/wp/v2/users/me`, { headers })).status

test('a write by one of two processes is visible in the next response of the other, also when responses are cached', async () => {
  for (const [writer, reader] of [
    [first, second],
    [second, first],
  ] as const) {
    for (const title of ['One', 'Two', 'Three']) {
      const cacheControl = (await listAt(reader.url)).headers.get('Cache-Control') ?? ''
      if (withoutResponseCache === false) assert.match(cacheControl, /^public/)
      const before = await titlesAt(reader.url)
      assert.deepEqual(await titlesAt(reader.url), before)
      const created = await send(writer.url, 'POST', '/shop/v1/products', { title, price: 1 })
      assert.equal(created.status, 201)
      assert.deepEqual((await titlesAt(reader.url)).toSorted(), [...before, title].toSorted())
      const path = `/shop/v1/products/${String(created.body?.['id'])}`
      await send(writer.url, 'PUT', path, { title: `${title} changed` })
      assert.equal((await send(reader.url, 'GET', path)).body?.['title'], `${title} changed`)
      await send(writer.url, 'DELETE', path)
      assert.equal((await send(reader.url, 'GET', path)).status, 404)
      assert.deepEqual(await titlesAt(reader.url), before)
    }
  }
})

test('concurrent writes by two processes are all stored', async () => {
  const before = await titlesAt(first.url)
  const titles = Array.from({ length: 10 }, (_, index) => `Product ${index}`)
  const responses = await Promise.all(
    processes.flatMap(({ url }) => titles.map((title) => send(url, 'POST', '/shop/v1/products', { title, price: 1 }))),
  )
  assert.ok(responses.every(({ status }) => status === 201))
  assert.equal(new Set(responses.map(({ body }) => body?.['id'])).size, 20)
  for (const { url } of processes)
    assert.deepEqual((await titlesAt(url)).toSorted(), [...before, ...titles, ...titles].toSorted())
})

test('a session of one process is valid in the other', async () => {
  const cookie = await signedIn(first.url, credential('login'), credential('password'))
  const response = await fetch(`${first.url}/wp-admin/admin-ajax.php?action=rest-nonce`, {
    headers: { Cookie: cookie },
  })
  assert.equal(await meAt(second.url, { Cookie: cookie, 'X-WP-Nonce': await response.text() }), 200)
})

test('an application password that one process creates is valid in the other until it is revoked', async () => {
  const path = '/wp/v2/users/me/application-passwords'
  const { body } = await send(first.url, 'POST', path, { name: 'Scanner' })
  const scanner = basic(String(body?.['password']))
  assert.equal(await meAt(second.url, scanner), 200)
  await send(first.url, 'DELETE', `${path}/${String(body?.['uuid'])}`)
  assert.equal(await meAt(second.url, scanner), 401)
})

test('each process counts failed logins separately', async () => {
  const wrongLogin = async (url: string) => {
    const body = new URLSearchParams({ log: 'stranger', pwd: 'wrong' })
    return (await fetch(`${url}/wp-login.php`, { method: 'POST', body, redirect: 'manual' })).status
  }
  for (let count = 0; count < 10; count += 1) assert.equal(await wrongLogin(first.url), 200)
  assert.equal(await wrongLogin(first.url), 429)
  assert.equal(await wrongLogin(second.url), 200)
})

test('a process continues to serve when the other one is killed', async () => {
  const before = await titlesAt(first.url)
  const { body } = await send(second.url, 'POST', '/shop/v1/products', { title: 'Last', price: 1 })
  assert.equal(await second.end('SIGKILL'), null)
  assert.deepEqual((await titlesAt(first.url)).toSorted(), [...before, 'Last'].toSorted())
  assert.equal((await send(first.url, 'DELETE', `/shop/v1/products/${String(body?.['id'])}`)).status, 204)
  assert.equal(await first.end('SIGTERM'), 0)
})
