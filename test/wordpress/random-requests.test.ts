import { describe, it } from 'node:test'
import assert from 'node:assert/strict'
import { siteWithShop } from '../support/wordpress/site-with-shop.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

/** What newer versions than 6.1 answer: hints in links, addresses by SHA-256 at Gravatar, an `app_id` that may be empty, a title. */
const ofNewerVersions = (text: string): string =>
  text
    .replaceAll(/,"targetHints":\{"allow":\[[^\]]*\]\}/g, '')
    .replaceAll(/https?:\/\/\w+\.gravatar\.com\/avatar\/[0-9a-f]+/g, '<gravatar>')
    .replaceAll('"oneOf":[{"type":"string","format":"uuid"},{"type":"string","enum":[""]}]', '"format":"uuid"')
    .replaceAll(/"app_id":"app_id [^"]*"/g, '"app_id":"<refused>"')
    .replaceAll(/"app_id":\{"code":"rest_[^}]*\}/g, '"app_id":"<refused>"')
    .replaceAll('"title":"","description":""', '"description":""')

describe('random requests to the routes that both have', { skip: skipWithoutWordPress() }, () => {
  const running = siteWithShop()
  it('470 are answered by PHP and by the service alike, but for what newer versions answer', async () => {
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * n)
    }
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
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
    const values = [
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
      for (let n = random(3); n > 0; n -= 1) params.append(pick(fields) + pick(['', '', '', '[]', '[a]']), pick(values))
      if (isMutating && isList) params.set('name', pick(['', '<b></b>', 'a']))
      if (isMutating && !isList && method !== 'DELETE') params.set('email', 'not an address')
      if (method === 'DELETE') {
        if (isList) continue
        params.delete('force')
      }
      if (isList && method === 'POST' && params.get('name') === 'a') params.set('app_id', 'no uuid')
      if (isList && method === 'PUT') params.set('app_id', 'no uuid')
      const authorization = pick(auths)
      const query = isMutating && random(2) === 0 ? '' : `?${params}`
      const init: RequestInit = {
        method,
        headers: { ...(authorization && { authorization }) },
        ...(query === '' && { body: random(2) === 0 ? params : JSON.stringify(Object.fromEntries(params)) }),
      }
      if (query === '' && typeof init.body === 'string')
        init.headers = { ...(init.headers as object), 'content-type': 'application/json' }
      const answers = []
      for (const root of [`${running.site.url}/wp-json/`, running.service.rest]) {
        const r = await fetch(root + path + query, init)
        const text = (await r.text()).replaceAll('\\/', '/')
        let body: unknown = text
        try {
          body = JSON.parse(text)
        } catch {
          // A response to HEAD has no body.
        }
        answers.push({
          status: r.status,
          body: ofNewerVersions(JSON.stringify(body)),
          allow: r.headers.get('allow'),
          total: r.headers.get('x-wp-total'),
        })
      }
      const [php, here] = answers
      assert.deepEqual(
        here,
        php,
        `request ${i}: ${method} ${path}${query} ${typeof init.body === 'string' ? init.body : String(init.body ?? '')}`,
      )
      total += 1
    }
    assert.ok(total > 450, `${total}`)
  })
})
