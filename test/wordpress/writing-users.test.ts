import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { AsRestRoute, inject, RestResponse, Terms, type NewTerm, type RestRequest } from 'as-rest-route'
import { Sessions } from '../../src/auth/sessions.js'
import { SiteOptions } from '../../src/content/site-options.js'
import { startService } from '../support/start-service.js'
import { until } from '../support/until.js'
import { pairedSites, type PairedSites } from '../support/wordpress/paired-sites.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

class Categories {
  constructor(private readonly terms = inject(Terms)) {}

  @AsRestRoute({ namespace: 'names/v1', route: '/categories', method: 'POST', permission: 'public' })
  async create(request: RestRequest) {
    return new RestResponse(await this.terms.create(request.get_json_params() as unknown as NewTerm))
  }
}

const hostileText = '<script>alert(1)</script> & <b onclick="x">Ann</b> \\ "q" 😀'
const texts = ['a & b', 'a &amp; b', ' two  words\tand\nlines ', "back\\slash 'q'", '100%41 <3', '', '0']

describe('users and options that are written into the database of WordPress', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()
  const compare = () => sites.compare()
  const same: PairedSites['same'] = (...all) => sites.same(...all)
  const options = () => new SiteOptions(sites.storage)

  it('both sites begin equal', compare)

  const ids: Record<string, number> = {}
  it('options: change one, add one, and delete it', async () => {
    await same("update_option( 'blogname', 'Z' );", () => options().set('blogname', 'Z'))
    await same("add_option( 'my_option', array( 'a' => 1 ) );", () => options().set('my_option', { a: 1 }))
    await same("delete_option( 'my_option' );", () => options().delete('my_option'))
  })

  it('application passwords: create two, rename one, revoke one, revoke all', async () => {
    const { applicationPasswords } = sites.service.service
    const user = 2
    const api = 'WP_Application_Passwords::'
    for (const name of ['first', 'second', 'third'])
      await same(`${api}create_new_application_password( 2, array( 'name' => '${name}' ) );`, () =>
        applicationPasswords.create(user, { name }),
      )
    const [first, second] = await applicationPasswords.list(user)
    await same(
      `${api}update_application_password( 2, ${api}get_user_application_passwords( 2 )[0]['uuid'], array( 'name' => 'renamed' ) );`,
      () => applicationPasswords.rename(user, first?.uuid ?? '', 'renamed'),
    )
    await same(`${api}delete_application_password( 2, ${api}get_user_application_passwords( 2 )[1]['uuid'] );`, () =>
      applicationPasswords.revoke(user, second?.uuid ?? ''),
    )
    await same(`${api}create_new_application_password( 2, array( 'name' => 'fourth' ) );`, () =>
      applicationPasswords.create(user, { name: 'fourth' }),
    )
    await same(`${api}delete_all_application_passwords( 2 );`, () => applicationPasswords.revokeAll(user))
  })

  it('names of application passwords are stored as by PHP, and refused where PHP refuses them', async () => {
    const { applicationPasswords } = sites.service.service
    const create = `require_once ABSPATH . 'wp-includes/class-wp-application-passwords.php';
      $made = WP_Application_Passwords::create_new_application_password( 4, array( 'name' => wp_slash( $argument ) ) );
      return is_wp_error( $made ) ? $made->get_error_code() : $made[1]['name'];`
    const rename = `$uuid = WP_Application_Passwords::get_user_application_passwords( 4 )[0]['uuid'];
      return WP_Application_Passwords::update_application_password( 4, $uuid, array( 'name' => wp_slash( $argument ) ) );`
    // PHP removes one level of backslashes of all names with each write of one.
    const names = [hostileText.replaceAll('\\', ''), ...texts, '<b></b>', '%41', ' 0 ']
    for (const name of names.filter((text) => !text.includes('\\'))) {
      const theirs = await sites.php.php(create, name)
      const ours = await applicationPasswords.create(4, { name }).then(
        ({ item }) => item.name,
        (error: { readonly code: string }) => error.code,
      )
      assert.equal(ours, typeof theirs === 'string' ? theirs.replaceAll(/\\(.)/g, '$1') : theirs, name)
      await sites.php.php(rename, name)
      const [first] = await applicationPasswords.list(4)
      await applicationPasswords.rename(4, first?.uuid ?? '', name)
    }
    await compare()
    await sites.php.php('WP_Application_Passwords::delete_all_application_passwords( 4 );')
    await applicationPasswords.revokeAll(4)
    await compare()
  })

  it('an application password is used, and used again', async () => {
    const there = await sites.php.applicationPassword(siteUsers.author, 'test')
    const { password } = await sites.service.service.applicationPasswords.create(3, { name: 'test' })
    await compare()
    const ours = `Basic ${Buffer.from(`${siteUsers.author.login}:${password}`).toString('base64')}`
    for (let use = 0; use < 2; use += 1) {
      const responses = await Promise.all([
        fetch(`${sites.php.url}/wp-json/wp/v2/users/me`, { headers: { authorization: there } }),
        fetch(`${sites.service.rest}wp/v2/users/me`, { headers: { authorization: ours } }),
      ])
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200],
      )
      await compare()
    }
  })

  it('sessions: log in three times, end the others, and end all', async () => {
    const { login, password } = siteUsers.contributor
    const logInHere = async () => {
      const response = await fetch(`${sites.service.url}/wp-login.php`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
        body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
      })
      assert.equal(response.status, 302)
      return response.headers.getSetCookie().find((cookie) => cookie.startsWith('wordpress_logged_in'))
    }
    let [there, here] = ['', '']
    for (let count = 0; count < 3; count += 1) {
      there = await sites.php.logIn(siteUsers.contributor)
      here = (await logInHere()) ?? ''
      await compare()
    }
    const tokenOf = (cookies: string) => decodeURIComponent(cookies).split('|')[2] ?? ''
    const token = tokenOf(/wordpress_logged_in[^;]*/.exec(there)?.[0] ?? '')
    const sessions = new Sessions(sites.storage, Date.now)
    await same(
      'WP_Session_Tokens::get_instance( 4 )->destroy_others( $argument );',
      () => sessions.endOthers(4, tokenOf(here)),
      token,
    )
    await same('WP_Session_Tokens::get_instance( 4 )->destroy_all();', () => sessions.endAll(4))
  })

  it('a login with a hash of an older format stores one of the installed version, as in PHP', async () => {
    const { login, password } = siteUsers.subscriber
    const portable = String(
      await sites.php.php(
        "require_once ABSPATH . 'wp-includes/class-phpass.php'; return ( new PasswordHash( 8, true ) )->HashPassword( $argument );",
        password,
      ),
    )
    for (const hash of [createHash('md5').update(password).digest('hex'), portable]) {
      const store =
        "$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->users, array( 'user_pass' => $argument, 'user_activation_key' => 'x' ), array( 'ID' => 5 ) );"
      await same(store, () => sites.other.php(store, hash), hash)
      for (const url of [sites.php.url, sites.service.url]) {
        const { status } = await fetch(`${url}/wp-login.php`, {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
          body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
        })
        assert.equal(status, 302)
      }
      await compare()
    }
  })

  it('users: create, change the role, the address and the password, and delete', async () => {
    const { users } = sites.service.service
    await same(
      "wp_insert_user( array( 'user_login' => 'Bob Smith', 'user_email' => 'Bob@Site.example', 'user_pass' => 'a password', 'role' => 'author' ) );",
      async () => {
        ids['user'] = (
          await users.create({ login: 'Bob Smith', email: 'Bob@Site.example', password: 'a password', role: 'author' })
        ).id
      },
    )
    const id = ids['user'] ?? 0
    await same("get_user_by( 'id', $argument )->set_role( 'editor' );", () => users.update(id, { role: 'editor' }), id)
    await same(
      "wp_update_user( array( 'ID' => $argument, 'user_email' => 'b2@site.example', 'display_name' => 'B' ) );",
      () => users.update(id, { email: 'b2@site.example', displayName: 'B' }),
      id,
    )
    await same("wp_set_password( 'another', $argument );", () => users.update(id, { password: 'another' }), id)
    await same(
      "wp_update_user( array( 'ID' => $argument, 'user_pass' => 'a third' ) );",
      () => users.update(id, { password: 'a third' }),
      id,
    )
    await same(
      "get_password_reset_key( get_user_by( 'id', $argument ) );",
      async () => {
        const body = new URLSearchParams({ user_login: 'Bob Smith' })
        const options = { method: 'POST', body, redirect: 'manual' } as const
        assert.equal((await fetch(`${sites.service.url}/wp-login.php?action=lostpassword`, options)).status, 302)
        // The link is made after the response.
        await until(async () => (await sites.storage.users.find({ id }))?.user_activation_key !== '')
      },
      id,
    )
    const possessions =
      "$GLOBALS['wpdb']->insert( $GLOBALS['wpdb']->links, array( 'link_name' => 'x', 'link_url' => 'http://x', 'link_notes' => '', 'link_owner' => $argument ) ); wp_insert_post( array( 'post_type' => 'product', 'post_title' => 'Of Bob', 'post_author' => $argument ) );"
    await same(possessions, () => sites.other.php(possessions, id), id)
    await same(
      "require_once ABSPATH . 'wp-admin/includes/user.php'; wp_delete_user( $argument, 1 );",
      () => users.delete(id, { reassign: 1 }),
      id,
    )
  })

  it('a user who has nothing is deleted without an heir, with sessions and application passwords', async () => {
    const { users } = sites.service.service
    const user = `$id = wp_insert_user( array( 'user_login' => 'gone', 'user_email' => 'gone@site.example', 'user_pass' => 'p', 'role' => 'author' ) );
      WP_Session_Tokens::get_instance( $id )->create( 1900000000 );
      WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'a' ) );
      update_user_meta( $id, 'of_a_plugin', 'x' );
      wp_insert_comment( array( 'comment_post_ID' => 1, 'comment_content' => 'stays', 'user_id' => $id ) );
      return $id;`
    const id = Number(await sites.php.php(user))
    await sites.other.php(user)
    await same(
      "require_once ABSPATH . 'wp-admin/includes/user.php'; wp_delete_user( $argument );",
      () => users.delete(id),
      id,
    )
  })

  it('names and descriptions of users are stored as by PHP', async () => {
    const { users } = sites.service.service
    await same(
      "wp_insert_user( wp_slash( array( 'user_login' => 'ann', 'user_email' => 'ann@site.example', 'user_pass' => 'p', 'role' => 'author', 'display_name' => $argument ) ) );",
      async () => {
        ids['ann'] = (
          await users.create({
            login: 'ann',
            email: 'ann@site.example',
            password: 'p',
            role: 'author',
            displayName: hostileText,
          })
        ).id
      },
      hostileText,
    )
    const id = ids['ann'] ?? 0
    for (const text of [hostileText, ...texts])
      await same(
        "wp_update_user( wp_slash( array( 'ID' => $argument[0], 'display_name' => $argument[1], 'nickname' => $argument[1], 'first_name' => $argument[1], 'last_name' => $argument[1], 'description' => $argument[1] ) ) );",
        () =>
          users.update(id, { displayName: text, nickname: text, firstName: text, lastName: text, description: text }),
        [id, text],
      )
    for (const url of ['javascript:alert(1)', 'x.example', 'http://x.example/?a=b&c=d e', ''])
      await same(
        "wp_update_user( wp_slash( array( 'ID' => $argument[0], 'user_url' => $argument[1] ) ) );",
        () => users.update(id, { url }),
        [id, url],
      )
    await assert.rejects(users.update(id, { displayName: '&'.repeat(60) }), { code: 'display_name_too_long' })
  })

  it('a user changes its own texts by users/me as by PHP', async () => {
    const there = await sites.php.applicationPassword(siteUsers.author, 'own')
    const here = await sites.other.applicationPassword(siteUsers.author, 'own')
    for (const text of [hostileText, ...texts, '100%4\\0a', 'x\0', '<!-->a']) {
      const body = JSON.stringify({ first_name: text, last_name: text, nickname: text || 'x', description: text })
      const send = (root: string, authorization: string) =>
        fetch(`${root}wp/v2/users/me`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body,
        })
      const theirs = await send(`${sites.php.url}/wp-json/`, there)
      const ours = await send(sites.service.rest, here)
      assert.deepEqual([text, ours.status], [text, theirs.status])
      await compare()
    }
  })

  it('preferences with floats that are whole numbers are stored as by PHP', async (context) => {
    if (sites.php.version < 6.1) return context.skip('WordPress has preferences from 6.1 on')
    const there = await sites.php.applicationPassword(siteUsers.author, 'floats')
    const here = await sites.other.applicationPassword(siteUsers.author, 'floats')
    for (const preferences of ['{"a":10.0,"b":[2.0,3,{"c":1e0}],"d":1.5,"e":{"0":-0.0,"1":7}}', '[1.0,2]', '{"a":10}'])
      for (const [root, authorization] of [
        [`${sites.php.url}/wp-json/`, there],
        [sites.service.rest, here],
      ] as const) {
        const headers = { authorization, 'content-type': 'application/json' }
        const body = `{"meta":{"persisted_preferences":${preferences}}}`
        const { status } = await fetch(`${root}wp/v2/users/me`, { method: 'POST', headers, body })
        assert.equal(status, 200)
        if (authorization === here) await compare()
      }
  })

  it('an update of a user stores the rows of the profile that are missing or odd, as by PHP', async () => {
    const { users } = sites.service.service
    const there = await sites.php.applicationPassword(siteUsers.editor, 'odd')
    const here = await sites.other.applicationPassword(siteUsers.editor, 'odd')
    const odd = `global $wpdb;
      $wpdb->update( $wpdb->users, array( 'display_name' => '' ), array( 'ID' => 2 ) );
      foreach ( array( 'nickname', 'first_name', 'last_name', 'description', 'rich_editing', 'syntax_highlighting', 'infinite_scrolling', 'comment_shortcuts', 'admin_color', 'use_ssl', 'show_admin_bar_front', 'locale' ) as $key ) {
        delete_user_meta( 2, $key );
        if ( null !== $argument ) $wpdb->insert( $wpdb->usermeta, array( 'user_id' => 2, 'meta_key' => $key, 'meta_value' => $argument ) );
      }`
    for (const value of [null, '', '0', '1', 'true', 'false', 'a <b>b</b> & "c" ; ü', 'de_DE', ' x\ty ']) {
      const prepare = () => Promise.all([sites.php, sites.other].map((site) => site.php(odd, value)))
      for (const body of [{}, { first_name: 'Ann' }, { password: siteUsers.editor.password }]) {
        await prepare()
        const send = (root: string, authorization: string) =>
          fetch(`${root}wp/v2/users/me`, {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        const theirs = await send(`${sites.php.url}/wp-json/`, there)
        const ours = await send(sites.service.rest, here)
        assert.deepEqual([ours.status, theirs.status], [200, 200])
        await compare()
      }
      await prepare()
      await same("wp_set_password( 'other', 2 );", () => users.update(2, { password: 'other' }))
      await same("get_user_by( 'id', 2 )->set_role( 'editor' );", () => users.update(2, { role: 'editor' }))
      await same("wp_update_user( array( 'ID' => 2, 'last_name' => 'B' ) );", () => users.update(2, { lastName: 'B' }))
    }
    const reset = `wp_set_password( $argument, 2 );`
    for (const site of [sites.php, sites.other]) await site.php(reset, siteUsers.editor.password)
  })

  it('names and descriptions of terms are stored as by PHP', async () => {
    const service = await startService([Categories], { wordpress: { config: sites.other.configPath } })
    const create = (term: object) =>
      fetch(`${service.rest}names/v1/categories`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(term),
      })
    const stored = texts.filter((text) => text !== '' && text !== '0')
    try {
      for (const [index, text] of [hostileText, ...stored].entries())
        await same(
          "wp_insert_term( wp_slash( $argument[0] ), 'category', wp_slash( array( 'slug' => $argument[1], 'description' => $argument[0] ) ) );",
          () => create({ name: text, slug: `hostile-${index}`, description: text }),
          [text, `hostile-${index}`],
        )
      await same("wp_insert_term( 'Tea & Cake', 'category' );", () => create({ name: 'Tea & Cake' }))
      assert.match(await (await create({ name: '<b></b>' })).text(), /empty_term_name/)
    } finally {
      await service.close()
    }
  })

  it('slugs of terms are those of WordPress, and a name is refused where WordPress refuses it', async () => {
    const terms = new Terms(sites.storage, null, undefined, true)
    const cases: (NewTerm & { readonly refused?: true })[] = [
      { name: '!' },
      { name: '!', refused: true },
      { name: '?', taxonomy: 'post_tag', slug: '-' },
      { name: '?', taxonomy: 'post_tag', refused: true },
      { name: 'Zero', slug: '0' },
      { name: 'Nought', slug: '' },
      { name: 'Dashes', slug: '--' },
      { name: '0' },
      { name: 'Renamed', slug: 'with-a-slug' },
      { name: 'Renamed', refused: true },
      { name: 'Renamed', slug: 'with-another-slug' },
      { name: 'Renamed', taxonomy: 'post_tag' },
    ]
    for (const { refused = false, ...term } of cases) {
      const code =
        "$made = wp_insert_term( $argument['name'], $argument['taxonomy'] ?? 'category', array_diff_key( $argument, array( 'name' => 1, 'taxonomy' => 1 ) ) ); return is_wp_error( $made ) ? $made->get_error_code() : null;"
      const theirs = await sites.php.php(code, term)
      const ours = await terms.create(term).then(
        () => null,
        (error: { readonly code: string }) => error.code,
      )
      assert.deepEqual([term, ours, ours], [term, theirs, refused ? 'term_exists' : null])
      await compare()
    }
    const parent = (await terms.create({ name: 'Above' })).id
    await same("wp_insert_term( 'Above', 'category' );", async () => {})
    await same(
      "wp_insert_term( 'Renamed', 'category', array( 'parent' => $argument ) );",
      () => terms.create({ name: 'Renamed', parent }),
      parent,
    )
  })

  it('a user whose login makes no slug, and whose display name is empty: from 6.9 on there is none', async () => {
    const { users } = sites.service.service
    const user = { login: '..', email: 'dots@site.example', password: 'p', role: 'author', displayName: '%41' }
    const create = `$made = wp_insert_user( array( 'user_login' => '..', 'user_email' => 'dots@site.example', 'user_pass' => 'p', 'role' => 'author', 'display_name' => '%41' ) );
      return is_wp_error( $made ) ? $made->get_error_code() : $made;`
    const code = 'empty_user_nicename'
    if (sites.php.version >= 6.9) {
      assert.equal(await sites.php.php(create), code)
      await assert.rejects(users.create(user), { code })
      const insert = `$GLOBALS['wpdb']->insert( $GLOBALS['wpdb']->users, array( 'user_login' => '..' ) ); return $GLOBALS['wpdb']->insert_id;`
      const [stored] = await Promise.all([sites.php, sites.other].map((site) => site.php(insert)))
      const update = `return wp_update_user( array( 'ID' => $argument, 'user_nicename' => '' ) )->get_error_code();`
      assert.equal(await sites.php.php(update, stored), code)
      await assert.rejects(users.update(Number(stored), { nicename: '' }), { code })
      return compare()
    }
    let id = 0
    await same(create, async () => (id = (await users.create(user)).id))
    await same(
      "wp_update_user( array( 'ID' => $argument, 'user_url' => 'http://x.example' ) );",
      () => users.update(id, { url: 'http://x.example' }),
      id,
    )
    await same(
      "wp_update_user( array( 'ID' => $argument, 'user_nicename' => '' ) );",
      () => users.update(id, { nicename: '' }),
      id,
    )
  })

  it('the routes of the shop, for an editor', async () => {
    const [there, here] = [
      await sites.php.applicationPassword(siteUsers.editor, 'shop'),
      await sites.other.applicationPassword(siteUsers.editor, 'shop'),
    ]
    const send = async (method: string, path: string, body?: object) => {
      const options = (authorization: string) => ({
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const theirs = await fetch(`${sites.php.url}/wp-json/shop/v1/${path}`, options(there))
      const ours = await fetch(`${sites.service.rest}shop/v1/${path}`, options(here))
      const [theirText, ourText] = [await theirs.text(), await ours.text()]
      assert.equal(ours.status, theirs.status)
      const pathsIn = (text: string, url: string) => text.replaceAll('\\/', '/').replaceAll(url, '')
      assert.equal(pathsIn(ourText, sites.other.url), pathsIn(theirText, sites.php.url))
      await compare()
      return JSON.parse(ourText || 'null') as { id: number } | null
    }
    const created = await send('POST', 'products', {
      title: 'Lamp <b>&amp;</b> "x"',
      content: '<script>x</script>y',
      price: 1.5,
    })
    await send('PUT', `products/${created?.id}`, { title: 'Lamp 2', price: 2 })
    await send('PUT', `products/${created?.id}`, { content: 'z' })
    await send('DELETE', `products/${created?.id}`)
    await send('DELETE', `products/${created?.id}`)
  })
})
