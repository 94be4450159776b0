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
  const made = await site.call('POST', at('me'), {
    as,
    json: { name: ' My <b>app</b> ', app_id: '0190a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b' },
  })
  assert.equal(made.status, 201)
  const { uuid, password, ...rest } = itemOf(made)
  const href = `${site.root}wp/v2/users/${ben.id}/application-passwords/${String(uuid)}`
  const links = { self: [{ href, targetHints: { allow: itemMethods } }] }
  assert.equal(made.headers.get('location'), href)
  assert.match(String(password), /^(?:[a-zA-Z0-9]{4} ){5}[a-zA-Z0-9]{4}$/)
  const keys = ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip', 'password', '_links']
  assert.deepEqual(Object.keys(itemOf(made)), keys)
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

test('who may edit users may do everything with their passwords', async () => {
  const as = admin.headers
  const made = itemOf(await site.call('POST', at(mia), { as, json: { name: 'by admin' } }))
  const path = at(mia, `/${String(made['uuid'])}`)
  assert.equal((await site.call('GET', path, { as })).status, 200)
  assert.equal(itemOf(await site.call('PUT', path, { as, json: { name: 'renamed' } }))['name'], 'renamed')
  assert.equal((await site.call('DELETE', path, { as })).status, 200)
  assert.equal((await site.call('GET', path, { as })).status, 404)
})

const oddBodies: [json: object, status: number, code: string][] = [
  [{}, 400, 'rest_missing_callback_param'],
  [{ name: '' }, 400, 'rest_invalid_param'],
  [{ name: '  \t' }, 400, 'rest_invalid_param'],
  [{ name: 'x'.repeat(256) }, 400, 'rest_invalid_param'],
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

test('the longest name is taken, when it is made and when it is changed', async () => {
  const as = mia.headers
  const longest = 'é'.repeat(255)
  const made = await site.call('POST', at('me'), { as, json: { name: longest } })
  assert.deepEqual([made.status, itemOf(made)['name']], [201, longest])
  const path = at('me', `/${String(itemOf(made)['uuid'])}`)
  assert.equal((await site.call('PUT', path, { as, json: { name: 'A program with a longer name' } })).status, 200)
  // The second is of 255 characters until each of them is written as `&lt;`.
  for (const name of ['x'.repeat(256), '<'.repeat(255)])
    for (const [method, place] of [
      ['PUT', path],
      ['POST', at('me')],
    ] as const)
      assert.equal((await site.call(method, place, { as, json: { name } })).status, 400, `${method} ${name}`)
})

test('a user who has 200 gets no more', async () => {
  const { headers } = await site.join('full', 'author')
  await fillPasswords(site.service, 'full')
  const answered = await site.call('POST', at('me'), { as: headers, json: { name: 'one more' } })
  assert.deepEqual([answered.status, codeOf(answered)], [400, 'too_many_application_passwords'])
})

test('an empty application id is none, and a name that is only markup renames nothing', async () => {
  const as = mia.headers
  const made = itemOf(await site.call('POST', at('me'), { as, json: { name: 'plain', app_id: '' } }))
  assert.equal(made['app_id'], '')
  const kept = await site.call('PUT', at('me', `/${String(made['uuid'])}`), { as, json: { name: '<i></i>' } })
  assert.equal(itemOf(kept)['name'], 'plain')
})

async function browserHeaders({ url }: OpenService, login: string): Promise<Record<string, string>> {
  const Cookie = await signedIn(url, login)
  const answer = await fetch(`${url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie } })
  return { Cookie, 'X-WP-Nonce': await answer.text() }
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
