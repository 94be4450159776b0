import { describe, it } from 'node:test'
import assert from 'node:assert/strict'
import { Random } from '../../suites/support/random.js'
import { randomIndexRequest, sharedParts } from '../support/wordpress/random-index-request.js'
import { responsesOf } from '../support/wordpress/rest-responses.js'
import { siteWithShop } from '../support/wordpress/site-with-shop.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

describe('random requests to the routes that both have', { skip: skipWithoutWordPress() }, () => {
  const running = siteWithShop()
  it('those to users and application passwords are answered by PHP and by the service alike', async () => {
    const values = new Random(7)
    const random = (n: number) => values.integer(0, n - 1)
    const pick = <T>(list: readonly T[]): T => values.pick(list)
    const auths = [
      '',
      ...(await Promise.all(
        [siteUsers.administrator, siteUsers.editor, siteUsers.subscriber].map((u) =>
          running.site.applicationPassword(u, 'a'),
        ),
      )),
    ]
    const uuids = [
      ...((await running.site.php(
        "$r=array(); foreach (array(1,2,5) as $u) $r[]=WP_Application_Passwords::get_user_application_passwords($u)[0]['uuid']; return $r;",
      )) as string[]),
      '00000000-0000-4000-8000-000000000000',
      'nonsense',
      '',
    ]
    // Its first use is in the responses to later ones.
    for (const authorization of auths.slice(1))
      await fetch(`${running.site.url}/wp-json/wp/v2/users/me`, { headers: { authorization } })
    const texts = [
      '',
      '0',
      'x',
      'null',
      'true',
      '-1',
      '9223372036854775808',
      ' a ',
      '<b>x</b>',
      'é😀',
      'a@b.co',
      'a,b',
      'edit',
      'view',
      'embed',
      '%00',
    ]
    const userFields = [
      'name',
      'first_name',
      'last_name',
      'nickname',
      'email',
      'url',
      'description',
      'locale',
      'slug',
      'username',
      'roles',
      'password',
      'meta',
      'context',
      'force',
      'reassign',
      '_fields',
      '_envelope',
      'unknown',
    ]
    let total = 0
    for (let i = 0; i < 500; i += 1) {
      const user = pick(['me', '1', '2', '5', '99', '0', 'abc'])
      const path = pick([
        'wp/v2/users/me',
        'wp/v2/users/me',
        'wp/v2/users/me',
        `wp/v2/users/${user}/application-passwords`,
        `wp/v2/users/${user}/application-passwords`,
        `wp/v2/users/${user}/application-passwords/introspect`,
        `wp/v2/users/${user}/application-passwords/${pick(uuids)}`,
      ])
      const isList = path.includes('application-passwords')
      const method = pick(['GET', 'GET', 'GET', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'HEAD'])
      const isMutating = ['POST', 'PUT', 'DELETE'].includes(method)
      const fields = isList ? ['context', '_fields', 'app_id', 'name', 'unknown', '_envelope'] : userFields
      const params = new URLSearchParams()
      for (let n = random(3); n > 0; n -= 1) {
        const [name, brackets, text] = [pick(fields), pick(['', '', '', '[]', '[a]']), pick(texts)]
        // For Allow, WordPress gives a permission callback what was sent; here it is validated.
        if (name !== 'roles' || (brackets !== '[a]' && text !== '0')) params.append(name + brackets, text)
      }
      if (isMutating && isList) params.set('name', pick(['', '<b></b>', 'a']))
      if (isMutating && !isList && method !== 'DELETE') params.set('email', 'not an address')
      if (method === 'DELETE') {
        if (isList) continue
        params.delete('force')
        // The message for a reassign that is no number is another one here.
        for (const name of ['reassign[]', 'reassign[a]']) params.delete(name)
        if (params.has('reassign')) params.set('reassign', '0')
      }
      if (isList && isMutating) {
        // Newer versions take an empty app_id, and say more about a list.
        for (const name of ['app_id[]', 'app_id[a]']) params.delete(name)
        if (method === 'PUT' || params.has('app_id') || params.get('name') === 'a') params.set('app_id', 'no uuid')
      }
      const authorization = pick(auths)
      const query = isMutating && random(2) === 0 ? '' : `?${params}`
      const form = random(2) === 0
      const body = query === '' ? (form ? String(params) : JSON.stringify(Object.fromEntries(params))) : undefined
      const headers = {
        ...(authorization && { authorization }),
        ...(body !== undefined && { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
      }
      const sent = { method, path: `/wp-json/${path}${query}`, headers, ...(body !== undefined && { body }) }
      const [php, here] = await responsesOf(running, sent)
      assert.deepEqual(here, php, `request ${i}: ${JSON.stringify(sent)}`)
      total += 1
    }
    assert.ok(total > 450, `${total}`)
  })

  it('the link self of users/me says what the caller may do there', async () => {
    for (const [user, more] of [
      [siteUsers.administrator, ['DELETE']],
      [siteUsers.subscriber, []],
    ] as const) {
      const headers = { authorization: await running.site.applicationPassword(user) }
      const response = await fetch(`${running.service.rest}wp/v2/users/me?_fields=_links`, { headers })
      const { _links } = (await response.json()) as { _links: { self: { targetHints?: unknown }[] } }
      assert.deepEqual(_links.self[0]?.targetHints, { allow: ['GET', 'POST', 'PUT', 'PATCH', ...more] })
    }
  })

  it('1000 to the index, to those of namespaces and beside them are answered alike', async () => {
    const random = new Random(1)
    const callers = [{}, { authorization: 'x' }, { authorization: 'Bearer x' }, ...(await callersOf(running))]
    const patternsOf = async (root: string) => {
      const index = (await (await fetch(`${root}/wp-json/`)).json()) as { routes: object }
      return Object.keys(index.routes)
    }
    const inPhp = await patternsOf(running.site.url)
    const shared = new Set((await patternsOf(running.service.url)).filter((pattern) => inPhp.includes(pattern)))
    assert.ok(shared.size > 8, `${shared.size}`)
    for (let i = 0; i < 1000; i += 1) {
      const sent = randomIndexRequest(random, callers, running.site.url)
      const [php, here] = await responsesOf(running, sent, sharedParts(shared, sent))
      assert.deepEqual(here, php, `request ${i}: ${JSON.stringify(sent)}`)
    }
  })
})

/** The headers of all users: an application password; a session with its nonce, without one, and with that of another. */
async function callersOf({ site }: ReturnType<typeof siteWithShop>) {
  const users = Object.values(siteUsers)
  const authorizations = await Promise.all(users.map((user) => site.applicationPassword(user)))
  const cookies = await Promise.all(users.map((user) => site.logIn(user)))
  const nonces = await Promise.all(cookies.map((cookie) => site.restNonce(cookie)))
  return [
    ...authorizations.map((authorization) => ({ authorization })),
    ...cookies.flatMap((cookie, i) => [
      { cookie, 'x-wp-nonce': nonces[i] ?? '' },
      { cookie },
      { cookie, 'x-wp-nonce': nonces[(i + 1) % nonces.length] ?? '' },
    ]),
    // The last part of a cookie is its signature.
    { cookie: (cookies[0] ?? '').replaceAll(/%7C\w+(?=;|$)/g, '%7Cx'), 'x-wp-nonce': nonces[0] ?? '' },
  ]
}
