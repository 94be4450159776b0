import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.js'
import { siteWithShop } from '../support/wordpress/site-with-shop.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

const { login: log, password: pwd } = siteUsers.editor

/** The status of versions before one, and from it on. */
const changed =
  (before: number, version: number, after: number): StatusOf =>
  (installed) =>
    installed < version ? before : after

type StatusOf = (version: number) => number

/** Requests to wp-login.php with what both answer: the status, or the status of PHP and that of the service. */
const logins: readonly (readonly [
  request: string,
  form: Readonly<Record<string, string>> | string | null,
  status: number | readonly [php: number | StatusOf, here: number],
])[] = [
  ['HEAD /wp-login.php', null, 200],
  ['PUT /wp-login.php', { log, pwd }, [200, 405]],
  ['DELETE /wp-login.php', null, [200, 405]],
  ['OPTIONS /wp-login.php', null, [200, 405]],
  ['PROPFIND /wp-login.php', null, [200, 405]],
  ['PUT /wp-login.php?action=postpass', { post_password: 'a' }, [200, 405]],
  ['GET /wp-login.php?redirect_to[]=x', null, [changed(500, 6.8, 200), 200]],
  ['GET /wp-login.php?action[]=logout', null, 200],
  ['GET /wp-login.php?action=LOGOUT', null, 200],
  ['GET /wp-login.php?action=logout', null, [403, 302]],
  ['GET /wp-login.php?checkemail=confirm&action=rp', null, 200],
  ['GET /wp-login.php?checkemail=x&action=logout&key=a&reauth=1', null, 200],
  ['POST /wp-login.php?checkemail=confirm', { log, pwd }, 200],
  ['POST /wp-login.php?action=checkemail', { log, pwd: 'wrong' }, 200],
  ['GET /wp-login.php?key=a', null, 302],
  ['GET /wp-login.php?key=a&action=lostpassword', null, 302],
  ['GET /wp-login.php?key[]=a&action=postpass', null, 302],
  ['POST /wp-login.php?key=', { log, pwd }, 302],
  ['POST /wp-login.php', { key: 'a', checkemail: 'confirm', log, pwd }, 302],
  ['GET /wp-login.php?action=lostpassword', null, 200],
  ['GET /wp-login.php?action=lostpassword&error[]=invalidkey', null, 200],
  ['GET /wp-login.php?action=rp', null, 302],
  ['GET /wp-login.php?action=rp&key=a&login=b', null, 302],
  ['GET /wp-login.php?action=rp&rp_key[]=a&rp_login[]=b', null, 302],
  ['GET /wp-login.php?reauth=1', null, 200],
  ['GET /wp-login.php?reauth=0', null, 200],
  ['GET /wp-login.php?reauth[]=', null, 200],
  ['GET /wp-login.php?reauth[a]=0', null, 200],
  ['GET /wp-login.php?loggedout[]=true', null, 200],
  ['GET /wp-login.php?interim-login[]=1', null, 200],
  ['GET /wp-login.php?wp_lang[]=x', null, [500, 200]],
  ['GET /wp-login.php?checkemail[]=confirm', null, 200],
  ['GET /wp-login.php?log[]=x', null, 200],
  ['GET /wp-login.php?action=rp&key[]=a&login[]=b', null, 302],
  ['GET /wp-login.php/extra', null, 404],
  ['POST /wp-login.php?action[]=x', { log, pwd }, 302],
  ['POST /wp-login.php', { log, pwd, 'redirect_to[]': '/x' }, 302],
  ['POST /wp-login.php', { log, pwd, 'rememberme[]': 'x' }, 302],
  ['POST /wp-login.php', { 'log[]': log, pwd }, [changed(500, 6.8, 200), 200]],
  ['POST /wp-login.php', { log, 'pwd[]': pwd }, [changed(500, 6.8, 200), 200]],
  ['POST /wp-login.php', 'x=1', 200],
  ['POST /wp-login.php?log=editor&pwd=x', null, 200],
  ['POST /wp-login.php', { log, pwd, 'testcookie[]': '1' }, 302],
  ['POST /wp-login.php', { log, pwd: 'wrong' }, 200],
  ['POST /wp-login.php?action[]=lostpassword', { user_login: log }, 200],
  ['POST /wp-login.php?action=lostpassword', { user_login: log, 'redirect_to[]': '/x' }, 302],
  ['POST /wp-login.php?action=lostpassword', { 'user_login[]': log }, [changed(500, 7.1, 200), 200]],
  ['POST /wp-login.php?action=resetpass', { pass1: 'a', pass2: 'a', 'rp_login[]': 'b' }, 302],
  ['POST /wp-login.php?action=resetpass', { 'pass1[]': 'a', 'pass2[]': 'a' }, 302],
  ['POST /wp-login.php?action=postpass', { 'post_password[]': 'a' }, [changed(500, 6.8, 200), 302]],
]

/** The headers about caches, for a comparison with a version of WordPress: `no-store, private` is new in 6.3. */
const cacheHeaders = ({ headers }: Response, version: number) => [
  headers.get('expires'),
  headers.get('cache-control')?.replace(version < 6.3 ? ', no-store, private' : '', ''),
]

/** The names of the cookies that a response sets, or that it ends: those of logins, of resets and of record passwords. */
const cookieNames = ({ headers }: Response, isEnded: boolean) => {
  const lines = headers.getSetCookie().filter((line) => line.split(';')[0]?.endsWith('=%20') === isEnded)
  const names = new Set(lines.map((line) => line.slice(0, line.indexOf('='))))
  return [...names]
    .filter((name) => /^(?:wordpress_(?:sec_|logged_in_)?|wp-\w+[-_])[0-9a-f]{32}$/.test(name))
    .toSorted()
}

describe('requests that no page of WordPress sends, to both', { skip: skipWithoutWordPress() }, () => {
  const running = siteWithShop()

  const both = (path: string, init: RequestInit = {}) =>
    Promise.all(
      [running.site.url, running.service.url].map(async (root) => {
        const response = await fetch(root + path, { redirect: 'manual', ...init })
        const text = await response.text()
        const place = (response.headers.get('location') ?? '').replace(running.site.url, '').replace(root, '')
        return { status: response.status, place, text, response }
      }),
    )

  for (const [request, form, status] of logins)
    it(`${request}${form === null ? '' : `, ${JSON.stringify(form)}`}`, async () => {
      const [method = '', path = ''] = request.split(' ')
      const [php, here] = await both(path, {
        method,
        headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
        ...(form !== null && { body: typeof form === 'string' ? form : new URLSearchParams(form) }),
      })
      assert.ok(php && here)
      const [expected, ours] = typeof status === 'number' ? [status, status] : status
      const theirs = typeof expected === 'number' ? expected : expected(running.site.version)
      assert.deepEqual([php.status, here.status], [theirs, ours])
      const errorsIn = (text: string) => text.includes('id="login_error"')
      if (php.status === 200 && here.status === 200) assert.equal(errorsIn(here.text), errorsIn(php.text))
      if (here.status === 405) assert.equal(here.response.headers.get('allow'), 'GET, HEAD, POST')
      const { version } = running.site
      if (php.status !== 500)
        assert.deepEqual(cacheHeaders(here.response, version), cacheHeaders(php.response, version))
      if (php.status !== here.status) return
      // WordPress before 6.8 takes most lists for the text Array.
      if (!/\[/.test(path + JSON.stringify(form))) assert.equal(here.place, php.place)
      if (php.place !== here.place) return
      for (const isEnded of [false, true])
        assert.deepEqual(cookieNames(here.response, isEnded), cookieNames(php.response, isEnded))
    })

  it('a key of a reset that is a list, or is not there, is a wrong one', async () => {
    const { response } = (await both('/wp-login.php?reauth=1'))[0] as { response: Response }
    const [, hash] = /wordpress_logged_in_([0-9a-f]+)/.exec(response.headers.getSetCookie().join()) ?? []
    const headers = { cookie: `wp-resetpass-${hash}=editor:b` }
    for (const key of [{ 'rp_key[]': 'b' }, {}]) {
      const body = new URLSearchParams({ pass1: 'a', pass2: 'a', ...key })
      const [php, here] = await both('/wp-login.php?action=resetpass', { method: 'POST', headers, body })
      assert.equal(php?.status, 500)
      assert.deepEqual([here?.status, here?.place], [302, '/wp-login.php?action=lostpassword&error=invalidkey'])
    }
  })

  it('a redirect_to that is a list leads nowhere else, where WordPress before 6.8 takes it for the text Array', async () => {
    const body = new URLSearchParams({ log, pwd, 'redirect_to[]': '/x' })
    const headers = { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' }
    const [php, here] = await both('/wp-login.php', { method: 'POST', headers, body })
    assert.deepEqual([php?.place, here?.place], [running.site.version < 6.8 ? '/Array' : '/wp-admin/', '/wp-admin/'])
  })

  it('the link, the GUID and the page of a post whose author does not exist, in permalinks with %author%', async () => {
    const structure = `global $wp_rewrite; $wp_rewrite->set_permalink_structure( $argument ); flush_rewrite_rules( false );`
    await running.site.php(structure, '/%author%/%postname%/')
    const [orphan, owned] = (await running.site.php(
      `return array_map( function ( $title, $author ) { return wp_insert_post( array( 'post_title' => $title, 'post_status' => 'publish', 'post_author' => $author, 'post_content' => "text of $title" ) ); }, array( 'Orphan', 'Owned' ), array( 99, 2 ) );`,
    )) as [number, number]
    const { records } = running.service.service
    // The service reads the options of the site again after a second.
    await until(async () => (await records.get(owned))?.link.endsWith('/editor/owned/') === true)
    const { id } = await records.insert({
      type: 'post',
      status: 'publish',
      title: 'Here',
      author: 98,
      content: 'text of Here',
    })
    const all = [orphan, owned, id]
    const links = (await running.site.php("return array_map( 'get_permalink', $argument );", all)) as string[]
    assert.deepEqual(
      links.map((link) => link.slice(running.site.url.length)),
      ['/orphan/', '/editor/owned/', '/here/'],
    )
    assert.deepEqual(await Promise.all(all.map(async (each) => (await records.get(each))?.link)), links)
    assert.equal(await running.site.php('return get_post( $argument )->guid;', id), links[2])
    const seenAt = async (path: string) =>
      (await both(path)).map(({ status, place, text }) => [status, place, /text of \w+/.exec(text)?.[0] ?? ''])
    const paths = ['/orphan/', '/here/', '/editor/owned/', '/x/orphan/', '/x/owned/', '/owned/', '/editor/orphan/']
    for (const path of [...paths, ...all.map((each) => `/?p=${each}`)]) {
      const [php, here] = await seenAt(path)
      assert.deepEqual(here, php, path)
    }
    // To PHP, an author who does not exist is the author 0.
    await running.site.php(
      "$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->posts, array( 'post_author' => 0 ), array( 'ID' => $argument ) );",
      owned,
    )
    assert.deepEqual(await seenAt('/orphan/'), [
      [200, '', 'text of Owned'],
      [404, '', ''],
    ])
  })
})
