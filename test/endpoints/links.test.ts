import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { LibraryApi } from './library-api.js'
import { openService } from './open-service.js'

class KeyApi {
  @AsRestRoute({ namespace: 'key/v1', route: '/mine', permission: 'public' })
  mine({ root }: RestRequest) {
    const href = `${root}wp/v2/users/me/application-passwords/introspect`
    return new RestResponse({}).addLink('key', href, { embeddable: true })
  }
}

const site = await openService([LibraryApi, KeyApi])
after(() => site.close())
const mia = await site.join('mia', 'editor')
const { root } = site
const authors = `${root}library/v1/authors/`

const linksOf = (allow: readonly string[], id = 1) => ({
  self: [{ href: `${root}library/v1/books/${id}`, targetHints: { allow } }],
  collection: [{ href: `${root}library/v1/books` }],
  siblings: [{ embeddable: true, title: 'Others', href: `${root}library/v1/books?page=1` }],
  elsewhere: [{ embeddable: true, href: 'https://elsewhere.example/books' }],
  'wp:author': [{ embeddable: true, href: `${authors}1` }],
  'wp:nobody': [{ embeddable: true, href: `${authors}5` }, { href: `${authors}6` }],
  curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
})

test('links stand in the body, relations of api.w.org last and shortened, with what the caller may do at self', async () => {
  const { body } = await site.call('GET', '/library/v1/books/1')
  const { _links, ...book } = body as { _links: object }
  assert.deepEqual(book, { id: 1, title: 'Book 1', author: 1 })
  assert.equal(JSON.stringify(_links), JSON.stringify(linksOf(['GET'])))
  const asMia = await site.call('GET', '/library/v1/books/1', { as: mia.headers })
  assert.deepEqual((asMia.body as { _links: object })._links, linksOf(['GET', 'PUT', 'PATCH', 'DELETE']))
})

test('items of a list carry their own links', async () => {
  const { body } = await site.call('GET', '/library/v1/books?page=2')
  assert.deepEqual(body, [
    { id: 3, title: 'Book 3', author: 1, _links: linksOf(['GET'], 3) },
    { id: 4, title: 'Book 4', author: 1, _links: linksOf(['GET'], 4) },
  ])
})

const bodies: [kind: string, body: unknown][] = [
  ['nothing', { _links: { up: [{ href: root }] } }],
  ['list', { 0: 1, 1: 2, _links: { up: [{ href: root }] } }],
  ['text', 'text'],
]

for (const [kind, expected] of bodies)
  test(`the link of a body that is ${kind}`, async () => {
    assert.deepEqual((await site.call('GET', `/library/v1/odd/${kind}`)).body, expected)
  })

const selections: [query: string, keys: readonly string[]][] = [
  // The links of a response are not reached by `_fields`, those of the items of a list are (docs/wire.md#_fields).
  ['/library/v1/books/1?_fields=title', ['title', '_links']],
  ['/library/v1/books?per_page=1&_fields=title', ['title']],
  ['/library/v1/books?per_page=1&_fields=title,_links', ['title', '_links']],
]

for (const [path, keys] of selections)
  test(`${path} keeps ${keys.join(' and ')}`, async () => {
    const { body } = await site.call('GET', path)
    assert.deepEqual(Object.keys(Array.isArray(body) ? body[0] : (body as object)), keys)
  })

const nobody = { error: 'Author not found' }
const author = { id: 1, context: 'embed', header: null, caller: 0 }

const embeds: [query: string, embedded: readonly string[] | null][] = [
  ['', null],
  ['_embed', ['siblings', 'wp:author', 'wp:nobody']],
  ['_embed=1', ['siblings', 'wp:author', 'wp:nobody']],
  ['_embed=0', ['siblings', 'wp:author', 'wp:nobody']],
  ['_embed=true', ['siblings', 'wp:author', 'wp:nobody']],
  ['_embed=,', ['siblings', 'wp:author', 'wp:nobody']],
  ['_embed=wp:author', ['wp:author']],
  ['_embed=siblings,wp:author', ['siblings', 'wp:author']],
  ['_embed[]=wp:author&_embed[]=wp:nobody', ['wp:author', 'wp:nobody']],
  ['_embed=author', null],
  ['_embed=elsewhere', null],
  ['_embed=collection', null],
]

for (const [query, expected] of embeds)
  test(`?${query} embeds ${expected?.join(', ') ?? 'nothing'}`, async () => {
    const { body } = await site.call('GET', `/library/v1/books/1?${query}`)
    const { _embedded } = body as { _embedded?: object }
    assert.deepEqual(_embedded && Object.keys(_embedded), expected ?? undefined)
  })

test('an embedded link has the response of its address, an error included; a link that may not be embedded leaves its place', async () => {
  const { body } = await site.call('GET', '/library/v1/books/1?_embed=wp:author,wp:nobody', {
    as: { 'X-Test': 'outer' },
  })
  const { _embedded } = body as { _embedded: unknown }
  assert.deepEqual(_embedded, { 'wp:author': [author], 'wp:nobody': [nobody, []] })
})

test('a list is embedded at its longest, with links and without further embedding', async () => {
  const { body } = await site.call('GET', '/library/v1/books/1?_embed=siblings')
  const { _embedded } = body as { _embedded: { siblings: object[][] } }
  assert.equal(_embedded.siblings[0]?.length, 5)
  assert.deepEqual(Object.keys(_embedded.siblings[0]?.[0] ?? {}), ['id', 'title', 'author', '_links'])
})

test('each item of a list is embedded for itself, as the same caller', async () => {
  const { body } = await site.call('GET', '/library/v1/books?_embed=wp:author', { as: mia.headers })
  const embedded = (body as { _embedded: object }[]).map(({ _embedded }) => _embedded)
  const mine = { 'wp:author': [{ ...author, caller: mia.id }] }
  assert.deepEqual(embedded, [mine, mine])
})

test('an embedded request has the application password of the request around it', async () => {
  const { body } = await site.call('GET', '/key/v1/mine?_embed', { as: mia.headers })
  const { _embedded } = body as { _embedded: { key: { uuid: string }[] } }
  assert.equal(_embedded.key[0]?.uuid, mia.uuid)
})

test('a failing embedded response does not fail the response with the link', async () => {
  const { status, body } = await site.call('GET', '/library/v1/books/5?_embed=wp:author')
  assert.equal(status, 200)
  const { _embedded } = body as { _embedded: { 'wp:author': { code: string }[] } }
  assert.equal(_embedded['wp:author'][0]?.code, 'internal_server_error')
})

test('an envelope holds links and what they lead to', async () => {
  const { body } = await site.call('GET', '/library/v1/books/1?_embed=wp:author&_envelope')
  const { body: inner, headers } = body as { body: object; headers: object }
  assert.deepEqual(Object.keys(inner), ['id', 'title', 'author', '_links', '_embedded'])
  assert.deepEqual(headers, { Allow: 'GET' })
})

test('an envelope has the numbers of a list as integers, as those of WordPress have them', async () => {
  const { body } = await site.call('GET', '/library/v1/books?page=2&per_page=2&_envelope')
  const { headers } = body as { headers: Record<string, unknown> }
  assert.deepEqual([headers['X-WP-Total'], headers['X-WP-TotalPages'], headers['Allow']], [5, 3, 'GET'])
})

test('a page says how many there are, and leads to those before and after', async () => {
  const { headers } = await site.call('GET', '/library/v1/books?page=2&per_page=2&_fields=id', {
    as: { Host: 'evil.example' },
  })
  assert.equal(headers.get('x-wp-total'), '5')
  assert.equal(headers.get('x-wp-totalpages'), '3')
  const page = (number: number) => `<${root}library/v1/books?page=${number}&per_page=2&_fields=id>`
  assert.equal(headers.get('link'), `${page(1)}; rel="prev", ${page(3)}; rel="next"`)
  const whole = await site.call('GET', '/library/v1/books/1')
  assert.equal(whole.headers.get('link'), `<${root}>; rel="https://api.w.org/"`)
})
