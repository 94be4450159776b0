import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { EmptyApi } from './empty-api.js'
import { Users } from '../../src/index.js'
import { openService, signedIn, type Answered, type Member } from './open-service.js'

let now = Date.UTC(2026, 0, 15, 12)
const site = await openService([EmptyApi], { clock: () => now })
after(() => site.close())
const mia = await site.join('mia', 'editor')
const tia = await site.join('tia', 'editor')
const root = await site.join('root', 'administrator')

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
    assert.equal(headers.get('allow'), 'GET, POST, PUT, PATCH')
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.deepEqual(Object.keys(body as object), keys)
  })

const avatar = (size: number) =>
  `https://secure.gravatar.com/avatar/${createHash('sha256').update('mia@shop.example').digest('hex')}?s=${size}&d=mm&r=g`

test('the response contains the stored values', async () => {
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
    avatar_urls: Object.fromEntries([24, 48, 96].map((size) => [size, avatar(size)])),
    meta: { persisted_preferences: [] },
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

test('the pictures follow the options of the site, and there are none where it shows none', async (context) => {
  const members = async (options: Readonly<Record<string, string>>) => {
    const own = await openService([EmptyApi], {
      seed: async (tools) => {
        for (const [name, value] of Object.entries(options)) await tools.options.set(name, value)
      },
    })
    context.after(() => own.close())
    const { headers } = await own.join('mia', 'editor')
    return Promise.all(
      ['view', 'edit', 'embed'].map(async (name) => {
        const { body } = await own.call('GET', `/wp/v2/users/me?context=${name}`, { as: headers })
        return (body as { avatar_urls?: Record<string, string> }).avatar_urls
      }),
    )
  }
  assert.deepEqual(await members({ show_avatars: '0' }), [undefined, undefined, undefined])
  const [inView, ...others] = await members({ avatar_default: 'retro', avatar_rating: 'PG' })
  assert.equal(inView?.['96'], avatar(96).replace('d=mm&r=g', 'd=retro&r=pg'))
  for (const other of others) assert.deepEqual(other, inView)
})

test('an anonymous caller gets 401 rest_not_logged_in', async () => {
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

test('the locale of a user who has chosen none is that of the site', async (context) => {
  const german = await openService([EmptyApi], { seed: ({ options }) => options.set('WPLANG', 'de_DE') })
  context.after(() => german.close())
  const { headers } = await german.join('uta', 'editor')
  const localeOf = ({ body }: Answered) => (body as { locale: string }).locale
  const path = '/wp/v2/users/me?context=edit'
  assert.equal(localeOf(await german.call('GET', path, { as: headers })), 'de_DE')
  assert.equal(localeOf(await german.call('POST', path, { as: headers, json: { locale: 'en_US' } })), 'en_US')
  assert.equal(localeOf(await german.call('GET', path, { as: headers })), 'en_US')
  assert.equal(localeOf(await german.call('POST', path, { as: headers, json: { locale: '' } })), 'de_DE')
})

const change = (member: Member | null, json: object, method = 'POST', query = '') =>
  site.call(method, `/wp/v2/users/me${query}`, { as: member?.headers ?? {}, json })
const outcomeOf = ({ status, body }: Answered) => [status, (body as { code?: string }).code]
const fieldOf = ({ body }: Answered, name: string) => (body as Record<string, unknown>)[name]

const stored: [field: string, sent: string | null, expected: string][] = [
  ['name', ' <b>Tia</b>  & "Co" ', 'Tia &amp; "Co"'],
  ['name', '', 'tia'],
  ['name', '0', 'tia'],
  ['nickname', null, 'tia'],
  ['nickname', "O'T\\", "O'T\\"],
  ['first_name', 'a\nb', 'a b'],
  ['last_name', '0', ''],
  ['description', '<p>a</p>\n<strong>b</strong>', 'a\n<strong>b</strong>'],
  ['url', 'tia.example/?a=1&b=2', 'http://tia.example/?a=1&amp;b=2'],
  ['url', 'javascript:alert(1)', ''],
  ['email', 'new-tia@shop.example', 'new-tia@shop.example'],
  ['slug', 'Tía Code', 'tia-code'],
  ['slug', '', 'tia'],
  ['locale', 'en_US', 'en_US'],
  ['username', 'tia', 'tia'],
]
for (const [field, sent, expected] of stored)
  test(`${field} ${JSON.stringify(sent)} is stored as ${JSON.stringify(expected)}`, async () => {
    const changed = await change(tia, { [field]: sent })
    assert.deepEqual([changed.status, fieldOf(changed, field)], [200, expected])
    const { body } = await site.call('GET', '/wp/v2/users/me?context=edit', { as: tia.headers })
    assert.deepEqual(body, changed.body)
  })

const refused: [who: Member | null, json: object, status: number, code: string][] = [
  [null, { name: 'x' }, 404, 'rest_user_invalid_id'],
  [null, { name: 1 }, 400, 'rest_invalid_param'],
  [tia, { email: 'nowhere' }, 400, 'rest_invalid_param'],
  [tia, { email: null }, 400, 'rest_invalid_param'],
  [tia, { email: 'MIA@shop.example' }, 400, 'rest_user_invalid_email'],
  [tia, { username: 'other' }, 400, 'rest_user_invalid_argument'],
  [tia, { username: 'Tía' }, 400, 'rest_invalid_param'],
  [tia, { slug: 'mia' }, 400, 'rest_user_invalid_slug'],
  [tia, { slug: '日本' }, 400, 'empty_user_nicename'],
  [tia, { slug: 'x'.repeat(60) }, 400, 'user_nicename_too_long'],
  [tia, { url: `http://${'x'.repeat(100)}.example` }, 400, 'user_url_too_long'],
  [tia, { name: 'x'.repeat(251) }, 400, 'display_name_too_long'],
  [tia, { locale: 'de_DE' }, 400, 'rest_invalid_param'],
  [tia, { password: '' }, 400, 'rest_invalid_param'],
  [tia, { password: 'a\\b' }, 400, 'rest_invalid_param'],
  [tia, { meta: 'x' }, 400, 'rest_invalid_param'],
  [null, { meta: { persisted_preferences: 'x' } }, 404, 'rest_user_invalid_id'],
  [tia, { meta: { persisted_preferences: 'x' }, slug: 'mia' }, 400, 'rest_user_invalid_slug'],
  [tia, { meta: { persisted_preferences: 'x' }, first_name: 'Tia' }, 400, 'rest_invalid_type'],
  [tia, { meta: { persisted_preferences: { _modified: 'x' } } }, 400, 'rest_invalid_date'],
  [tia, { roles: ['administrator'] }, 403, 'rest_cannot_edit_roles'],
  [root, { roles: ['queen'] }, 400, 'rest_user_invalid_role'],
  [root, { roles: ['editor'] }, 403, 'rest_user_invalid_role'],
]
for (const [who, json, status, code] of refused)
  test(`${who ? `user ${who.id}` : 'a visitor'} who sends ${JSON.stringify(json).slice(0, 60)} is refused: ${code}`, async () => {
    const before = who && (await site.call('GET', '/wp/v2/users/me?context=edit', { as: who.headers })).body
    assert.deepEqual(outcomeOf(await change(who, json)), [status, code])
    if (who)
      assert.deepEqual((await site.call('GET', '/wp/v2/users/me?context=edit', { as: who.headers })).body, before)
  })

test('arguments are validated by their schema first, and then by their own rules', async () => {
  const message = async (json: object) => fieldOf(await change(tia, json), 'message')
  const bad = { username: 'Tía', password: '' }
  assert.equal(await message({ email: 'no', name: 1, ...bad }), 'Invalid parameter(s): name, email')
  assert.equal(await message(bad), 'Invalid parameter(s): username, password')
})

test('PUT, PATCH and an overridden POST change a user too', async () => {
  for (const [method, query, name] of [
    ['PUT', '', 'One'],
    ['PATCH', '', 'Two'],
    ['POST', '?_method=PUT', 'Three'],
  ] as const)
    assert.equal(fieldOf(await change(tia, { name }, method, query), 'name'), name)
})

test('an administrator may send the own role again, and every user may give up all roles', async () => {
  const zoe = await site.join('zoe', 'administrator')
  const sameRole = await change(zoe, { roles: ['administrator'] })
  assert.deepEqual(fieldOf(sameRole, 'roles'), ['administrator'])
  assert.equal(sameRole.headers.get('allow'), 'GET, POST, PUT, PATCH, DELETE')
  const withoutRoles = await change(zoe, { roles: [] })
  assert.deepEqual(fieldOf(withoutRoles, 'roles'), [])
  // `Allow` follows the caller as identified when the request began, as in WordPress.
  assert.equal(withoutRoles.headers.get('allow'), 'GET, POST, PUT, PATCH, DELETE')
  const next = await site.call('GET', '/wp/v2/users/me', { as: zoe.headers })
  assert.equal(next.headers.get('allow'), 'GET, POST, PUT, PATCH')
})

test('the preferences of the block editor are kept', async () => {
  const preferences = { _modified: '2026-01-01T00:00:00.000Z', core: { open: ['a', 1], more: { x: true } } }
  const changed = await change(tia, { meta: { persisted_preferences: preferences } })
  assert.deepEqual(fieldOf(changed, 'meta'), { persisted_preferences: preferences })
  assert.deepEqual(fieldOf(await change(tia, { meta: null }), 'meta'), { persisted_preferences: preferences })
  for (const none of [{}, null]) {
    await change(tia, { meta: { persisted_preferences: preferences } })
    const emptied = await change(tia, { meta: { persisted_preferences: none, other: 1 } })
    assert.deepEqual(fieldOf(emptied, 'meta'), { persisted_preferences: [] })
  }
})

test('invalid preferences and a reassign that is no id are refused in the words of WordPress', async () => {
  assert.deepEqual((await change(tia, { meta: { persisted_preferences: { _modified: 5 } } })).body, {
    code: 'rest_invalid_type',
    message: 'meta.persisted_preferences[_modified] is not of type string.',
    data: { status: 400 },
    additional_data: [{ param: 'meta.persisted_preferences[_modified]' }],
  })
  const path = '/wp/v2/users/me?reassign=x&force=x'
  const { body } = await site.call('DELETE', path, { as: root.headers })
  const { message, data } = body as { message: string; data: { params: object } }
  assert.equal(message, 'Invalid parameter(s): reassign, force')
  assert.deepEqual(data.params, { reassign: 'Invalid user parameter(s).', force: 'force is not of type boolean.' })
})

test('a new password ends the other sessions, renews that of the request, and keeps application passwords', async () => {
  const ida = await site.join('ida', 'author')
  const [own, other] = [await browser('ida'), await browser('ida')]
  const changed = await site.call('POST', '/wp/v2/users/me', { as: own, json: { password: 'another one' } })
  assert.equal(changed.status, 200)
  const Cookie = changed.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  assert.match(Cookie, /wordpress_logged_in_/)
  const status = async (as: Record<string, string>) => (await site.call('GET', '/wp/v2/users/me', { as })).status
  assert.equal(await status({ ...own, Cookie }), 200, 'the renewed cookie, with the same nonce')
  assert.equal(await status(own), 403)
  assert.equal(await status(other), 403)
  assert.equal(await status(ida.headers), 200)
  const byProgram = await change(ida, { password: 'a third one' })
  assert.equal(await status({ ...own, Cookie }), 403)
  assert.equal(await isLoggedIn(byProgram), true, 'a new login, as in WordPress')
  assert.equal(await status(ida.headers), 200)
})

test('after a new password the session lasts as long as its cookie', async () => {
  const leo = await site.join('leo', 'author')
  const hour = 3_600_000
  const begun = now
  try {
    const own = await browser('leo')
    now += 40 * hour
    // The nonce of the login has expired.
    const nonce = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: own })
    const as = { ...own, 'X-WP-Nonce': await nonce.text() }
    const changed = await site.call('POST', '/wp/v2/users/me', { as, json: { password: 'another one' } })
    assert.equal(changed.status, 200)
    now += 47 * hour
    assert.equal(await isLoggedIn(changed), true)
    now += 2 * hour
    assert.equal(await isLoggedIn(changed), false)
    assert.equal((await site.call('GET', '/wp/v2/users/me', { as: leo.headers })).status, 200)
  } finally {
    now = begun
  }
})

test('the login after a change of the password is of that password, whatever was stored since', async (context) => {
  await site.join('uma', 'author')
  const own = await browser('uma')
  const update = Users.prototype.update
  context.mock.method(
    Users.prototype,
    'update',
    async function (this: Users, ...[id, ...rest]: Parameters<typeof update>) {
      await update.call(this, id, ...rest)
      // Another request changes the password before the response to the first is made.
      await update.call(this, id, { password: 'the later one' }, { keptSession: tokenOf(own) })
    },
  )
  const changed = await site.call('POST', '/wp/v2/users/me', { as: own, json: { password: 'the earlier one' } })
  assert.equal(changed.status, 200)
  assert.equal(await isLoggedIn(changed), false)
})

/** Whether the cookies of a response are those of a valid login. */
async function isLoggedIn({ headers }: Answered): Promise<boolean> {
  const Cookie = headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  assert.match(Cookie, /wordpress_logged_in_/)
  const { status } = await fetch(`${site.url}/wp-admin/profile.php`, { headers: { Cookie }, redirect: 'manual' })
  return status === 200
}

/** The token of the session in a browser's cookies. */
function tokenOf({ Cookie = '' }: Record<string, string>): string {
  return decodeURIComponent(/wordpress_logged_in_[^=]*=([^;]*)/.exec(Cookie)?.[1] ?? '').split('|')[2] ?? ''
}

async function browser(login: string): Promise<Record<string, string>> {
  const Cookie = await signedIn(site.url, login)
  const response = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie } })
  return { Cookie, 'X-WP-Nonce': await response.text() }
}

const deletions: [who: Member | null, query: string, status: number, code: string][] = [
  [null, '', 400, 'rest_missing_callback_param'],
  [null, 'force=true&reassign=1', 404, 'rest_user_invalid_id'],
  [tia, 'force=true&reassign=1', 403, 'rest_user_cannot_delete'],
  [root, 'reassign=1', 501, 'rest_trash_not_supported'],
  [root, 'force=true&reassign=abc', 400, 'rest_invalid_param'],
  [root, 'force=true&reassign=false', 400, 'rest_invalid_param'],
  [root, 'force=true&reassign=', 400, 'rest_invalid_param'],
  [root, 'force=true&reassign=999', 400, 'rest_user_invalid_reassign'],
  [root, `force=true&reassign=${root.id}`, 400, 'rest_user_invalid_reassign'],
]
for (const [who, query, status, code] of deletions)
  test(`DELETE /wp/v2/users/me?${query} by ${who ? `user ${who.id}` : 'a visitor'} is ${status} ${code}`, async () => {
    const answered = await site.call('DELETE', `/wp/v2/users/me?${query}`, { as: who?.headers ?? {} })
    assert.deepEqual(outcomeOf(answered), [status, code])
  })

test('an administrator deletes the own user', async () => {
  const max = await site.join('max', 'administrator')
  const path = `/wp/v2/users/me?force=true&reassign=${root.id}`
  const { status, headers, body } = await site.call('DELETE', path, { as: max.headers })
  const { deleted, previous } = body as { deleted: boolean; previous: Record<string, unknown> }
  assert.deepEqual([status, headers.get('allow'), deleted], [200, 'GET', true])
  assert.deepEqual(Object.keys(previous), edited)
  assert.equal((await site.call('GET', '/wp/v2/users/me', { as: max.headers })).status, 401)
})

test('_fields selects no part of a member of a user', async () => {
  const selected = async (fields: string) =>
    (await site.call('GET', `/wp/v2/users/me?context=edit&_fields=${fields}`, { as: mia.headers })).body
  assert.deepEqual(await selected('capabilities.read,avatar_urls.24,meta.persisted_preferences,name.x'), [])
  assert.deepEqual(await selected('id.x,name,meta.persisted_preferences'), { id: mia.id, name: 'mia' })
  const { capabilities } = (await selected('capabilities,capabilities.read')) as { capabilities: object }
  assert.ok(Object.keys(capabilities).length > 1)
})

test('of a deleted user, _fields selects the id with previous, and other members by their names', async () => {
  for (const [fields, previous] of [
    ['previous', ['id']],
    ['previous.name', []],
    ['previous,name,meta', ['id', 'name', 'meta']],
  ] as const) {
    const user = await site.join(`gone-${previous.length}`, 'administrator')
    const path = `/wp/v2/users/me?force=true&reassign=0&_fields=${fields}`
    const { body } = await site.call('DELETE', path, { as: user.headers })
    assert.deepEqual(Object.keys((body as { previous: object }).previous), previous)
  }
})

test('links are there where _fields selects them', async () => {
  const keys = async (query: string) =>
    Object.keys((await site.call('GET', `/wp/v2/users/me?${query}`, { as: mia.headers })).body as object)
  assert.deepEqual(await keys('_fields=name'), ['name'])
  assert.deepEqual(await keys('_fields=_links.self,name'), ['name', '_links'])
})

test('OPTIONS describes arguments and the user as WordPress does', async () => {
  const { body, headers } = await site.call('OPTIONS', '/wp/v2/users/me', { as: tia.headers })
  assert.equal(headers.get('allow'), 'GET, POST, PUT, PATCH')
  const { methods, endpoints, schema } = body as {
    methods: string[]
    endpoints: { methods: string[]; args: Record<string, unknown> }[]
    schema: { title: string; properties: Record<string, unknown> }
  }
  assert.deepEqual(methods, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  assert.deepEqual(
    endpoints.map((endpoint) => endpoint.methods),
    [['GET'], ['POST', 'PUT', 'PATCH'], ['DELETE']],
  )
  assert.deepEqual(endpoints[1]?.args['email'], {
    description: 'The email address for the user.',
    type: 'string',
    format: 'email',
    required: false,
  })
  assert.equal(schema.title, 'user')
  const members = edited.filter((name) => name !== '_links')
  assert.deepEqual(Object.keys(schema.properties).sort(), [...members, 'password'].sort())
})
