import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { EmptyApi } from './empty-api.js'
import { openService, signedIn, type Answered, type Member, type OpenService } from './open-service.js'
import { fillPasswords } from '../support/fill-passwords.js'

const now = Date.UTC(2026, 0, 15, 12)
const site = await openService([EmptyApi], { clock: () => now })
const closed = await openService([EmptyApi], { environment: 'production' })
after(() => Promise.all([site.close(), closed.close()]))

const admin = await site.join('admin', 'administrator')
const mia = await site.join('mia', 'editor')
const ben = await site.join('ben', 'subscriber')

const at = (user: Member | 'me', below = '') =>
  `/wp/v2/users/${user === 'me' ? 'me' : user.id}/application-passwords${below}`
const codeOf = ({ body }: Answered) => (body as { code?: string }).code
const itemOf = ({ body }: Answered) => body as Record<string, unknown>

const itemMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

test('a password is made, shown once, listed, renamed and revoked', async () => {
  const as = ben.headers
  const created = await site.call('POST', at('me'), {
    as,
    json: { name: ' My <b>app</b> ', app_id: '0190a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b' },
  })
  assert.equal(created.status, 201)
  const { uuid, password, ...rest } = itemOf(created)
  const href = `${site.root}wp/v2/users/${ben.id}/application-passwords/${String(uuid)}`
  const links = { self: [{ href, targetHints: { allow: itemMethods } }] }
  assert.equal(created.headers.get('location'), href)
  assert.match(String(password), /^(?:[a-zA-Z0-9]{4} ){5}[a-zA-Z0-9]{4}$/)
  const keys = ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip', 'password', '_links']
  assert.deepEqual(Object.keys(itemOf(created)), keys)
  const expected = {
    app_id: '0190a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b',
    name: 'My app',
    created: '2026-01-15T12:00:00',
    last_used: null,
    last_ip: null,
    _links: links,
  }
  assert.deepEqual(rest, expected)

  const list = await site.call('GET', at(ben), { as })
  assert.equal(list.status, 200)
  assert.equal(list.headers.get('allow'), 'GET, POST, DELETE')
  assert.deepEqual(
    (list.body as { name: string }[]).map(({ name }) => name),
    ['test', 'My app'],
  )
  assert.deepEqual((list.body as object[])[1], { uuid, ...expected })
  const item = await site.call('GET', at('me', `/${String(uuid)}`), { as })
  assert.deepEqual(item.body, { uuid, ...expected })
  assert.equal(item.headers.get('allow'), itemMethods.join(', '))

  const working = { Authorization: `Basic ${btoa(`ben:${String(password)}`)}` }
  const used = await site.call('GET', at('me', '/introspect'), { as: working })
  assert.deepEqual(
    [used.status, itemOf(used)['uuid'], itemOf(used)['last_used'], itemOf(used)['last_ip']],
    [200, uuid, '2026-01-15T12:00:00', '127.0.0.1'],
  )

  for (const [method, name] of [
    ['POST', 'One'],
    ['PUT', 'Two'],
    ['PATCH', 'Three'],
  ] as const) {
    const renamed = await site.call(method, at('me', `/${String(uuid)}`), { as, json: { name } })
    assert.deepEqual([renamed.status, itemOf(renamed)['name']], [200, name])
    assert.equal(Object.hasOwn(itemOf(renamed), 'password'), false)
  }

  const revoked = await site.call('DELETE', at('me', `/${String(uuid)}`), { as })
  assert.equal(revoked.status, 200)
  const { _links, ...previous } = { ...itemOf(used), name: 'Three' } as Record<string, unknown>
  assert.deepEqual(revoked.body, { deleted: true, previous })
  assert.equal(codeOf(await site.call('GET', at('me'), { as: working })), 'incorrect_password')
})

test('all passwords of a user go at once, and are counted', async () => {
  const tim = await site.join('tim', 'author')
  await site.call('POST', at(tim), { as: admin.headers, json: { name: 'second' } })
  const { status, body } = await site.call('DELETE', at(tim), { as: admin.headers })
  assert.deepEqual([status, body], [200, { deleted: true, count: 2 }])
  assert.deepEqual((await site.call('GET', at(tim), { as: admin.headers })).body, [])
})

test('a context of embed shows the least; _fields picks from items before their links are written', async () => {
  const as = mia.headers
  const embedded = (await site.call('GET', at('me', '?context=embed'), { as })).body as object[]
  assert.deepEqual(Object.keys(embedded[0] ?? {}), ['uuid', 'app_id', 'name', '_links'])
  const picked = await site.call('GET', at('me', '?_fields=name,_links.self'), { as })
  assert.deepEqual(Object.keys((picked.body as object[])[0] ?? {}), ['name', '_links'])
  const named = await site.call('GET', at('me', '?_fields=name'), { as })
  assert.deepEqual(named.body, [{ name: 'test' }])
})

const nothing = '/aaaaaaaa-0000-4000-8000-000000000000'

/** Who, method, path, status, code. */
const refusals: [who: Member | null, method: string, path: string, status: number, code: string][] = [
  [null, 'GET', at('me'), 401, 'rest_not_logged_in'],
  [null, 'POST', at('me'), 401, 'rest_not_logged_in'],
  [null, 'GET', at('me', '/introspect'), 401, 'rest_not_logged_in'],
  [null, 'GET', at(mia), 401, 'rest_cannot_list_application_passwords'],
  [ben, 'GET', at(mia), 403, 'rest_cannot_list_application_passwords'],
  [null, 'POST', at(mia), 401, 'rest_cannot_create_application_passwords'],
  [ben, 'POST', at(mia), 403, 'rest_cannot_create_application_passwords'],
  [null, 'DELETE', at(mia), 401, 'rest_cannot_delete_application_passwords'],
  [ben, 'DELETE', at(mia), 403, 'rest_cannot_delete_application_passwords'],
  [null, 'GET', at(mia, `/${mia.uuid}`), 401, 'rest_cannot_read_application_password'],
  [ben, 'GET', at(mia, `/${mia.uuid}`), 403, 'rest_cannot_read_application_password'],
  [null, 'PUT', at(mia, `/${mia.uuid}`), 401, 'rest_cannot_edit_application_password'],
  [ben, 'PATCH', at(mia, `/${mia.uuid}`), 403, 'rest_cannot_edit_application_password'],
  [null, 'DELETE', at(mia, `/${mia.uuid}`), 401, 'rest_cannot_delete_application_password'],
  [ben, 'DELETE', at(mia, `/${mia.uuid}`), 403, 'rest_cannot_delete_application_password'],
  [null, 'GET', at(mia, '/introspect'), 401, 'rest_cannot_introspect_app_password_for_non_authenticated_user'],
  [admin, 'GET', at(mia, '/introspect'), 403, 'rest_cannot_introspect_app_password_for_non_authenticated_user'],
  [null, 'GET', '/wp/v2/users/0/application-passwords', 404, 'rest_user_invalid_id'],
  [null, 'GET', '/wp/v2/users/999999/application-passwords', 404, 'rest_user_invalid_id'],
  [admin, 'GET', `/wp/v2/users/${'9'.repeat(40)}/application-passwords`, 404, 'rest_user_invalid_id'],
  [mia, 'GET', at('me', nothing), 404, 'rest_application_password_not_found'],
  [mia, 'PUT', at('me', nothing), 404, 'rest_application_password_not_found'],
  [mia, 'DELETE', at('me', nothing), 404, 'rest_application_password_not_found'],
  [admin, 'GET', at(mia, `/${ben.uuid}`), 404, 'rest_application_password_not_found'],
]

for (const [who, method, path, status, code] of refusals)
  test(`${method} ${path.slice(0, 80)} by ${who ? `user ${who.id}` : 'a visitor'} is ${status} ${code}`, async () => {
    const json = method === 'POST' ? { json: { name: 'x' } } : {}
    const answered = await site.call(method, path, { as: who?.headers ?? {}, ...json })
    assert.deepEqual([answered.status, codeOf(answered)], [status, code])
  })

test('a user who may edit users may read and change their passwords', async () => {
  const as = admin.headers
  const created = itemOf(await site.call('POST', at(mia), { as, json: { name: 'by admin' } }))
  const path = at(mia, `/${String(created['uuid'])}`)
  assert.equal((await site.call('GET', path, { as })).status, 200)
  assert.equal(itemOf(await site.call('PUT', path, { as, json: { name: 'renamed' } }))['name'], 'renamed')
  assert.equal((await site.call('DELETE', path, { as })).status, 200)
  assert.equal((await site.call('GET', path, { as })).status, 404)
})

const oddBodies: [json: object, status: number, code: string][] = [
  [{}, 400, 'rest_missing_callback_param'],
  [{ name: '' }, 400, 'rest_invalid_param'],
  [{ name: '  \t' }, 400, 'rest_invalid_param'],
  [{ name: null }, 400, 'rest_missing_callback_param'],
  [{ name: '0' }, 400, 'application_password_empty_name'],
  [{ name: 'x'.repeat(300_000) }, 400, 'application_password_name_too_long'],
  [{ name: ' '.repeat(900_000) }, 400, 'rest_invalid_param'],
  [{ name: '<b></b>' }, 400, 'application_password_empty_name'],
  [{ name: ['x'] }, 400, 'rest_invalid_param'],
  [{ name: 'x', app_id: 'app' }, 400, 'rest_invalid_param'],
]

for (const [json, status, code] of oddBodies)
  test(`a password cannot be made from ${JSON.stringify(json).slice(0, 40)}`, async () => {
    const answered = await site.call('POST', at('me'), { as: mia.headers, json })
    assert.deepEqual([answered.status, codeOf(answered)], [status, code])
  })

test('a name is as long as its user likes, when it is made and when it is changed', async () => {
  const as = mia.headers
  for (const name of ['é'.repeat(256), 'x'.repeat(3_000), ' a   "b" \\ o\'c\u0000']) {
    const expected = name.replaceAll(/ +/g, ' ').trimStart()
    const created = await site.call('POST', at('me'), { as, json: { name } })
    assert.deepEqual([created.status, itemOf(created)['name']], [201, expected])
    const path = at('me', `/${String(itemOf(created)['uuid'])}`)
    await site.call('PUT', path, { as, json: { name: 'another' } })
    assert.equal(itemOf(await site.call('PUT', path, { as, json: { name } }))['name'], expected)
    await site.call('DELETE', path, { as })
  }
})

test("a name that breaks its pattern is refused with WordPress's message", async () => {
  for (const name of [' ', '\t', '\u00a0']) {
    const { status, body } = await site.call('POST', at('me'), { as: mia.headers, json: { name } })
    const message = 'name does not match pattern .*\\S.*.'
    const problem = { code: 'rest_invalid_pattern', message, data: null }
    assert.equal(status, 400)
    assert.deepEqual((body as { data: unknown }).data, {
      status: 400,
      params: { name: message },
      details: { name: problem },
    })
  }
})

test('invalid arguments are listed in the order of their declaration', async () => {
  const { body } = await site.call('POST', at('me'), { as: mia.headers, json: { name: '', app_id: 'x' } })
  assert.equal((body as { message: string }).message, 'Invalid parameter(s): app_id, name')
})

test('a caller who may not create an application password gets 403 also for a name that is too long', async () => {
  const json = { name: 'x'.repeat(300_000) }
  const answered = await site.call('POST', at(mia), { as: ben.headers, json })
  assert.deepEqual([answered.status, codeOf(answered)], [403, 'rest_cannot_create_application_passwords'])
  const missing = await site.call('POST', at(mia), { as: ben.headers, json: {} })
  assert.deepEqual([missing.status, codeOf(missing)], [400, 'rest_missing_callback_param'])
})

test('the list is in the order of creation, also after a deletion', async () => {
  const lea = await site.join('lea', 'author')
  const as = lea.headers
  for (const name of ['z', 'b', 'a']) await site.call('POST', at('me'), { as, json: { name } })
  const names = async () =>
    ((await site.call('GET', at('me'), { as })).body as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(await names(), ['test', 'z', 'b', 'a'])
  const [, , second] = (await site.call('GET', at('me'), { as })).body as { uuid: string }[]
  await site.call('DELETE', at('me', `/${second?.uuid}`), { as })
  await site.call('POST', at('me'), { as, json: { name: 'c' } })
  assert.deepEqual(await names(), ['test', 'z', 'a', 'c'])
})

const selections: [query: string, keys: readonly string[]][] = [
  ['_fields=name', ['name']],
  ['_fields=name,_links', ['name', '_links']],
  ['_fields=_links.self', ['_links']],
  ['_fields[]=name&_fields[]=_links', ['name', '_links']],
  ['_fields=_embedded', []],
  ['_fields=_embedded&_embed', ['_links']],
  ['_fields=', ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip', '_links']],
  ['context=embed&_fields=uuid,created', ['uuid']],
]
for (const [query, keys] of selections)
  test(`an application password read with ${query} has the members ${keys.join(', ') || '(none)'}`, async () => {
    const { body } = await site.call('GET', at('me', `/${mia.uuid}?${query}`), { as: mia.headers })
    assert.deepEqual(Object.keys(body as object), keys)
  })

test('OPTIONS describes arguments and items as WordPress does', async () => {
  const collection = (await site.call('OPTIONS', at('me'))).body as Described
  assert.deepEqual(
    collection.endpoints.map(({ methods, args }) => [methods, Object.keys(args)]),
    [
      [['GET'], ['context']],
      [['POST'], ['app_id', 'name']],
      [['DELETE'], []],
    ],
  )
  assert.deepEqual(collection.endpoints[1]?.args['name'], {
    description: 'The name of the application password.',
    type: 'string',
    minLength: 1,
    pattern: '.*\\S.*',
    required: true,
  })
  const one = (await site.call('OPTIONS', at('me', `/${mia.uuid}`))).body as Described
  assert.deepEqual(
    one.endpoints.map(({ methods }) => methods),
    [['GET'], ['POST', 'PUT', 'PATCH'], ['DELETE']],
  )
  assert.equal(one.endpoints[1]?.args['name']?.required, false)
  const used = (await site.call('OPTIONS', at('me', '/introspect'))).body as Described
  for (const { schema } of [collection, one, used]) {
    assert.equal(schema.title, 'application-password')
    assert.deepEqual(Object.keys(schema.properties), [
      'uuid',
      'app_id',
      'name',
      'password',
      'created',
      'last_used',
      'last_ip',
    ])
  }
})

interface Described {
  readonly endpoints: readonly {
    readonly methods: readonly string[]
    readonly args: Readonly<Record<string, { readonly required: boolean }>>
  }[]
  readonly schema: { readonly title: string; readonly properties: object }
}

test('the 201st password of a user is refused', async () => {
  const { headers } = await site.join('full', 'author')
  await fillPasswords(site.service, 'full')
  const answered = await site.call('POST', at('me'), { as: headers, json: { name: 'one more' } })
  assert.deepEqual([answered.status, codeOf(answered)], [400, 'too_many_application_passwords'])
})

test('an empty application id is none, and an empty name renames nothing', async () => {
  const as = mia.headers
  const created = itemOf(await site.call('POST', at('me'), { as, json: { name: 'plain', app_id: '' } }))
  assert.equal(created['app_id'], '')
  for (const name of ['<i></i>', '0', null]) {
    const kept = await site.call('PUT', at('me', `/${String(created['uuid'])}`), { as, json: { name } })
    assert.deepEqual([kept.status, itemOf(kept)['name']], [200, 'plain'])
  }
})

async function browserHeaders({ url }: OpenService, login: string): Promise<Record<string, string>> {
  const Cookie = await signedIn(url, login)
  const response = await fetch(`${url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie } })
  return { Cookie, 'X-WP-Nonce': await response.text() }
}

test('with a cookie there is nothing to introspect, and everything else works', async () => {
  const as = await browserHeaders(site, 'mia')
  const nothingUsed = await site.call('GET', at('me', '/introspect'), { as })
  assert.deepEqual([nothingUsed.status, codeOf(nothingUsed)], [404, 'rest_no_authenticated_app_password'])
  assert.equal((await site.call('GET', at('me'), { as })).status, 200)
})

test('where passwords would travel in the clear, there are none to manage', async () => {
  await closed.join('mia', 'editor')
  const as = { ...(await browserHeaders(closed, 'mia')), 'X-Forwarded-For': '203.0.113.5' }
  for (const [method, path] of [
    ['GET', '/wp/v2/users/me/application-passwords'],
    ['GET', '/wp/v2/users/999/application-passwords'],
    ['GET', '/wp/v2/users/me/application-passwords/introspect'],
  ] as const) {
    const answered = await closed.call(method, path, { as })
    assert.deepEqual([answered.status, codeOf(answered)], [501, 'application_passwords_disabled'])
    assert.match(String(itemOf(answered)['message']), /^Application passwords are not available\./)
  }
})
