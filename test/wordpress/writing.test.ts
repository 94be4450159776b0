import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { resolveOptions } from '../../src/app/resolve-options.js'
import { openStorage } from '../../src/app/stores.js'
import { Sessions } from '../../src/auth/sessions.js'
import { SiteOptions } from '../../src/content/site-options.js'
import { Terms } from '../../src/content/terms.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startService, type StartedService } from '../support/start-service.js'
import { comparableRows, differingRows } from '../support/wordpress/comparable-rows.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'
import { until } from '../support/until.js'

describe('writes into the database of WordPress', { skip: skipWithoutWordPress() }, () => {
  /** PHP writes into one, the service into the other. Both begin as equal sites. */
  let php: WordPressSite
  let other: WordPressSite
  let service: StartedService
  /** That of the service, for what its handlers inject. */
  let storage: OpenedStorage
  before(async () => {
    const plugin = `<?php add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'hierarchical' => true, 'supports' => array( 'title', 'editor', 'excerpt', 'revisions', 'page-attributes' ) ) ); } );`
    const plugins = { 'books.php': plugin }
    ;[php, other] = await Promise.all([startWordPressSite({ plugins }), startWordPressSite({ plugins })])
    service = await startService(new URL('../../examples/shop/app/', import.meta.url), {
      wordpress: { config: other.configPath },
      record_types: {
        product: {
          public: true,
          supports: ['title', 'editor', 'excerpt'],
          taxonomies: ['category'],
          meta: {
            price: { type: 'number', default: 0 },
            total_sales: { type: 'integer', default: 0 },
            sizes: { type: 'array' },
          },
        },
        book: { public: true, hierarchical: true, supports: ['title', 'editor', 'excerpt', 'revisions'] },
      },
    })
    const resolved = resolveOptions({ wordpress: { config: other.configPath } }, { file: null, options: {} })
    storage = await openStorage(resolved.options, 'change')
  })
  after(async () => {
    await storage?.close()
    await service?.close()
    await php?.stop()
    await other?.stop()
  })

  const options = () => new SiteOptions(storage)
  const terms = () => new Terms(storage)
  /** Compares all rows of both sites. */
  const compare = async () => {
    const ours = comparableRows(await other.dump(), other.url)
    const theirs = comparableRows(await php.dump(), php.url)
    assert.deepEqual(differingRows(ours, theirs), [])
  }
  /** Does the same at both, and compares all rows. */
  const same = async (code: string, here: () => Promise<unknown>, argument?: unknown) => {
    await php.php(code, argument)
    await here()
    await compare()
  }

  it('both sites begin equal', compare)

  const ids: Record<string, number> = {}
  it('insert a product with metadata', () =>
    same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Hello Wörld', 'post_content' => 'x', 'meta_input' => array( 'price' => 3, 'sizes' => array( 's', 'm', array( 'x' => 1.5, 'y' => true, 'z' => null ) ) ) ) );",
      async () => {
        const { id } = await service.service.records.insert({
          type: 'product',
          status: 'publish',
          title: 'Hello Wörld',
          content: 'x',
          meta: { price: 3, sizes: ['s', 'm', { x: 1.5, y: true, z: null }] },
        })
        ids['product'] = id
      },
    ))
  it('insert a draft, and publish it', async () => {
    await same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_title' => 'Draft title', 'post_content' => 'x' ) );",
      async () => {
        ids['draft'] = (
          await service.service.records.insert({ type: 'product', title: 'Draft title', content: 'x' })
        ).id
      },
    )
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish' ) );",
      () => service.service.records.update(ids['draft'] ?? 0, { status: 'publish' }),
      ids['draft'],
    )
  })
  it('a second record of one title gets a number', () =>
    same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Hello Wörld', 'post_content' => 'x' ) );",
      async () => {
        ids['second'] = (
          await service.service.records.insert({
            type: 'product',
            status: 'publish',
            title: 'Hello Wörld',
            content: 'x',
          })
        ).id
      },
    ))
  it('change a title and metadata', async () => {
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_title' => 'New' ) );",
      () => service.service.records.update(ids['product'] ?? 0, { title: 'New' }),
      ids['product'],
    )
    await same(
      "update_post_meta( $argument, 'price', 4 ); delete_post_meta( $argument, 'sizes' );",
      () => service.service.records.update(ids['product'] ?? 0, { meta: { price: 4 }, remove_meta: ['sizes'] }),
      ids['product'],
    )
  })
  it('change a slug, and change it back', async () => {
    for (const slug of ['other', 'hello-world'])
      await same(
        `wp_update_post( array( 'ID' => $argument, 'post_name' => '${slug}' ) );`,
        () => service.service.records.update(ids['product'] ?? 0, { slug }),
        ids['product'],
      )
  })
  it('create categories and relate them', async () => {
    await same(
      "wp_insert_term( 'Shoes', 'category' ); wp_insert_term( 'Boots', 'category', array( 'parent' => get_term_by( 'slug', 'shoes', 'category' )->term_id ) );",
      async () => {
        const shoes = await terms().create({ name: 'Shoes' })
        await terms().create({ name: 'Boots', parent: shoes.id })
      },
    )
    await same(
      "wp_set_object_terms( $argument, array( 'shoes', 'boots' ), 'category' );",
      () => service.service.records.update(ids['product'] ?? 0, { terms: { category: ['shoes', 'boots'] } }),
      ids['product'],
    )
    await same(
      "wp_set_object_terms( $argument, array( 'boots' ), 'category' );",
      () => service.service.records.update(ids['product'] ?? 0, { terms: { category: ['boots'] } }),
      ids['product'],
    )
  })
  it('trash a record, restore it, and delete it', async () => {
    const id = ids['product']
    await same('wp_trash_post( $argument );', () => service.service.records.update(id ?? 0, { status: 'trash' }), id)
    await same('wp_untrash_post( $argument );', () => service.service.records.update(id ?? 0, { status: 'draft' }), id)
    await same('wp_delete_post( $argument, true );', () => service.service.records.delete(id ?? 0), id)
  })
  it('a type with revisions, and children of a deleted record', async () => {
    await same(
      "$book = wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'B', 'post_content' => 'x' ) ); wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'C', 'post_content' => 'x', 'post_parent' => $book ) );",
      async () => {
        const { id } = await service.service.records.insert({
          type: 'book',
          status: 'publish',
          title: 'B',
          content: 'x',
        })
        ids['book'] = id
        await service.service.records.insert({ type: 'book', status: 'publish', title: 'C', content: 'x', parent: id })
      },
    )
    const id = ids['book']
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_content' => 'y' ) );",
      () => service.service.records.update(id ?? 0, { content: 'y' }),
      id,
    )
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_status' => 'private' ) );",
      () => service.service.records.update(id ?? 0, { status: 'private' }),
      id,
    )
    await same('wp_delete_post( $argument, true );', () => service.service.records.delete(id ?? 0), id)
  })
  it('delete a record that has comments', () =>
    same(
      "$comment = wp_insert_comment( array( 'comment_post_ID' => $argument, 'comment_content' => 'c' ) ); add_comment_meta( $comment, 'k', 'v' ); wp_delete_post( $argument, true );",
      async () => {
        await other.php(
          "$comment = wp_insert_comment( array( 'comment_post_ID' => $argument, 'comment_content' => 'c' ) ); add_comment_meta( $comment, 'k', 'v' );",
          ids['second'],
        )
        await service.service.records.delete(ids['second'] ?? 0)
      },
      ids['second'],
    ))

  const draft = () => ids['draft'] ?? 0
  it('metadata: the same value again, and a list', async () => {
    await same(
      "update_post_meta( $argument, 'price', 4 );",
      () => service.service.records.update(draft(), { meta: { price: 4 } }),
      draft(),
    )
    await same(
      "update_post_meta( $argument, 'price', 4 );",
      () => service.service.records.update(draft(), { meta: { price: 4 } }),
      draft(),
    )
    await same(
      "update_post_meta( $argument, 'sizes', array( 's', array( 'x' => 1.5 ) ) );",
      () => service.service.records.update(draft(), { meta: { sizes: ['s', { x: 1.5 }] } }),
      draft(),
    )
  })

  it('a scheduled record: its task comes, moves with the date, and goes', async () => {
    const { records } = service.service
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

  it('the list of tasks is written byte for byte as PHP writes it', async () => {
    const { records } = service.service
    await php.php(
      "wp_schedule_event( 1700000000, 'hourly', 'of_a_plugin', array( 0.1, 'x', array( 'k' => PHP_INT_MAX ) ) );",
    )
    await php.php("wp_schedule_single_event( 2524608000, 'last' );")
    const raw = async ({ database }: WordPressSite) =>
      (await foreignSql(database, "SELECT option_value FROM wp_options WHERE option_name = 'cron'"))[0]?.[0]
    const tasks = await raw(php)
    assert.match(String(tasks), /of_a_plugin.*last/)
    await foreignSql(other.database, `UPDATE wp_options SET option_value = '${tasks}' WHERE option_name = 'cron'`)
    const ofProducts: number[] = []
    for (const date of ['2030-01-01 00:00:00', '2065-05-05 05:05:05', '2030-01-01 00:00:00']) {
      const there = await php.php(
        "return wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Later', 'post_date' => $argument ) );",
        date,
      )
      const { id } = await records.insert({ type: 'product', status: 'publish', title: 'Later', date })
      assert.equal(there, id)
      assert.equal(await raw(other), await raw(php))
      ofProducts.push(id)
    }
    for (const id of ofProducts) {
      await php.php('wp_delete_post( $argument, true );', id)
      await records.delete(id)
      assert.equal(await raw(other), await raw(php))
    }
    assert.equal(await raw(other), tasks)
  })

  it('PHP publishes a record that was scheduled here', async () => {
    const { id } = await service.service.records.insert({
      type: 'product',
      status: 'publish',
      title: 'Soon',
      date: '2030-01-01 00:00:00',
    })
    // The hour has come.
    const past = { post_date: '2020-01-01 00:00:00', post_date_gmt: '2020-01-01 00:00:00' }
    const published = await other.php(
      `global $wpdb;
      $tasks = wp_get_scheduled_event( 'publish_future_post', array( $argument['id'] ) );
      $wpdb->update( $wpdb->posts, $argument['past'], array( 'ID' => $argument['id'] ) );
      clean_post_cache( $argument['id'] );
      do_action_ref_array( $tasks->hook, $tasks->args );
      return array( $tasks->timestamp, get_post_status( $argument['id'] ), wp_next_scheduled( 'publish_future_post', array( $argument['id'] ) ) );`,
      { id, past },
    )
    assert.deepEqual(published, [1_893_456_000, 'publish', false])
    await other.php('wp_delete_post( $argument, true );', id)
    await php.php(
      "wp_delete_post( wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Soon', 'post_date' => '2030-01-01 00:00:00' ) ), true );",
    )
    await compare()
  })

  it('posts: with the default category, pings, a calendar, and one that is sticky', async () => {
    const { records } = service.service
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
    for (const { database } of [php, other])
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
    await fetch(service.rest)
    await same(
      "wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'No pings', 'post_content' => 'x' ) );",
      () => records.insert({ type: 'post', status: 'publish', title: 'No pings', content: 'x' }),
    )
  })

  it('a record in the trash has no comments, is in no menu when it is gone, and is no front page', async () => {
    const { records } = service.service
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
    await same(prepare, async () => (page = Number(await other.php(prepare))))
    await same('wp_trash_post( $argument );', () => records.update(page, { status: 'trash' }), page)
    await same('wp_untrash_post( $argument );', () => records.update(page, { status: 'draft' }), page)
    await same(
      "update_option( 'page_for_posts', $argument ); wp_delete_post( $argument, true );",
      async () => {
        await other.php("update_option( 'page_for_posts', $argument );", page)
        await records.delete(page)
      },
      page,
    )
  })

  it('a page that becomes public is added to the menus that take new pages by themselves', async () => {
    const { records } = service.service
    const prepare = `
      $hidden = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Hidden', 'post_content' => 'x' ) );
      $menus = array_map( 'wp_create_nav_menu', array( 'Filled', 'Empty' ) );
      foreach ( array( array( 'custom', '', 0 ), array( 'post_type', 'page', $hidden ), array( 'taxonomy', 'category', 1 ), array( 'post_type', 'page', 1 ) ) as list( $type, $object, $id ) )
        wp_update_nav_menu_item( $menus[0], 0, array( 'menu-item-type' => $type, 'menu-item-object' => $object, 'menu-item-object-id' => $id, 'menu-item-url' => 'http://x', 'menu-item-title' => 'x', 'menu-item-status' => 'publish' ) );
      wp_trash_post( $hidden );
      update_option( 'nav_menu_options', array( 0 => false, 'auto_add' => array_merge( $menus, array( 99999 ) ) ) );
      return $menus;`
    await same(prepare, () => other.php(prepare))
    let page = 0
    await same(
      "wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'About', 'post_content' => 'x' ) );",
      async () => {
        page = (await records.insert({ type: 'page', status: 'publish', title: 'About', content: 'x' })).id
      },
    )
    const items = await other.php(
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

  it('options: change one, add one, and delete it', async () => {
    await same("update_option( 'blogname', 'Z' );", () => options().set('blogname', 'Z'))
    await same("add_option( 'my_option', array( 'a' => 1 ) );", () => options().set('my_option', { a: 1 }))
    await same("delete_option( 'my_option' );", () => options().delete('my_option'))
  })

  it('application passwords: create two, rename one, revoke one, revoke all', async () => {
    const { applicationPasswords } = service.service
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

  it('an application password is used, and used again', async () => {
    const there = await php.applicationPassword(siteUsers.author, 'test')
    const { password } = await service.service.applicationPasswords.create(3, { name: 'test' })
    await compare()
    const ours = `Basic ${Buffer.from(`${siteUsers.author.login}:${password}`).toString('base64')}`
    for (let use = 0; use < 2; use += 1) {
      const answers = await Promise.all([
        fetch(`${php.url}/wp-json/wp/v2/users/me`, { headers: { authorization: there } }),
        fetch(`${service.rest}wp/v2/users/me`, { headers: { authorization: ours } }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      await compare()
    }
  })

  it('sessions: log in three times, end the others, and end all', async () => {
    const { login, password } = siteUsers.contributor
    const logInHere = async () => {
      const response = await fetch(`${service.url}/wp-login.php`, {
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
      there = await php.logIn(siteUsers.contributor)
      here = (await logInHere()) ?? ''
      await compare()
    }
    const tokenOf = (cookies: string) => decodeURIComponent(cookies).split('|')[2] ?? ''
    const token = tokenOf(/wordpress_logged_in[^;]*/.exec(there)?.[0] ?? '')
    const sessions = new Sessions(storage, Date.now)
    await same(
      'WP_Session_Tokens::get_instance( 4 )->destroy_others( $argument );',
      () => sessions.endOthers(4, tokenOf(here)),
      token,
    )
    await same('WP_Session_Tokens::get_instance( 4 )->destroy_all();', () => sessions.endAll(4))
  })

  it('users: create, change the role, the address and the password, and delete', async () => {
    const { users } = service.service
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
        assert.equal((await fetch(`${service.url}/wp-login.php?action=lostpassword`, options)).status, 302)
        // The link is made after the answer.
        await until(async () => (await storage.users.find({ id }))?.user_activation_key !== '')
      },
      id,
    )
    const possessions =
      "$GLOBALS['wpdb']->insert( $GLOBALS['wpdb']->links, array( 'link_name' => 'x', 'link_url' => 'http://x', 'link_notes' => '', 'link_owner' => $argument ) ); wp_insert_post( array( 'post_type' => 'product', 'post_title' => 'Of Bob', 'post_author' => $argument ) );"
    await same(possessions, () => other.php(possessions, id), id)
    await same(
      "require_once ABSPATH . 'wp-admin/includes/user.php'; wp_delete_user( $argument, 1 );",
      () => users.delete(id, { reassign: 1 }),
      id,
    )
  })

  it('the routes of the shop, for an editor', async () => {
    const [there, here] = [
      await php.applicationPassword(siteUsers.editor, 'shop'),
      await other.applicationPassword(siteUsers.editor, 'shop'),
    ]
    const send = async (method: string, path: string, body?: object) => {
      const options = (authorization: string) => ({
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const theirs = await fetch(`${php.url}/wp-json/shop/v1/${path}`, options(there))
      const ours = await fetch(`${service.rest}shop/v1/${path}`, options(here))
      const [theirText, ourText] = [await theirs.text(), await ours.text()]
      assert.equal(ours.status, theirs.status)
      const pathsIn = (text: string, url: string) => text.replaceAll('\\/', '/').replaceAll(url, '')
      assert.equal(pathsIn(ourText, other.url), pathsIn(theirText, php.url))
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

  it('two processes give one title different slugs', async () => {
    const second = await startService(new URL('../../examples/shop/app/', import.meta.url), {
      wordpress: { config: other.configPath },
    })
    try {
      const services = [service.service, second.service]
      const records = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          services[index % 2]?.records.insert({ type: 'product', status: 'publish', title: 'Same title' }),
        ),
      )
      assert.equal(new Set(records.map((record) => record?.slug)).size, 20)
    } finally {
      await second.close()
    }
  })

  it('creates no table, trigger or index', async () =>
    assert.deepEqual((await other.dump()).schema, (await php.dump()).schema))
})
