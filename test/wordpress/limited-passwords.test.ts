import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AsRestRoute, currentUser, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { startService, type StartedService } from '../support/start-service.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import {
  changesBetween,
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

const plugin = readFileSync(fileURLToPath(new URL('../../wordpress/as-rest-route.php', import.meta.url)), 'utf8')

/** A plugin with a route that lets each user who is logged in run code. */
const runsCode = `<?php add_action( 'rest_api_init', function () {
  register_rest_route( 'tools/v1', '/run', array( 'methods' => 'POST', 'permission_callback' => 'is_user_logged_in', 'callback' => function ( $request ) {
    require_once ABSPATH . 'wp-admin/includes/user.php';
    global $wpdb;
    return rest_ensure_response( array( 'result' => eval( $request['code'] ) ) );
  } ) );
} );`

class WhoAmI {
  @AsRestRoute({ namespace: 'shop/v1', route: '/me' })
  @AsRestRoute({ namespace: 'shop/v1', route: '/me', method: 'POST' })
  me() {
    return new RestResponse(currentUser().login)
  }
}

const phpList = (texts: readonly string[]): string => `array( '${texts.join("', '")}' )`

interface ReceivedResponse {
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown
}

describe('limits of application passwords at WordPress', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  const administrator = 1
  before(async () => {
    site = await startWordPressSite({ plugins: { 'as-rest-route.php': plugin, 'tools.php': runsCode } })
    service = await startService([WhoAmI], { wordpress: { config: site.configPath } })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  const basic = (password: string) => ({
    authorization: `Basic ${btoa(`${siteUsers.administrator.login}:${password}`)}`,
  })
  const limited = async (limits: { scopes?: string[]; expires?: Date }) => {
    const created = await service.service.applicationPasswords.create(administrator, { name: 'limited', ...limits })
    return { ...created, headers: basic(created.password) }
  }
  const call = async (url: string, init: RequestInit = {}): Promise<ReceivedResponse> => {
    const response = await fetch(url, init)
    const text = await response.text()
    const body: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
    return { status: response.status, code: (body as { code?: string }).code, body }
  }
  const atPhp = (path: string, init: RequestInit) => call(`${site.url}/wp-json${path}`, init)
  const here = (path: string, init: RequestInit) => call(`${service.url}/wp-json${path}`, init)
  const json = (method: string, headers: Record<string, string>, body: unknown = {}): RequestInit => ({
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const outOfScope = { status: 403, code: 'rest_application_password_scope' }
  const assertOutOfScope = ({ status, code }: ReceivedResponse, what: string) =>
    assert.deepEqual({ status, code }, outOfScope, what)
  /** Runs work while the file of the plugin has another text. */
  const withPlugin = async (text: string, work: () => Promise<void>) => {
    const file = join(site.folder, 'wp-content/mu-plugins/as-rest-route.php')
    writeFileSync(file, text)
    // PHP looks at most every two seconds whether a file has changed.
    await setTimeout(2500)
    try {
      await work()
    } finally {
      writeFileSync(file, plugin)
      await setTimeout(2500)
    }
  }

  it('a password with scopes is accepted for them, at PHP and here', async () => {
    const { headers } = await limited({ scopes: ['GET /wp/v2/posts*', 'POST /wp/v2/posts', 'GET /shop/v1/me'] })
    assert.equal((await atPhp('/wp/v2/posts', { headers })).status, 200)
    assert.equal((await atPhp('/WP/v2/Posts?context=edit', { headers })).status, 200)
    assert.equal((await call(`${site.url}/?rest_route=/wp/v2/posts/1`, { headers })).status, 200)
    assert.equal((await atPhp('/wp/v2/posts', { headers, method: 'HEAD' })).status, 200)
    assert.equal((await atPhp('/wp/v2/posts', json('POST', headers, { title: 'Scoped' }))).status, 201)
    assert.equal((await atPhp('/wp/v2/posts/1', { headers, method: 'OPTIONS' })).status, 200)
    assert.deepEqual((await here('/shop/v1/me', { headers })).body, '"administrator"')
  })

  it('for anything else it is refused with the same code', async () => {
    const { headers } = await limited({ scopes: ['GET /wp/v2/posts*', 'POST /wp/v2/posts', 'GET /shop/v1/me'] })
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/wp/v2/users/me'],
      ['GET', '/wp/v2/pages'],
      ['GET', '/wp/v2/nothing'],
      ['POST', '/wp/v2/posts/1'],
      ['DELETE', '/wp/v2/posts/1'],
      ['POST', '/wp/v2/posts?_method=DELETE'],
      ['POST', '/batch/v1'],
    ] as const)
      assertOutOfScope(await atPhp(path, method === 'GET' ? { headers } : json(method, headers)), `${method} ${path}`)
    const overridden = { ...headers, 'x-http-method-override': 'DELETE' }
    assertOutOfScope(await atPhp('/wp/v2/posts', json('POST', overridden)), 'the header X-HTTP-Method-Override')
    assertOutOfScope(await here('/shop/v1/me', json('POST', headers)), 'POST here')
  })

  it('scopes hold at PHP for the items of a batch and for embedded resources', async () => {
    const { headers } = await limited({ scopes: ['/batch/v1', 'POST /wp/v2/posts', 'GET /wp/v2/posts*'] })
    const post = (await atPhp('/wp/v2/posts', json('POST', headers, { title: 'One', status: 'publish' }))).body as {
      id: number
    }
    const requests = ['/wp/v2/posts', `/wp/v2/posts/${post.id}`].map((path) => ({ path, body: { title: 'Two' } }))
    const batch = await atPhp('/batch/v1', json('POST', headers, { requests }))
    const { responses } = batch.body as { responses: { status: number; body: { code?: string } }[] }
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.code]),
      [
        [201, undefined],
        [403, outOfScope.code],
      ],
    )
    const embedding = await atPhp(`/wp/v2/posts/${post.id}?_embed=author`, { headers })
    const { author } = (embedding.body as { _embedded: { author: { code?: string }[] } })._embedded
    assert.equal(author[0]?.code, outOfScope.code)
  })

  it('a password with scopes gives nothing more: no password, no address, no role, no user', async () => {
    const { headers, item } = await limited({ scopes: ['/wp/v2/*'] })
    assert.equal((await atPhp('/wp/v2/users/me', { headers })).status, 200)
    assert.equal((await atPhp('/wp/v2/users/me/application-passwords', { headers })).status, 200)
    assert.equal((await atPhp('/wp/v2/users/me', json('POST', headers, { nickname: 'Ad' }))).status, 200)
    const user = { username: 'eve', email: 'eve@shop.example', password: 'secret', roles: ['administrator'] }
    for (const [method, path, body] of [
      ['POST', '/wp/v2/users/me/application-passwords', { name: 'more' }],
      ['POST', `/wp/v2/users/me/application-passwords/${item.uuid}`, { name: 'renamed' }],
      ['DELETE', `/wp/v2/users/${administrator}/application-passwords`, {}],
      ['POST', '/wp/v2/users/me', { password: 'new' }],
      ['PUT', '/wp/v2/users/me', { email: 'other@shop.example' }],
      ['POST', '/wp/v2/users/2', { roles: ['administrator'] }],
      ['POST', '/WP/v2/users', user],
    ] as const)
      assertOutOfScope(await atPhp(path, json(method, headers, body)), `${method} ${path}`)
  })

  /** What routes of other plugins may do, on the user 5, a subscriber. */
  const grants: Readonly<Record<string, string>> = {
    'a user':
      "return wp_insert_user( array( 'user_login' => uniqid( 'eve' ), 'user_pass' => 'secret', 'role' => 'administrator' ) );",
    'a row of a user': "return $wpdb->insert( $wpdb->users, array( 'user_login' => uniqid( 'eve' ) ) );",
    'a row of a user by SQL of a plugin':
      'return $wpdb->query( "insert  ignore into $wpdb->users SET user_login = \'mallory\'" );',
    'a password': "wp_set_password( 'new', 5 );",
    'a password after a change of the profile':
      "wp_update_user( array( 'ID' => 5, 'display_name' => uniqid() ) ); wp_set_password( 'new', 5 );",
    'an address': "return wp_update_user( array( 'ID' => 5, 'user_email' => uniqid() . '@shop.example' ) );",
    'the key of a reset': 'return get_password_reset_key( get_userdata( 5 ) );',
    'a role': "get_userdata( 5 )->set_role( 'administrator' );",
    'a capability': "get_userdata( 5 )->add_cap( 'manage_options' );",
    'capabilities under a name that the database takes for theirs':
      "return update_user_meta( 5, 'wp_cäpabilities', array( 'administrator' => true ) );",
    'capabilities by SQL of a plugin':
      "return $wpdb->query( \"UPDATE $wpdb->usermeta SET meta_value = 'a:0:{}' WHERE user_id = 5 AND meta_key = 'WP_capabilities'\" );",
    'a login': 'wp_set_auth_cookie( 1 );',
    'an application password':
      "return WP_Application_Passwords::create_new_application_password( 1, array( 'name' => 'x' ) );",
    'a right of a role': "get_role( 'subscriber' )->add_cap( 'manage_options' );",
    registration: "return update_option( 'users_can_register', 1 );",
    'the role of new users': "return update_option( 'default_role', 'administrator' );",
    'an active plugin': "return update_option( 'active_plugins', array( 'x/x.php' ) );",
  }

  it('a password with scopes gives nothing more by the routes of other plugins', async (context) => {
    const { headers } = await limited({ scopes: ['/tools/v1/*'] })
    const run = (code: string, authorization: Record<string, string>) =>
      atPhp('/tools/v1/run', json('POST', authorization, { code }))
    assert.equal((await run('return 1;', headers)).status, 200)
    for (const [what, code] of Object.entries(grants))
      await context.test(what, async () => {
        const before = await site.dump()
        assertOutOfScope(await run(code, headers), what)
        const later = await site.dump()
        const nameOf = (table: string, id: string) =>
          [before, later].flatMap(({ tables }) => tables[table] ?? []).find((row) => row['option_id'] === id)?.[
            'option_name'
          ]
        // What WordPress writes at times, and the message of the service that the password was made.
        const rows = changesBetween(before, later).filter(
          ({ table, key }) => !/^cron$|_transient_|^as_rest_route_sender_/.test(nameOf(table, key) ?? ''),
        )
        assert.deepEqual(
          rows.flatMap(({ after, before: old }) => Object.keys(after ?? old ?? {})),
          code.includes('display_name') ? ['display_name'] : [],
        )
      })
    // A password without limits may do all of it.
    const whole = basic((await service.service.applicationPasswords.create(administrator, { name: 'whole' })).password)
    for (const [what, code] of Object.entries(grants)) assert.equal((await run(code, whole)).status, 200, what)
    await site.php("update_option( 'active_plugins', array() );")
  })

  it('a password with scopes installs and changes no plugin and no theme', async () => {
    const { headers } = await limited({ scopes: ['/tools/v1/*'] })
    const rights = ['install_plugins', 'update_plugins', 'edit_themes', 'delete_themes', 'update_core', 'edit_files']
    const code = `return array_map( 'current_user_can', ${phpList([...rights, 'activate_plugins', 'edit_users', 'edit_posts'])} );`
    const { body } = await atPhp('/tools/v1/run', json('POST', headers, { code }))
    assert.deepEqual(body, { result: [...rights.map(() => false), true, true, true] })
  })

  it('a password with scopes writes all else that its scopes reach', async () => {
    const { headers } = await limited({ scopes: ['/tools/v1/*', '/wp/v2/*'] })
    for (const code of [
      "return wp_insert_post( array( 'post_title' => 'INSERT INTO wp_users', 'post_content' => \"'wp_capabilities' \\\\'session_tokens\\\\'\" ) ) > 0;",
      "return update_user_meta( 1, 'first_name', uniqid( 'UPDATE wp_users SET ' ) ) > 0;",
      "return wp_update_user( array( 'ID' => 1, 'display_name' => 'Ad', 'user_url' => 'https://shop.example', 'description' => uniqid() ) ) === 1;",
      "return update_option( 'blogdescription', uniqid( 'wp_users' ) );",
      "return update_option( 'my_plugin', array( 'default_role_of_mine' => uniqid() ) );",
    ]) {
      const { status, body } = await atPhp('/tools/v1/run', json('POST', headers, { code }))
      assert.deepEqual([status, body], [200, { result: true }], code)
    }
    assert.equal((await atPhp('/wp/v2/users/me', json('POST', headers, { name: 'Administrator' }))).status, 200)
  })

  it('an application password logs in nowhere but at the REST API', async () => {
    const { headers, password } = await limited({ scopes: ['/*'] })
    const { login } = siteUsers.administrator
    const nonce = await call(`${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers })
    assert.equal(nonce.body, '0')
    const admin = await fetch(`${site.url}/wp-admin/users.php`, { headers, redirect: 'manual' })
    assert.equal(admin.status, 302)
    const form = new URLSearchParams({ log: login, pwd: password, testcookie: '1' })
    const cookie = 'wordpress_test_cookie=WP%20Cookie%20check'
    const loggedIn = await fetch(`${site.url}/wp-login.php`, { method: 'POST', body: form, headers: { cookie } })
    assert.match(await loggedIn.text(), /login_error/)
    const text = (value: string) => `<param><value><string>${value}</string></value></param>`
    const xml = `<?xml version="1.0"?><methodCall><methodName>wp.getProfile</methodName><params>${text('1')}${text(login)}${text(password)}</params></methodCall>`
    const response = await fetch(`${site.url}/xmlrpc.php`, { method: 'POST', body: xml })
    assert.match(await response.text(), /faultCode/)
  })

  it('a password with scopes is refused by XML-RPC', async () => {
    const authenticated = (password: string) =>
      site.php(
        `define( 'XMLRPC_REQUEST', true );
        $user = wp_authenticate( 'administrator', $argument );
        return is_wp_error( $user ) ? $user->get_error_code() : $user->user_login;`,
        password,
      )
    const { password } = await service.service.applicationPasswords.create(administrator, { name: 'whole' })
    assert.equal(await authenticated(password), 'administrator')
    assert.equal(await authenticated((await limited({ scopes: ['/*'] })).password), outOfScope.code)
    const { password: lasting } = await limited({ expires: new Date(Date.now() + 60_000) })
    assert.equal(await authenticated(lasting), 'administrator')
  })

  it('a password ends at PHP and here at its time, and its use keeps its limits', async () => {
    const { headers, item } = await limited({ expires: new Date(Date.now() + 10_000), scopes: ['/wp/v2/users/me'] })
    assert.equal((await atPhp('/wp/v2/users/me', { headers })).status, 200)
    const used = await service.service.applicationPasswords.find(administrator, item.uuid)
    assert.equal(typeof used?.last_used, 'number')
    assert.deepEqual([used?.scopes, used?.expires], [item.scopes, item.expires])
    await setTimeout(Math.max(0, (item.expires ?? 0) * 1000 - Date.now()) + 100)
    const refused = await here('/wp/v2/users/me', { headers })
    assert.deepEqual([refused.status, refused.code], [401, 'application_password_ended'])
    // For PHP, a refused application password is none at all.
    const anonymous = await atPhp('/wp/v2/users/me', { headers })
    assert.deepEqual([anonymous.status, anonymous.code], [401, 'rest_not_logged_in'])
  })

  it('damaged scopes allow nothing, and a damaged end has passed', async () => {
    const change = async (uuid: string, values: unknown) =>
      site.php(
        `$list = WP_Application_Passwords::get_user_application_passwords( 1 );
        foreach ( $list as &$item ) if ( $item['uuid'] === $argument[0] ) $item = $argument[1] + $item;
        update_user_meta( 1, '_application_passwords', $list );`,
        [uuid, values],
      )
    const { headers, item } = await limited({ scopes: ['/wp/v2/*'], expires: new Date(Date.now() + 3_600_000) })
    assert.equal((await atPhp('/wp/v2/posts', { headers })).status, 200)
    for (const scopes of ['/wp/v2/*', [], ['wp/v2/*'], [7], null]) {
      await change(item.uuid, { scopes })
      assertOutOfScope(await atPhp('/wp/v2/posts', { headers }), JSON.stringify(scopes))
    }
    for (const expires of ['soon', null, 5]) {
      await change(item.uuid, { expires })
      assert.equal((await atPhp('/wp/v2/users/me', { headers })).code, 'rest_not_logged_in', String(expires))
    }
  })

  it('passwords without limits are those of WordPress', async () => {
    const { password, item } = await service.service.applicationPasswords.create(administrator, { name: 'whole' })
    assert.match(item.password, site.version < 6.8 ? /^\$P\$B/ : /^\$generic\$/)
    assert.equal((await atPhp('/wp/v2/users/me', { headers: basic(password) })).status, 200)
    const authorization = await site.applicationPassword(siteUsers.administrator)
    assert.equal((await atPhp('/', { headers: { authorization } })).status, 200)
  })

  it('the command makes them too', async () => {
    const create = ['user', 'application-password', 'create', siteUsers.administrator.login, 'import']
    process.env['WORDPRESS_CONFIG'] = site.configPath
    const { stdout, code, stderr } = await runHere([...create, '--scope', 'GET /wp/v2/posts*']).finally(
      () => delete process.env['WORDPRESS_CONFIG'],
    )
    assert.equal(code, 0, stderr)
    const password = /^(?:\w{4} ){5}\w{4}$/m.exec(stdout)?.[0] ?? ''
    assert.equal((await atPhp('/wp/v2/posts', { headers: basic(password) })).status, 200, stdout)
    assertOutOfScope(await atPhp('/wp/v2/pages', { headers: basic(password) }), 'pages')
  })

  const unsupported = { code: 'application_password_limits_unsupported' }

  it('without the plugin, PHP refuses passwords with limits, and no others are made', async () => {
    const { headers } = await limited({ scopes: ['/wp/v2/*', '/shop/v1/*'] })
    await withPlugin('<?php', async () => {
      const response = await atPhp('/wp/v2/users/me', { headers })
      assert.equal(response.status, 401, JSON.stringify(response.body))
      assert.equal((await here('/shop/v1/me', { headers })).status, 200)
      assertOutOfScope(await here('/', { headers }), 'here')
      await assert.rejects(limited({ scopes: ['/*'] }), unsupported)
      await assert.rejects(limited({ expires: new Date(Date.now() + 60_000) }), unsupported)
      await service.service.applicationPasswords.create(administrator, { name: 'whole' })
    })
    assert.equal((await atPhp('/wp/v2/users/me', { headers })).status, 200)
  })

  it('a response without the proof of the plugin makes none', async () => {
    for (const proof of ['', ", 'limits' => str_repeat( '0', 64 )"])
      await withPlugin(
        `<?php if ( isset( $_GET['as_rest_route'] ) ) { wp_send_json( array( 'refused' => null${proof} ) ); }`,
        () => assert.rejects(limited({ scopes: ['/*'] }), unsupported),
      )
    const without = await startService([WhoAmI], { wordpress: { config: site.configPath, companion: false } })
    await assert.rejects(
      without.service.applicationPasswords.create(administrator, { name: 'x', scopes: ['/*'] }),
      unsupported,
    )
    await without.close()
  })

  it('a check of a password with limits, which is slow before 6.8 and then remembered, ends with its hash', async () => {
    const { headers, item } = await limited({ scopes: ['/shop/v1/*'] })
    assert.match(item.password, site.version < 6.8 ? /^\$limited\$P\$B/ : /^\$limited\$generic\$/)
    for (let count = 0; count < 2; count += 1) assert.equal((await here('/shop/v1/me', { headers })).status, 200)
    await foreignSql(site.database, `DELETE FROM wp_usermeta WHERE meta_key = '_application_passwords'`)
    assert.equal((await here('/shop/v1/me', { headers })).status, 401)
  })
})
