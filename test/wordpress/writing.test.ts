import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type DatabaseDump,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

/** Options that only PHP writes, because what they are for runs in PHP only; and one with the time of the installation. */
const onlyOfPhp =
  /^(?:admin_email_lifespan|cron|fresh_site|wp_calendar_block_has_published_posts|_(?:site_)?transient_.*|rewrite_rules)$/

/** All rows, with one text for each time of this run, random value and address of the site. */
function comparable({ tables }: DatabaseDump, { url }: WordPressSite): Record<string, readonly string[]> {
  const now = Math.floor(Date.now() / 1000)
  const isNow = (seconds: number): boolean => Math.abs(seconds - now) < 600
  const textOf = (value: string | null): string | null =>
    value === null
      ? null
      : value
          .replaceAll(url, 'http://the.site')
          .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, (date) =>
            isNow(Date.parse(`${date.replace(' ', 'T')}Z`) / 1000) ? '<now>' : date,
          )
          .replaceAll(/\b\d{10}\b/g, (seconds) => (isNow(Number(seconds)) ? '<time>' : seconds))
          .replaceAll(/\$P\$B[./A-Za-z0-9]{30}/g, '<hash>')
          .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
          .replaceAll(/\b[0-9a-f]{64}\b/g, '<verifier>')
  const rows = Object.entries(tables).map(([table, all]): [string, string[]] => {
    const own = all
      .filter((row) => table !== 'wp_options' || !onlyOfPhp.test(row['option_name'] ?? ''))
      // PHP takes ids for options that it creates and deletes by itself.
      .map((row) => ({ ...row, ...(table === 'wp_options' && { option_id: null }) }))
      .map((row) => JSON.stringify(Object.entries(row).map(([column, value]) => [column, textOf(value)])))
    return [table, table === 'wp_options' ? own.sort() : own]
  })
  return Object.fromEntries(rows)
}

describe('writes into the database of WordPress', { skip: skipWithoutWordPress() }, () => {
  /** PHP writes into one, the service into the other. Both begin as equal sites. */
  let php: WordPressSite
  let other: WordPressSite
  let service: StartedService
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
  })
  after(async () => {
    await service?.close()
    await php?.stop()
    await other?.stop()
  })

  /** Compares all rows of both sites. */
  const compare = async () => {
    const [ours, theirs] = [comparable(await other.dump(), other), comparable(await php.dump(), php)]
    const only = (left: readonly string[] = [], right: readonly string[] = []) =>
      left.filter((row) => !right.includes(row))
    const tables = Object.keys({ ...ours, ...theirs }).filter(
      (table) => JSON.stringify(ours[table]) !== JSON.stringify(theirs[table]),
    )
    const different = tables.map((table) => ({
      table,
      ours: only(ours[table], theirs[table]),
      theirs: only(theirs[table], ours[table]),
    }))
    assert.deepEqual(different, [])
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
        const { terms } = await termsOf()
        const shoes = await terms.create({ name: 'Shoes' })
        await terms.create({ name: 'Boots', parent: shoes.id })
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
      "require_once ABSPATH . 'wp-admin/includes/user.php'; wp_delete_user( $argument, 1 );",
      () => users.delete(id, { reassign: 1 }),
      id,
    )
  })

  it('the routes of the shop, for an editor', async () => {
    const [there, here] = [
      await php.applicationPassword(siteUsers.editor),
      await other.applicationPassword(siteUsers.editor),
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

  const termsOf = async () => {
    const { Terms } = await import('../../src/content/terms.js')
    const { openStorage } = await import('../../src/app/stores.js')
    const { resolveOptions } = await import('../../src/app/resolve-options.js')
    const { options } = resolveOptions({ wordpress: { config: other.configPath } }, { file: null, options: {} })
    const storage = await openStorage(options, 'change')
    after(() => storage.close())
    return { terms: new Terms(storage) }
  }
})
