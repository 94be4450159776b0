import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUser, inject, RecordStore, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type SiteUser,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Names {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/me', permission: 'public' })
  me() {
    const { login, roles } = currentUser()
    return new RestResponse({ login, roles })
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/posts', permission: 'public' })
  async posts() {
    return new RestResponse((await this.records.list({ type: 'post' })).map(({ link }) => link))
  }
}

/** Constants of wp-config.php, and what the cookies of a login are called then. */
const sites: Readonly<Record<string, { readonly config: readonly string[]; readonly cookie: RegExp }>> = {
  'the constants of its cookies and of its tables of users': {
    config: [
      "define( 'COOKIEHASH', 'of_the_shop' );",
      "define( 'AUTH_COOKIE', 'writer_' . COOKIEHASH );",
      "define( 'LOGGED_IN_COOKIE', 'reader_' . COOKIEHASH );",
      "define( 'COOKIE_DOMAIN', 'shop.example' );",
      "define( 'COOKIEPATH', '/reading/' );",
      "define( 'SITECOOKIEPATH', '/writing/' );",
      "define( 'ADMIN_COOKIE_PATH', '/writing/wp-admin' );",
      "define( 'PLUGINS_COOKIE_PATH', '/writing/plugins' );",
      "define( 'CUSTOM_USER_TABLE', 'People' );",
      "define( 'CUSTOM_USER_META_TABLE', 'People_details' );",
    ],
    cookie: /^reader_of_the_shop; path=\/reading\/; domain=shop\.example; HttpOnly$/,
  },
  'WP_HOME and WP_SITEURL, of which its cookies have names and paths': {
    config: ["define( 'WP_HOME', 'http://shop.example/reading' );", "define( 'WP_SITEURL', WP_HOME . '/writing' );"],
    cookie: /^wordpress_logged_in_[0-9a-f]{32}; path=\/reading\/writing\/; HttpOnly$/,
  },
}

for (const [name, { config, cookie }] of Object.entries(sites))
  describe(`a WordPress site with ${name}`, { skip: skipWithoutWordPress() }, () => {
    let site: WordPressSite
    let service: StartedService
    before(async () => {
      site = await startWordPressSite({ config, prefix: 'Own_' })
      service = await startService([Names], { wordpress: { config: site.configPath } })
    })
    after(async () => {
      await service?.close()
      await site?.stop()
    })

    const logIn = async (url: string, { login, password }: SiteUser) => {
      const response = await fetch(`${url}/wp-login.php`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
        body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
      })
      assert.equal(response.status, 302, await response.text())
      const cookies = response.headers.getSetCookie().filter((line) => !line.startsWith('wordpress_test_cookie'))
      return {
        shapes: cookies.map((line) => line.replace(/=[^;]*/, '')).toSorted(),
        header: [...new Set(cookies.map((line) => line.split(';')[0]))].join('; '),
      }
    }
    const json = async (url: string, headers: Record<string, string> = {}) =>
      (await (await fetch(url, { headers })).json()) as unknown

    it('a login sets the cookies of PHP, and each login is one at both', async () => {
      const logins = [await logIn(site.url, siteUsers.editor), await logIn(`${service.url}`, siteUsers.editor)]
      assert.deepEqual(logins[1]?.shapes, logins[0]?.shapes)
      assert.ok(
        logins[0]?.shapes.some((shape) => cookie.test(shape)),
        logins[0]?.shapes.join('\n'),
      )
      for (const { header } of logins) {
        const headers = { cookie: header, 'x-wp-nonce': await site.restNonce(header) }
        assert.deepEqual(await json(`${service.rest}shop/v1/me`, headers), { login: 'editor', roles: ['editor'] })
        const there = await json(`${site.url}/wp-json/wp/v2/users/me?_fields=slug`, headers)
        assert.deepEqual(there, { slug: 'editor' })
      }
    })

    it('a user who is created here is one of PHP', async () => {
      const created = await service.service.users.create({
        login: 'cassandra',
        email: 'cassandra@shop.example',
        password: 'a password',
        role: 'author',
      })
      const there = await site.php(
        "$user = get_user_by( 'login', 'cassandra' ); return array( $user->ID, $user->roles, count_users()['total_users'] );",
      )
      assert.deepEqual(there, [created.id, ['author'], await service.service.users.count()])
    })

    it('`wordpress check` prints the constants', async () => {
      const { stdout } = await runHere(['wordpress', 'check', '--wordpress', site.configPath, '--json'])
      const { found: facts } = JSON.parse(stdout) as { found: Readonly<Record<string, string>> }
      const names = config.map((line) => /'(\w+)'/.exec(line)?.[1] ?? '')
      const values = (await site.php("return array_map( 'constant', $argument );", names)) as string[]
      for (const [index, constant] of names.entries())
        assert.equal(facts[constant.replace('WP_', '').toLowerCase()] ?? facts[constant], values[index], constant)
    })

    it('links are those of PHP', async () =>
      assert.deepEqual(
        await json(`${service.rest}shop/v1/posts`),
        await site.php("return array_map( 'get_permalink', get_posts() );"),
      ))
  })
