import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, RestResponse } from 'as-rest-route'
import { ThreadedPasswordHasher } from '../../src/auth/threaded-password-hasher.js'
import { startService, type StartedService } from '../support/start-service.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import {
  changesBetween,
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type SiteUser,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class WhoAmI {
  @AsRestRoute({ namespace: 'shop/v1', route: '/me', permission: 'public' })
  me() {
    const { login, roles, capabilities } = currentUser()
    return new RestResponse({ login, roles, publishes: capabilities.has('publish_posts') })
  }
}

interface Me {
  readonly login: string
  readonly roles: readonly string[]
  readonly publishes: boolean
}

const portableHash = /^\$P\$B.{30}$/
const bcryptHash = /^\$wp\$2y\$10\$.{53}$/

describe('one identity with WordPress', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    site = await startWordPressSite({ prefix: 'Wp2_', path: '/blog' })
    service = await startService([WhoAmI], { wordpress: { config: site.configPath } })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  const meHere = async (headers: Record<string, string>): Promise<{ status: number; me: Me }> => {
    const response = await fetch(`${service.rest}shop/v1/me`, { headers })
    return { status: response.status, me: (await response.json()) as Me }
  }
  const meAtPhp = async (cookie: string, nonce: string): Promise<unknown> => {
    const response = await fetch(`${site.url}/wp-json/wp/v2/users/me`, { headers: { cookie, 'x-wp-nonce': nonce } })
    return response.ok ? ((await response.json()) as { slug: string }).slug : response.status
  }
  /** The page at an address, or at the address of the same program to which it has moved. */
  const pageAt = async (address: string, cookie: string): Promise<{ status: number; text: string }> => {
    const headers = { cookie }
    const first = await fetch(address, { headers, redirect: 'manual' })
    const { pathname, search } = new URL(first.headers.get('location') ?? address, address)
    const response = await fetch(new URL(pathname + search, address), { headers, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  const logInHere = async ({ login, password }: Pick<SiteUser, 'login' | 'password'>): Promise<string> => {
    const response = await fetch(`${service.url}/blog/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
      body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
    })
    assert.equal(response.status, 302, await response.text())
    return [...new Set(response.headers.getSetCookie().map((line) => line.split(';')[0] ?? ''))].join('; ')
  }

  it('a browser that has logged in at PHP is logged in here, with the nonce of PHP', async () => {
    const cookie = await site.logIn(siteUsers.author)
    const nonce = await site.restNonce(cookie)
    const { status, me } = await meHere({ cookie, 'x-wp-nonce': nonce })
    assert.equal(status, 200)
    assert.deepEqual(me, { login: 'author', roles: ['author'], publishes: true })
  })

  it('a visitor who has entered the password of a record at one program sees it at both', async () => {
    const password = `o'pen "sésame\\`
    const id = await site.php(
      `return wp_insert_post( wp_slash( array( 'post_title' => 'Guarded', 'post_content' => 'Once in full', 'post_password' => $argument, 'post_status' => 'publish' ) ) );`,
      password,
    )
    const programs = [site.url, `${service.url}/blog`]
    for (const entered of programs)
      for (const [post_password, isShown] of [
        ['wrong', false],
        [password, true],
      ] as const) {
        const response = await fetch(`${entered}/wp-login.php?action=postpass`, {
          method: 'POST',
          redirect: 'manual',
          headers: { referer: `${entered}/` },
          body: new URLSearchParams({ post_password }),
        })
        const cookie = response.headers
          .getSetCookie()
          .filter((line) => line.startsWith('wp-postpass_'))
          .map((line) => line.split(';')[0])
          .join('; ')
        for (const shown of programs) {
          const { text, status } = await pageAt(`${shown}/?p=${id}`, cookie)
          assert.deepEqual([status, text.includes('Once in full')], [200, isShown], `${entered} ${shown}`)
        }
      }
  })

  it('a browser that has logged in here is logged in at PHP, and its nonces are the same', async () => {
    const cookie = await logInHere(siteUsers.editor)
    const nonce = await site.restNonce(cookie)
    assert.equal(await meAtPhp(cookie, nonce), 'editor')
    assert.equal((await meHere({ cookie, 'x-wp-nonce': nonce })).me.login, 'editor')
    const profile = await fetch(`${site.url}/wp-admin/profile.php`, { headers: { cookie }, redirect: 'manual' })
    assert.equal(profile.status, 200)
  })

  it('a login here changes the rows that a login at PHP changes, and no other', async () => {
    const first = await site.dump()
    await site.logIn(siteUsers.contributor)
    const second = await site.dump()
    await logInHere(siteUsers.subscriber)
    const shapeOf = (changes: ReturnType<typeof changesBetween>) =>
      changes.map(({ table, before: old, after: row }) => [
        table,
        old,
        row?.['meta_key'],
        row?.['meta_value']?.replace(/[0-9a-f]{64}/, 'verifier').replaceAll(/i:\d+/g, 'i:time'),
      ])
    assert.deepEqual(shapeOf(changesBetween(second, await site.dump())), shapeOf(changesBetween(first, second)))
    assert.equal(changesBetween(first, second).length, 1)
  })

  it('the end of a session at PHP ends it here with the next request, and the other way round', async () => {
    const cookie = await site.logIn(siteUsers.author)
    const nonce = await site.restNonce(cookie)
    assert.equal((await meHere({ cookie, 'x-wp-nonce': nonce })).me.login, 'author')
    await site.php("WP_Session_Tokens::get_instance( get_user_by( 'login', 'author' )->ID )->destroy_all();")
    const ended = await meHere({ cookie, 'x-wp-nonce': nonce })
    assert.notEqual(ended.me.login, 'author')

    const other = await site.logIn(siteUsers.author)
    assert.equal(await meAtPhp(other, await site.restNonce(other)), 'author')
    const link = await fetch(`${service.url}/blog/wp-login.php?action=logout`, { headers: { cookie: other } })
    const [, path = ''] = /href="([^"]*action=logout[^"]*_wpnonce=[^"]*)"/.exec(await link.text()) ?? []
    const url = new URL(path.replaceAll('&amp;', '&').replaceAll('&#038;', '&'), service.url)
    await fetch(`${service.url}${url.pathname}${url.search}`, { headers: { cookie: other }, redirect: 'manual' })
    const admin = await fetch(`${site.url}/wp-admin/profile.php`, { headers: { cookie: other }, redirect: 'manual' })
    assert.equal(admin.status, 302)
  })

  it('"Log out everywhere" here ends all sessions at PHP, and a password that PHP changes ends those here', async () => {
    const cookies = [await site.logIn(siteUsers.author), await logInHere(siteUsers.author)]
    const atPhp = async (cookie: string) =>
      (await fetch(`${site.url}/wp-admin/profile.php`, { headers: { cookie }, redirect: 'manual' })).status
    for (const cookie of cookies) assert.equal(await atPhp(cookie), 200)
    const profile = `${service.url}/blog/wp-admin/profile.php`
    const page = await (await fetch(profile, { headers: { cookie: cookies[1] ?? '' } })).text()
    assert.match(page, new RegExp(`password and picture in the\\s+<a href="${site.url}/wp-admin/profile.php">`))
    assert.match(page, /After a new password, earlier logins no longer work\./)
    const form = page.split('<form').find((each) => each.includes('value="end-all-sessions"')) ?? assert.fail(page)
    const [, nonce = ''] = /name="_wpnonce"[^>]*value="([0-9a-f]{10})"/.exec(form) ?? []
    const ended = await fetch(profile, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookies[1] ?? '' },
      body: new URLSearchParams({ action: 'end-all-sessions', target: '', _wpnonce: nonce }),
    })
    assert.equal(ended.status, 302, await ended.text())
    for (const cookie of cookies) assert.equal(await atPhp(cookie), 302)

    const cookie = await logInHere(siteUsers.author)
    const headers = { cookie, 'x-wp-nonce': await site.restNonce(cookie) }
    assert.equal((await meHere(headers)).me.login, 'author')
    await site.php("wp_set_password( $argument, get_user_by( 'login', 'author' )->ID );", siteUsers.author.password)
    assert.notEqual((await meHere(headers)).me.login, 'author')
    assert.equal((await fetch(profile, { headers: { cookie }, redirect: 'manual' })).status, 302)
  })

  it('application passwords that PHP has made work here, until PHP revokes them', async () => {
    const authorization = await site.applicationPassword(siteUsers.editor)
    assert.equal((await meHere({ authorization })).me.login, 'editor')
    const used = (await site.php(
      "return WP_Application_Passwords::get_user_application_passwords( get_user_by( 'login', 'editor' )->ID )[0];",
    )) as { last_used: number; last_ip: string }
    assert.equal(used.last_ip, '127.0.0.1')
    assert.ok(used.last_used > 0)
    await site.php(
      "WP_Application_Passwords::delete_all_application_passwords( get_user_by( 'login', 'editor' )->ID );",
    )
    assert.equal((await meHere({ authorization })).status, 401)
  })

  it('an application password is checked slowly once in five minutes, and no longer when PHP changes or revokes it', async () => {
    // From 6.8 on the hash is a fast one.
    const slow = site.version < 6.8 ? 1 : 0
    const authorization = await site.applicationPassword(siteUsers.editor)
    const hasher = ThreadedPasswordHasher.prototype
    const original = hasher.verify
    let checks = 0
    hasher.verify = function (...all) {
      checks += 1
      return original.apply(this, all)
    }
    try {
      for (let count = 0; count < 5; count += 1) assert.equal((await meHere({ authorization })).me.login, 'editor')
      assert.equal(checks, slow)
      const wrong = `Basic ${Buffer.from('editor:abcd efgh ijkl mnop qrst uvwx').toString('base64')}`
      for (let count = 0; count < 2; count += 1) assert.equal((await meHere({ authorization: wrong })).status, 401)
      assert.equal(checks, 3 * slow)
      const revoke =
        "WP_Application_Passwords::delete_all_application_passwords( get_user_by( 'login', 'editor' )->ID );"
      await site.php(revoke)
      assert.equal((await meHere({ authorization })).status, 401)
    } finally {
      hasher.verify = original
    }
  })

  it('application passwords that were made here work at PHP', async () => {
    const id = Number(await site.php("return get_user_by( 'login', 'author' )->ID;"))
    const { password, item } = await service.service.applicationPasswords.create(id, { name: 'made here' })
    const authorization = `Basic ${Buffer.from(`author:${password}`).toString('base64')}`
    const response = await fetch(`${site.url}/wp-json/wp/v2/users/me`, { headers: { authorization } })
    assert.equal(((await response.json()) as { slug?: string }).slug, 'author')
    assert.match(item.password, site.version < 6.8 ? /^\$P\$B/ : /^\$generic\$/)
  })

  it('roles and capabilities that PHP changes count with the next request', async () => {
    const authorization = await site.applicationPassword(siteUsers.subscriber)
    const { me } = await meHere({ authorization })
    assert.deepEqual([me.roles, me.publishes], [['subscriber'], false])
    await site.php("get_user_by( 'login', 'subscriber' )->add_cap( 'publish_posts' );")
    assert.equal((await meHere({ authorization })).me.publishes, true)
    await site.php("get_user_by( 'login', 'subscriber' )->remove_cap( 'publish_posts' );")
    assert.equal((await meHere({ authorization })).me.publishes, false)
    await site.php("add_role( 'seller', 'Seller', array( 'read' => true, 'publish_posts' => true ) );")
    await site.php("get_user_by( 'login', 'subscriber' )->set_role( 'seller' );")
    assert.deepEqual((await meHere({ authorization })).me, { login: 'subscriber', roles: ['seller'], publishes: true })
    await site.php("get_role( 'seller' )->remove_cap( 'publish_posts' );")
    assert.equal((await meHere({ authorization })).me.publishes, false)
  })

  it('a password that is changed here is that of PHP, in its format, and ends the sessions there', async () => {
    const cookie = await site.logIn(siteUsers.contributor)
    const id = Number(await site.php("return get_user_by( 'login', 'contributor' )->ID;"))
    await service.service.users.update(id, { password: 'another password' })
    const hash = String(await site.php("return get_user_by( 'login', 'contributor' )->user_pass;"))
    assert.match(hash, site.version < 6.8 ? portableHash : bcryptHash)
    const admin = await fetch(`${site.url}/wp-admin/profile.php`, { headers: { cookie }, redirect: 'manual' })
    assert.equal(admin.status, 302)
    await site.logIn({ login: 'contributor', password: 'another password' })
    await logInHere({ login: 'contributor', password: 'another password' })
    await site.php("wp_set_password( 'third password', get_user_by( 'login', 'contributor' )->ID );")
    await logInHere({ login: 'contributor', password: 'third password' })
  })

  const storedHashes = {
    MD5: createHash('md5').update('correct horse').digest('hex'),
    Argon2: '$argon2i$v=19$m=1024,t=2,p=1$S1RicmVuUGxXNVE3YWFGVg$vTqG29HClu9ofY7MZsmcOODcAV9aNvl1T21pftgy3UM',
    bcrypt: '$2y$04$9cv0cv6mSDvePdE5WriuyevYS05mC6f1Un9O10XZ6fZnXjfEL9TOK',
  }
  const store = (hash: string) =>
    foreignSql(site.database, `UPDATE Wp2_users SET user_pass = '${hash}' WHERE user_login = 'contributor'`)
  for (const [format, hash] of Object.entries(storedHashes))
    it(`the cookies of a user whose hash is ${format} hold at both programs, as the installed WordPress signs them`, async () => {
      await store(hash)
      const cookie = String(
        await site.php(`$id = get_user_by( 'login', 'contributor' )->ID;
          $end = time() + 3600;
          $token = WP_Session_Tokens::get_instance( $id )->create( $end );
          return LOGGED_IN_COOKIE . '=' . urlencode( wp_generate_auth_cookie( $id, $end, 'logged_in', $token ) )
            . '; ' . AUTH_COOKIE . '=' . urlencode( wp_generate_auth_cookie( $id, $end, 'auth', $token ) );`),
      )
      assert.equal((await meHere({ cookie, 'x-wp-nonce': await site.restNonce(cookie) })).me.login, 'contributor')
      const ours = await logInHere({ login: 'contributor', password: 'correct horse' })
      assert.equal(await meAtPhp(ours, await site.restNonce(ours)), 'contributor')
    })

  const setVersion = (number: number) =>
    foreignSql(site.database, `UPDATE Wp2_options SET option_value = '${number}' WHERE option_name = 'db_version'`)
  /** The `db_version` of 6.1 and 6.8. */
  const versions = { portable: 53_496, bcrypt: 60_421 }

  it('a hash of phpBB, which a WordPress before 6.8 reads, verifies until the update', async () => {
    const { login } = siteUsers.contributor
    const forum = { login, password: 'of a forum' }
    const hashed = `require_once ABSPATH . 'wp-includes/class-phpass.php';
      return ( new PasswordHash( 8, true ) )->HashPassword( 'of a forum' );`
    await store(String(await site.php(hashed)).replace('$P$', '$H$'))
    if (site.version < 6.8) {
      await site.logIn(forum)
      await logInHere(forum)
    } else await assert.rejects(site.logIn(forum), /cannot log in: 200/)
    await setVersion(versions.bcrypt)
    try {
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await assert.rejects(logInHere(forum), /is incorrect/)
    } finally {
      await setVersion(site.dbVersion)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
  })

  it('an update of WordPress is noticed: new hashes have its format', async () => {
    const hashOf = async (password: string) => {
      const id = Number(await site.php("return get_user_by( 'login', 'subscriber' )->ID;"))
      // It is noticed at most a second later, also where no request comes.
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await service.service.users.update(id, { password })
      return String(await site.php("return get_user_by( 'login', 'subscriber' )->user_pass;"))
    }
    try {
      await setVersion(versions.bcrypt)
      assert.match(await hashOf('one'), bcryptHash)
      await setVersion(versions.portable)
      assert.match(await hashOf('two'), portableHash)
    } finally {
      await setVersion(site.dbVersion)
    }
    assert.match(await hashOf('three'), site.version < 6.8 ? portableHash : bcryptHash)
  })

  it('creates no table, trigger, index or option', async () => {
    const { schema, tables } = await site.dump()
    assert.deepEqual(
      Object.keys(schema).filter((name) => !name.startsWith('Wp2_')),
      [],
    )
    assert.ok(
      !JSON.stringify([schema, tables['Wp2_options']?.map((row) => row['option_name'])]).includes('as_rest_route'),
    )
  })
})
