import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { EmptyApi } from './empty-api.js'
import { openService } from './open-service.js'

const site = await openService([EmptyApi], { clock: () => Date.UTC(2026, 0, 15, 12) })
after(() => site.close())
const mia = await site.join('mia', 'editor')

const embedded = ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls']
const edited = (
  'id username name first_name last_name email url description link locale nickname slug roles ' +
  'registered_date capabilities extra_capabilities avatar_urls meta'
).split(' ')

const shapes: [query: string, keys: readonly string[]][] = [
  ['', [...embedded, 'meta', '_links']],
  ['?context=view', [...embedded, 'meta', '_links']],
  ['?context=embed', [...embedded, '_links']],
  ['?context=edit', [...edited, '_links']],
]

for (const [query, keys] of shapes)
  test(`GET /wp/v2/users/me${query} says who the caller is, in WordPress's fields and their order`, async () => {
    const { status, headers, body } = await site.call('GET', `/wp/v2/users/me${query}`, { as: mia.headers })
    assert.equal(status, 200)
    assert.equal(headers.get('allow'), 'GET')
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.deepEqual(Object.keys(body as object), keys)
  })

test('what is told is what is stored', async () => {
  const { body } = await site.call('GET', '/wp/v2/users/me?context=edit', { as: mia.headers })
  const { capabilities, _links, ...rest } = body as Record<string, unknown>
  assert.deepEqual(rest, {
    id: mia.id,
    username: 'mia',
    name: 'mia',
    first_name: '',
    last_name: '',
    email: 'mia@shop.example',
    url: '',
    description: '',
    link: `${site.url}/author/mia/`,
    locale: 'en_US',
    nickname: 'mia',
    slug: 'mia',
    roles: ['editor'],
    registered_date: '2026-01-15T12:00:00+00:00',
    extra_capabilities: { editor: true },
    avatar_urls: {},
    meta: [],
  })
  const granted = capabilities as Record<string, boolean>
  assert.deepEqual(
    ['edit_posts', 'editor', 'manage_options', 'exist', 'install_languages'].map((name) => granted[name]),
    [true, true, undefined, undefined, undefined],
  )
  assert.deepEqual(_links, {
    self: [{ href: `${site.root}wp/v2/users/${mia.id}` }],
    collection: [{ href: `${site.root}wp/v2/users` }],
  })
})

test('a visitor is told that he is not logged in', async () => {
  const { status, headers, body } = await site.call('GET', '/wp/v2/users/me')
  assert.equal(status, 401)
  assert.equal(headers.get('allow'), 'GET')
  assert.deepEqual(body, {
    code: 'rest_not_logged_in',
    message: 'You are not currently logged in.',
    data: { status: 401 },
  })
})

test('wrong credentials and odd contexts are refused', async () => {
  const wrong = { Authorization: `Basic ${btoa('mia:wrong')}` }
  assert.equal((await site.call('GET', '/wp/v2/users/me', { as: wrong })).status, 401)
  const odd = await site.call('GET', '/wp/v2/users/me?context=help', { as: mia.headers })
  assert.equal((odd.body as { code: string }).code, 'rest_invalid_param')
})

test('the index shows the route as it shows all others', async () => {
  const { body } = await site.call('GET', '/')
  const { namespaces, routes } = body as { namespaces: string[]; routes: Record<string, unknown> }
  assert.ok(namespaces.includes('wp/v2'))
  assert.ok(Object.hasOwn(routes, '/wp/v2/users/me'))
})
