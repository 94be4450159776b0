import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { SiteOptions } from '../../src/content/site-options.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { pairedSites, type PairedSites } from '../support/wordpress/paired-sites.js'
import { skipWithoutWordPress, type WordPressSite } from '../support/wordpress/wordpress-site.js'

describe(
  'what WordPress keeps about records: tasks, pings, comments and menus',
  { skip: skipWithoutWordPress() },
  () => {
    const sites = pairedSites()
    const options = () => new SiteOptions(sites.storage)
    const compare = () => sites.compare()
    const same: PairedSites['same'] = (...all) => sites.same(...all)

    it('both sites begin equal', compare)

    const ids: Record<string, number> = {}
    it('a scheduled record: its task comes, moves with the date, and goes', async () => {
      const { records } = sites.service.service
      await same(
        "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Later', 'post_date' => '2030-01-01 00:00:00' ) );",
        async () => {
          ids['later'] = (
            await records.insert({ type: 'product', status: 'publish', title: 'Later', date: '2030-01-01 00:00:00' })
          ).id
        },
      )
      const later = ids['later'] ?? 0
      for (const [changes, change] of [
        ["'post_title' => 'Much later'", { title: 'Much later' }],
        [
          "'post_date' => '2031-02-03 04:05:06', 'post_date_gmt' => '2031-02-03 04:05:06'",
          { date: '2031-02-03 04:05:06', date_gmt: '2031-02-03 04:05:06' },
        ],
        ["'post_date' => '2032-02-03 04:05:06'", { date: '2032-02-03 04:05:06' }],
        ["'post_status' => 'draft'", { status: 'draft' }],
        ["'post_status' => 'publish'", { status: 'publish' }],
        ["'post_status' => 'private'", { status: 'private' }],
        ["'post_status' => 'future'", { status: 'future' }],
      ] as const)
        await same(
          `wp_update_post( array( 'ID' => $argument, ${changes} ) );`,
          () => records.update(later, change),
          later,
        )
      await same('wp_trash_post( $argument );', () => records.update(later, { status: 'trash' }), later)
      await same(
        "wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'future', 'post_title' => 'Later', 'post_content' => 'x', 'post_date' => '2030-01-01 00:00:00' ) );",
        async () => {
          const book = {
            type: 'book',
            status: 'future',
            title: 'Later',
            content: 'x',
            date: '2030-01-01 00:00:00',
          } as const
          ids['laterBook'] = (await records.insert(book)).id
        },
      )
      await same('wp_delete_post( $argument, true );', () => records.delete(ids['laterBook'] ?? 0), ids['laterBook'])
    })

    it('a scheduled record of a day before 1970 has no task', () =>
      same(
        "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'future', 'post_title' => 'Before', 'post_date' => '1969-12-31 23:59:59', 'post_date_gmt' => '2030-01-01 00:00:00' ) );",
        () =>
          sites.service.service.records.insert({
            type: 'product',
            status: 'future',
            title: 'Before',
            date: '1969-12-31 23:59:59',
            date_gmt: '2030-01-01 00:00:00',
          }),
      ))

    it('the list of tasks is written byte for byte as PHP writes it', async () => {
      const { records } = sites.service.service
      await sites.php.php(
        "wp_schedule_event( 1700000000, 'hourly', 'of_a_plugin', array( 0.1, 'x', array( 'k' => PHP_INT_MAX ) ) );",
      )
      await sites.php.php("wp_schedule_single_event( 2524608000, 'last' );")
      const raw = async ({ database }: WordPressSite) =>
        (await foreignSql(database, "SELECT option_value FROM wp_options WHERE option_name = 'cron'"))[0]?.[0]
      const tasks = await raw(sites.php)
      assert.match(String(tasks), /of_a_plugin.*last/)
      await foreignSql(
        sites.other.database,
        `UPDATE wp_options SET option_value = '${tasks}' WHERE option_name = 'cron'`,
      )
      const ofProducts: number[] = []
      for (const date of ['2030-01-01 00:00:00', '2065-05-05 05:05:05', '2030-01-01 00:00:00']) {
        const there = await sites.php.php(
          "return wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Later', 'post_date' => $argument ) );",
          date,
        )
        const { id } = await records.insert({ type: 'product', status: 'publish', title: 'Later', date })
        assert.equal(there, id)
        assert.equal(await raw(sites.other), await raw(sites.php))
        ofProducts.push(id)
      }
      for (const id of ofProducts) {
        await sites.php.php('wp_delete_post( $argument, true );', id)
        await records.delete(id)
        assert.equal(await raw(sites.other), await raw(sites.php))
      }
      assert.equal(await raw(sites.other), tasks)
    })

    it('PHP publishes a record that was scheduled here', async () => {
      const { id } = await sites.service.service.records.insert({
        type: 'product',
        status: 'publish',
        title: 'Soon',
        date: '2030-01-01 00:00:00',
      })
      // The hour has come.
      const past = { post_date: '2020-01-01 00:00:00', post_date_gmt: '2020-01-01 00:00:00' }
      const published = await sites.other.php(
        `global $wpdb;
      $tasks = wp_get_scheduled_event( 'publish_future_post', array( $argument['id'] ) );
      $wpdb->update( $wpdb->posts, $argument['past'], array( 'ID' => $argument['id'] ) );
      clean_post_cache( $argument['id'] );
      do_action_ref_array( $tasks->hook, $tasks->args );
      return array( $tasks->timestamp, get_post_status( $argument['id'] ), wp_next_scheduled( 'publish_future_post', array( $argument['id'] ) ) );`,
        { id, past },
      )
      assert.deepEqual(published, [1_893_456_000, 'publish', false])
      await sites.other.php('wp_delete_post( $argument, true );', id)
      await sites.php.php(
        "wp_delete_post( wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Soon', 'post_date' => '2030-01-01 00:00:00' ) ), true );",
      )
      await compare()
    })

    it('posts: with the default category, pings, a calendar, and one that is sticky', async () => {
      const { records } = sites.service.service
      await same(
        "wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'P', 'post_content' => 'x' ) );",
        async () => {
          ids['post'] = (await records.insert({ type: 'post', status: 'publish', title: 'P', content: 'x' })).id
        },
      )
      const id = ids['post'] ?? 0
      await same('stick_post( $argument );', () => options().set('sticky_posts', [id]), id)
      await same(
        "wp_update_post( array( 'ID' => $argument, 'post_title' => 'Q' ) );",
        () => records.update(id, { title: 'Q' }),
        id,
      )
      // Only PHP takes addresses that are to be told of a post.
      for (const { database } of [sites.php, sites.other])
        await foreignSql(database, `UPDATE wp_posts SET to_ping = 'http://other.example/' WHERE ID = ${id}`)
      await same(
        "wp_update_post( array( 'ID' => $argument, 'post_title' => 'R' ) );",
        () => records.update(id, { title: 'R' }),
        id,
      )
      await same('wp_trash_post( $argument );', () => records.update(id, { status: 'trash' }), id)
      await same('wp_untrash_post( $argument );', () => records.update(id, { status: 'draft' }), id)
      await same(
        "wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish' ) );",
        () => records.update(id, { status: 'publish' }),
        id,
      )
      await same('wp_delete_post( $argument, true );', () => records.delete(id), id)
      // The one that every new site has.
      await same('wp_trash_post( 1 );', () => records.update(1, { status: 'trash' }))
      await same("update_option( 'default_pingback_flag', 0 );", () => options().set('default_pingback_flag', '0'))
      // Options are read again for the first request after a second.
      await setTimeout(1100)
      await fetch(sites.service.rest)
      await same(
        "wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'No pings', 'post_content' => 'x' ) );",
        () => records.insert({ type: 'post', status: 'publish', title: 'No pings', content: 'x' }),
      )
    })

    it('a record in the trash has no comments, is in no menu when it is gone, and is no front page', async () => {
      const { records } = sites.service.service
      const prepare = `
      $page = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Front', 'post_content' => 'x' ) );
      foreach ( array( 1, 0 ) as $approved ) wp_insert_comment( array( 'comment_post_ID' => $page, 'comment_content' => 'c', 'comment_approved' => $approved ) );
      update_option( 'show_on_front', 'page' );
      update_option( 'page_on_front', $page );
      $menu = wp_create_nav_menu( 'Menu' );
      wp_update_nav_menu_item( $menu, 0, array( 'menu-item-object' => 'page', 'menu-item-type' => 'post_type', 'menu-item-object-id' => $page, 'menu-item-status' => 'publish' ) );
      wp_update_nav_menu_item( $menu, 0, array( 'menu-item-type' => 'custom', 'menu-item-title' => 'x', 'menu-item-url' => 'http://x', 'menu-item-status' => 'publish' ) );
      return $page;`
      let page = 0
      await same(prepare, async () => (page = Number(await sites.other.php(prepare))))
      await same('wp_trash_post( $argument );', () => records.update(page, { status: 'trash' }), page)
      await same('wp_untrash_post( $argument );', () => records.update(page, { status: 'draft' }), page)
      await same(
        "update_option( 'page_for_posts', $argument ); wp_delete_post( $argument, true );",
        async () => {
          await sites.other.php("update_option( 'page_for_posts', $argument );", page)
          await records.delete(page)
        },
        page,
      )
    })

    it('a page that becomes public is added to the menus that take new pages by themselves', async () => {
      const { records } = sites.service.service
      const prepare = `
      $hidden = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Hidden', 'post_content' => 'x' ) );
      $menus = array_map( 'wp_create_nav_menu', array( 'Filled', 'Empty' ) );
      foreach ( array( array( 'custom', '', 0 ), array( 'post_type', 'page', $hidden ), array( 'taxonomy', 'category', 1 ), array( 'post_type', 'page', 1 ) ) as list( $type, $object, $id ) )
        wp_update_nav_menu_item( $menus[0], 0, array( 'menu-item-type' => $type, 'menu-item-object' => $object, 'menu-item-object-id' => $id, 'menu-item-url' => 'http://x', 'menu-item-title' => 'x', 'menu-item-status' => 'publish' ) );
      wp_trash_post( $hidden );
      update_option( 'nav_menu_options', array( 0 => false, 'auto_add' => array_merge( $menus, array( 99999 ) ) ) );
      return $menus;`
      await same(prepare, () => sites.other.php(prepare))
      let page = 0
      await same(
        "wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'About', 'post_content' => 'x' ) );",
        async () => {
          page = (await records.insert({ type: 'page', status: 'publish', title: 'About', content: 'x' })).id
        },
      )
      const items = await sites.other.php(
        "return array_map( function ( $menu ) { return wp_list_pluck( wp_get_nav_menu_items( $menu ), 'title' ); }, get_option( 'nav_menu_options' )['auto_add'] );",
      )
      assert.deepEqual(items, [['x', 'x', 'About'], ['About'], []])
      // It has its items already.
      for (const status of ['draft', 'publish'] as const)
        await same(
          "wp_update_post( array( 'ID' => $argument[0], 'post_status' => $argument[1] ) );",
          () => records.update(page, { status }),
          [page, status],
        )
      let child = 0
      await same(
        "wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'draft', 'post_title' => 'Child', 'post_content' => 'x', 'post_parent' => $argument ) );",
        async () => {
          child = (await records.insert({ type: 'page', title: 'Child', content: 'x', parent: page })).id
        },
        page,
      )
      await same(
        "wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish' ) );",
        () => records.update(child, { status: 'publish' }),
        child,
      )
      await same(
        "wp_update_post( array( 'ID' => $argument, 'post_status' => 'draft' ) ); wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish', 'post_parent' => 0 ) );",
        async () => {
          await records.update(child, { status: 'draft' })
          await records.update(child, { status: 'publish', parent: 0 })
        },
        child,
      )
      await same('wp_delete_post( $argument, true );', () => records.delete(page), page)
    })
  },
)
