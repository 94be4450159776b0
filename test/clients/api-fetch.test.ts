import imported from '@wordpress/api-fetch'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LibraryApi, type Book } from '../endpoints/library-api.js'
import { openService, signedIn } from '../endpoints/open-service.js'

/** The package's types name the function one level too deep for Node's way of importing it. */
const apiFetch = imported as unknown as typeof imported.default

const hour = 3_600_000
/** An hour into a tick of twelve. */
let now = Date.UTC(2026, 0, 15, 13)

/** More books than one page holds. */
class BigLibraryApi extends LibraryApi {
  override readonly books: Book[] = Array.from({ length: 250 }, (_, index) => ({
    id: index + 1,
    title: `Book ${index + 1}`,
    author: 1,
  }))
}

const site = await openService([BigLibraryApi], { clock: () => now })
const mia = await site.join('mia', 'editor')
const cookie = await signedIn(site.url, 'mia')
const nonceEndpoint = `${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`

/** What the client sent, and what it was answered. */
const exchanges: string[] = []
const nodeFetch = globalThis.fetch

/** A browser's fetch: sends the cookies along. */
before(() => {
  globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Cookie', cookie)
    const response = await nodeFetch(input, { ...init, headers })
    const method = headers.get('x-http-method-override') ?? init?.method ?? 'GET'
    exchanges.push(`${method} ${String(input).replace(site.url, '')} ${response.status}`)
    return response
  }
})

after(async () => {
  globalThis.fetch = nodeFetch
  await site.close()
})

/** As WordPress sets it up in its pages. */
async function setUp() {
  apiFetch.use(apiFetch.createRootURLMiddleware(site.root))
  apiFetch.nonceMiddleware = apiFetch.createNonceMiddleware(await (await fetch(nonceEndpoint)).text())
  apiFetch.use(apiFetch.nonceMiddleware)
  apiFetch.nonceEndpoint = nonceEndpoint
}

before(setUp)

test('cookie and nonce identify the user', async () => {
  const me = await apiFetch<{ id: number; slug: string }>({ path: '/wp/v2/users/me' })
  assert.deepEqual([me.id, me.slug], [mia.id, 'mia'])
})

test('PUT, PATCH and DELETE arrive through a POST', async () => {
  const path = '/library/v1/books/1'
  for (const method of ['PUT', 'PATCH']) {
    const book = await apiFetch<{ title: string; method: string }>({ path, method, data: { title: `by ${method}` } })
    assert.deepEqual([book.title, book.method], [`by ${method}`, method])
  }
  assert.equal(await apiFetch({ path: '/library/v1/books/250', method: 'DELETE' }), null)
  await assert.rejects(apiFetch({ path: '/library/v1/books/250' }), { error: 'Book not found' })
})

test('a new record is sent and comes back', async () => {
  const book = await apiFetch<Book & { tags: string[] }>({
    path: '/library/v1/books',
    method: 'POST',
    data: { title: 'Café "Zwei" / 三', author: 4, tags: ['a', 'b'] },
  })
  assert.deepEqual([book.title, book.author, book.tags], ['Café "Zwei" / 三', 4, ['a', 'b']])
})

test('per_page=-1 collects all pages', async () => {
  exchanges.length = 0
  const books = await apiFetch<Book[]>({ path: '/library/v1/books?per_page=-1&x[]=1' })
  assert.equal(books.length, 250)
  assert.equal(new Set(books.map(({ id }) => id)).size, 250)
  assert.equal(exchanges.length, 3)
  assert.ok(exchanges.every((exchange) => exchange.includes('per_page=100') && exchange.endsWith(' 200')))
})

test('without parsing, the totals are in the headers', async () => {
  const response = await apiFetch({ path: '/library/v1/books', parse: false })
  assert.deepEqual([response.headers.get('X-WP-Total'), response.headers.get('X-WP-TotalPages')], ['250', '125'])
})

test('errors are the codes of WordPress', async () => {
  const path = '/library/v1/books'
  await assert.rejects(apiFetch({ path, method: 'POST', data: {} }), { code: 'rest_missing_callback_param' })
  await assert.rejects(apiFetch({ path: '/library/v1/nowhere' }), { code: 'rest_no_route' })
  await assert.rejects(apiFetch({ path, method: 'POST', data: { title: 'explode' } }), {
    code: 'internal_server_error',
  })
})

test('a batch is a request like others', async () => {
  const { responses } = await apiFetch<{ responses: { status: number }[] }>({
    path: '/batch/v1',
    method: 'POST',
    data: { requests: [{ path: '/library/v1/books', body: { title: 'x' } }, { path: '/nowhere' }] },
  })
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 404],
  )
})

test('a nonce that is a tick old still works, and a fresh one comes back; an expired one is renewed once', async () => {
  now += 12 * hour
  exchanges.length = 0
  const response = await apiFetch({ path: '/wp/v2/users/me', parse: false })
  assert.notEqual(response.headers.get('X-WP-Nonce'), apiFetch.nonceMiddleware?.nonce)
  now += 12 * hour
  const book = await apiFetch<Book>({ path: '/library/v1/books/2', method: 'PUT', data: { title: 'renewed' } })
  assert.equal(book.title, 'renewed')
  assert.deepEqual(exchanges, [
    'GET /wp-json/wp/v2/users/me?_locale=user 200',
    'PUT /wp-json/library/v1/books/2?_locale=user 403',
    'GET /wp-admin/admin-ajax.php?action=rest-nonce 200',
    'PUT /wp-json/library/v1/books/2?_locale=user 200',
  ])
  assert.equal(apiFetch.nonceMiddleware?.nonce, await (await fetch(nonceEndpoint)).text())
})

test('paths that a page preloaded are not requested again', async () => {
  const path = '/library/v1/books/1'
  const enveloped = await nodeFetch(`${site.root}library/v1/books/1?_envelope`)
  const { body, headers } = (await enveloped.json()) as { body: Book; headers: Record<string, string> }
  apiFetch.use(apiFetch.createPreloadingMiddleware({ [path]: { body, headers } }))
  exchanges.length = 0
  assert.deepEqual(await apiFetch({ path }), body)
  assert.deepEqual(exchanges, [])
  assert.deepEqual((await apiFetch<Book>({ path })).id, 1)
  assert.equal(exchanges.length, 1)
})
