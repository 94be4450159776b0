import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Sessions } from '../../src/auth/sessions.js'
import { pairedSites } from '../support/wordpress/paired-sites.js'
import { siteUsers, skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

/** The service reads the options of the site again after a second. */
const optionsReadAgain = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1100))

describe(
  'rows that are damaged, missing or there twice are changed as by WordPress',
  { skip: skipWithoutWordPress() },
  () => {
    const sites = pairedSites()
    /** Does the same to the rows of both sites. */
    const both = async (code: string, argument?: unknown) => {
      const [theirs, ours] = [await sites.php.php(code, argument), await sites.other.php(code, argument)]
      assert.deepEqual(ours, theirs)
      await sites.compare()
      return theirs
    }
    /** Stores a text as the metadata of user 3. */
    const store = (key: string, values: readonly string[]) =>
      both(
        `global $wpdb;
      $wpdb->delete( $wpdb->usermeta, array( 'user_id' => 3, 'meta_key' => $argument[0] ) );
      foreach ( $argument[1] as $value ) $wpdb->insert( $wpdb->usermeta, array( 'user_id' => 3, 'meta_key' => $argument[0], 'meta_value' => $value ) );`,
        [key, values],
      )
    const broken = [
      '',
      'x',
      'b:0;',
      'i:5;',
      'a:2:{i:0;s:1:"a"',
      'a:1:{s:6:"author";b:1;}x',
      'O:8:"stdClass":0:{}',
      's:1:"x";',
    ]

    it('capabilities and levels', async () => {
      const author = 'a:1:{s:6:"author";b:1;}'
      for (const values of [
        ...broken.map((each) => [each]),
        [],
        [author, author],
        [author, 'a:1:{s:6:"editor";b:1;}'],
      ]) {
        await store('wp_capabilities', values)
        await store('wp_user_level', values.length === 2 ? ['2', '7'] : [])
        await sites.same("get_user_by( 'id', 3 )->set_role( 'contributor' );", () =>
          sites.service.service.users.update(3, { role: 'contributor' }),
        )
        await sites.same("get_user_by( 'id', 3 )->set_role( 'author' );", () =>
          sites.service.service.users.update(3, { role: 'author' }),
        )
      }
    })

    it('application passwords', async () => {
      const { applicationPasswords } = sites.service.service
      for (const value of broken) {
        await store('_application_passwords', [value])
        await sites.same(
          "WP_Application_Passwords::create_new_application_password( 3, array( 'name' => 'a' ) );",
          () => applicationPasswords.create(3, { name: 'a' }),
        )
      }
      await store('_application_passwords', [])
    })

    it('sessions', async () => {
      const sessions = new Sessions(sites.storage, Date.now)
      for (const value of [...broken, 'a:1:{s:1:"x";i:5;}', `a:1:{s:64:"${'a'.repeat(64)}";i:1000;}`]) {
        await store('session_tokens', [value])
        for (const url of [sites.php.url, sites.service.url]) {
          const { login, password } = siteUsers.author
          const response = await fetch(`${url}/wp-login.php`, {
            method: 'POST',
            redirect: 'manual',
            headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
            body: new URLSearchParams({ log: login, pwd: password, testcookie: '1' }),
          })
          assert.equal(response.status, 302, value)
        }
        await sites.compare()
      }
      await sites.same('WP_Session_Tokens::get_instance( 3 )->destroy_all();', () => sessions.endAll(3))
    })

    it('names of users that are there twice', async () => {
      for (const values of [['Ann', 'Bob'], []]) {
        await store('first_name', values)
        await sites.same("wp_update_user( array( 'ID' => 3, 'first_name' => 'Eva' ) );", () =>
          sites.service.service.users.update(3, { firstName: 'Eva' }),
        )
      }
    })

    it('metadata of records that are there twice', async () => {
      const id = Number(
        await both(
          `$id = wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Twice', 'post_content' => 'x' ) );
        foreach ( array( '1', '2', '2' ) as $price ) add_post_meta( $id, 'price', $price );
        foreach ( array( 'old', 'old', 'older' ) as $slug ) add_post_meta( $id, '_wp_old_slug', $slug );
        return $id;`,
        ),
      )
      const { records } = sites.service.service
      await sites.same(
        "wp_update_post( array( 'ID' => $argument, 'meta_input' => array( 'price' => 2 ) ) );",
        () => records.update(id, { meta: { price: 2 } }),
        id,
      )
      await sites.same(
        "wp_update_post( array( 'ID' => $argument, 'post_name' => 'old' ) );",
        () => records.update(id, { slug: 'old' }),
        id,
      )
      await sites.same(
        "wp_update_post( array( 'ID' => $argument, 'post_name' => 'new' ) );",
        () => records.update(id, { slug: 'new' }),
        id,
      )
      await sites.same(
        "add_post_meta( $argument, '_wp_trash_meta_status', 'x' ); wp_trash_post( $argument );",
        async () => {
          await sites.other.php("add_post_meta( $argument, '_wp_trash_meta_status', 'x' );", id)
          await records.update(id, { status: 'trash' })
        },
        id,
      )
      await sites.same('wp_untrash_post( $argument );', () => records.update(id, { status: 'draft' }), id)
      await sites.same('wp_delete_post( $argument, true );', () => records.delete(id), id)
    })

    it('options: tasks, sticky posts, the default category, menus and the tree of categories', async () => {
      const { records } = sites.service.service
      const options = [
        'cron',
        'sticky_posts',
        'default_category',
        'nav_menu_options',
        'category_children',
        'fresh_site',
        'user_count',
      ]
      for (const value of [null, '', '99999', 'x'])
        for (const option of options) {
          // Without it, WordPress gives no category, and the service that of a new site.
          if (option === 'default_category' && value === null) continue
          await both(
            `global $wpdb;
            $wpdb->update( $wpdb->options, array( 'option_name' => "_transient_$argument[0]" ), array( 'option_name' => $argument[0] ) );
            if ( null !== $argument[1] ) $wpdb->insert( $wpdb->options, array( 'option_name' => $argument[0], 'option_value' => $argument[1], 'autoload' => 'yes' ) );`,
            [option, value],
          )
          if (option === 'default_category') await optionsReadAgain()
          let id = 0
          await sites.same(
            "wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'Post', 'post_content' => 'x' ) );",
            async () => {
              id = (await records.insert({ type: 'post', status: 'publish', title: 'Post', content: 'x' })).id
            },
          )
          await sites.same('wp_delete_post( $argument, true );', () => records.delete(id), id)
          await both(
            `global $wpdb;
            $wpdb->delete( $wpdb->options, array( 'option_name' => $argument ) );
            $wpdb->update( $wpdb->options, array( 'option_name' => $argument ), array( 'option_name' => "_transient_$argument" ) );`,
            option,
          )
          if (option === 'default_category') await optionsReadAgain()
        }
    })
  },
)
