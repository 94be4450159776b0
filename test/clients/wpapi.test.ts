import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import WPAPI, { type Body } from 'wpapi'
import { LibraryApi } from '../endpoints/library-api.js'
import { openService, signedIn } from '../endpoints/open-service.js'

const site = await openService([LibraryApi])
after(() => site.close())
const mia = await site.join('mia', 'editor')
const credentials = { username: 'mia', password: mia.password }

/** A client with a method for the books, as its documentation shows. */
const withBooks = (api: WPAPI) => Object.assign(api, { books: api.registerRoute('library/v1', '/books/(?P<id>\\d+)') })

const titlesOf = (body: Body) => (body as unknown as { title: string }[]).map(({ title }) => title)

test('the site is discovered from its front page, and its routes from the index', async () => {
  const api = await WPAPI.discover(site.url)
  const book = await api.namespace('library/v1').books().id(3)
  assert.deepEqual([book['id'], book['title']], [3, 'Book 3'])
})

test('a page of a list links to the next and the previous page', async () => {
  const api = await WPAPI.discover(site.url)
  const second = await api.namespace('library/v1').books().perPage(2).page(2)
  assert.deepEqual(titlesOf(second), ['Book 3', 'Book 4'])
  assert.deepEqual([second._paging?.total, second._paging?.totalPages], [5, 3])
  const third = await second._paging?.next?.get()
  assert.deepEqual(third && titlesOf(third), ['Book 5'])
  assert.equal(third?._paging?.next, undefined)
  const first = await second._paging?.prev?.get()
  assert.deepEqual(first && titlesOf(first), ['Book 1', 'Book 2'])
})

test('a route registered by hand, with Basic credentials, reads and writes', async () => {
  const api = withBooks(new WPAPI({ endpoint: site.root })).auth(credentials)
  const book = await api.books().create({ title: 'New', tags: ['a', 'b'] })
  assert.deepEqual([book['title'], book['tags']], ['New', ['a', 'b']])
  const id = Number(book['id'])
  const renamed = await api.books().id(id).update({ title: 'Newer' })
  assert.deepEqual([renamed['title'], renamed['method']], ['Newer', 'PUT'])
  const embedding = await api.books().id(id).embed()
  assert.ok(embedding['_embedded'])
  await api.books().id(id).delete()
  await assert.rejects(api.books().id(id).get(), { status: 404 })
})

test('without credentials a write is refused, with wrong ones too', async () => {
  const post = (api: WPAPI) => withBooks(api).books().create({ title: 'x' })
  assert.equal(await refusalOf(post(new WPAPI({ endpoint: site.root }))), 'rest_forbidden')
  const wrong = new WPAPI({ endpoint: site.root }).auth({ ...credentials, password: 'wrong' })
  assert.equal(await refusalOf(post(wrong)), 'incorrect_password')
})

/** What the client rejects with is the body of the response, when it has a code. */
async function refusalOf(request: Promise<unknown>): Promise<unknown> {
  const rejected = await request.then(
    () => null,
    (body: unknown) => body as { code?: string },
  )
  return rejected?.code
}

test('a nonce and the cookies of a browser will do', async () => {
  const cookie = await signedIn(site.url, 'mia')
  const response = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie: cookie } })
  const api = new WPAPI({ endpoint: site.root, nonce: await response.text() })
  const me = await api.users().me().param('context', 'edit').setHeaders('Cookie', cookie)
  assert.equal(me['username'], 'mia')
})
