import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordChange } from '../../src/content/record.js'
import { Terms } from '../../src/content/terms.js'
import { startService } from '../support/start-service.js'
import { pairedSites, type PairedSites } from '../support/wordpress/paired-sites.js'
import { skipWithoutWordPress } from '../support/wordpress/wordpress-site.js'

describe('records that are written into the database of WordPress', { skip: skipWithoutWordPress() }, () => {
  const sites = pairedSites()
  const compare = () => sites.compare()
  const same: PairedSites['same'] = (...all) => sites.same(...all)
  const terms = () => new Terms(sites.storage)

  it('both sites begin equal', compare)

  const ids: Record<string, number> = {}
  it('insert a product with metadata', () =>
    same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Hello Wörld', 'post_content' => 'x', 'meta_input' => array( 'price' => 3, 'sizes' => array( 's', 'm', array( 'x' => 1.5, 'y' => true, 'z' => null ) ) ) ) );",
      async () => {
        const { id } = await sites.service.service.records.insert({
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
          await sites.service.service.records.insert({ type: 'product', title: 'Draft title', content: 'x' })
        ).id
      },
    )
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish' ) );",
      () => sites.service.service.records.update(ids['draft'] ?? 0, { status: 'publish' }),
      ids['draft'],
    )
  })
  it('a second record of one title gets a number', () =>
    same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Hello Wörld', 'post_content' => 'x' ) );",
      async () => {
        ids['second'] = (
          await sites.service.service.records.insert({
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
      () => sites.service.service.records.update(ids['product'] ?? 0, { title: 'New' }),
      ids['product'],
    )
    await same(
      "update_post_meta( $argument, 'price', 4 ); delete_post_meta( $argument, 'sizes' );",
      () => sites.service.service.records.update(ids['product'] ?? 0, { meta: { price: 4 }, remove_meta: ['sizes'] }),
      ids['product'],
    )
  })
  it('change a slug, and change it back', async () => {
    for (const slug of ['other', 'hello-world'])
      await same(
        `wp_update_post( array( 'ID' => $argument, 'post_name' => '${slug}' ) );`,
        () => sites.service.service.records.update(ids['product'] ?? 0, { slug }),
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
      () => sites.service.service.records.update(ids['product'] ?? 0, { terms: { category: ['shoes', 'boots'] } }),
      ids['product'],
    )
    await same(
      "wp_set_object_terms( $argument, array( 'boots' ), 'category' );",
      () => sites.service.service.records.update(ids['product'] ?? 0, { terms: { category: ['boots'] } }),
      ids['product'],
    )
  })
  it('trash a record, restore it, and delete it', async () => {
    const id = ids['product']
    await same(
      'wp_trash_post( $argument );',
      () => sites.service.service.records.update(id ?? 0, { status: 'trash' }),
      id,
    )
    await same(
      'wp_untrash_post( $argument );',
      () => sites.service.service.records.update(id ?? 0, { status: 'draft' }),
      id,
    )
    await same('wp_delete_post( $argument, true );', () => sites.service.service.records.delete(id ?? 0), id)
  })
  it('a type with revisions, and children of a deleted record', async () => {
    await same(
      "$book = wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'B', 'post_content' => 'x' ) ); wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'C', 'post_content' => 'x', 'post_parent' => $book ) );",
      async () => {
        const { id } = await sites.service.service.records.insert({
          type: 'book',
          status: 'publish',
          title: 'B',
          content: 'x',
        })
        ids['book'] = id
        await sites.service.service.records.insert({
          type: 'book',
          status: 'publish',
          title: 'C',
          content: 'x',
          parent: id,
        })
      },
    )
    const id = ids['book']
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_content' => 'y' ) );",
      () => sites.service.service.records.update(id ?? 0, { content: 'y' }),
      id,
    )
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_status' => 'private' ) );",
      () => sites.service.service.records.update(id ?? 0, { status: 'private' }),
      id,
    )
    await same('wp_delete_post( $argument, true );', () => sites.service.service.records.delete(id ?? 0), id)
  })
  it('an attachment that is the image of two records', async () => {
    const setUp = `$image = wp_insert_attachment( array( 'post_title' => 'Image', 'post_mime_type' => 'image/png', 'post_parent' => $argument ), 'image.png' );
      $posts = array( $argument, wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'With image', 'post_content' => 'x' ) ) );
      foreach ( $posts as $post ) update_post_meta( $post, '_thumbnail_id', $image );
      update_post_meta( $posts[0], '_other_id', $image );
      return $image;`
    const image = Number(await sites.php.php(setUp, draft()))
    assert.equal(await sites.other.php(setUp, draft()), image)
    await same('wp_delete_post( $argument, true );', () => sites.service.service.records.delete(image), image)
  })
  it('a change of white space makes no revision, and an automatic draft is not compared', async () => {
    let id = 0
    await same(
      "wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Spaces', 'post_content' => 'x' ) );",
      async () => {
        const book = { type: 'book', status: 'publish', title: 'Spaces', content: 'x' } as const
        id = (await sites.service.service.records.insert(book)).id
      },
    )
    const change = (content: string) =>
      same(
        "wp_update_post( wp_slash( array( 'ID' => $argument[0], 'post_content' => $argument[1] ) ) );",
        () => sites.service.service.records.update(id, { content }),
        [id, content],
      )
    for (const content of ['a b\nc', ' a \t b\r\n\r\nc\n', 'a b c', 'a\u00a0b c', 'draft']) await change(content)
    const draft =
      "require_once ABSPATH . 'wp-admin/includes/post.php'; wp_create_post_autosave( array( 'post_ID' => $argument, 'post_title' => 'Spaces', 'content' => 'by the editor', 'excerpt' => '' ) );"
    await same(draft, () => sites.other.php(draft, id), id)
    for (const content of ['draft ', 'by the editor']) await change(content)
    await same('wp_delete_post( $argument, true );', () => sites.service.service.records.delete(id), id)
  })
  it('delete a record that has comments', () =>
    same(
      "$comment = wp_insert_comment( array( 'comment_post_ID' => $argument, 'comment_content' => 'c' ) ); add_comment_meta( $comment, 'k', 'v' ); wp_delete_post( $argument, true );",
      async () => {
        await sites.other.php(
          "$comment = wp_insert_comment( array( 'comment_post_ID' => $argument, 'comment_content' => 'c' ) ); add_comment_meta( $comment, 'k', 'v' );",
          ids['second'],
        )
        await sites.service.service.records.delete(ids['second'] ?? 0)
      },
      ids['second'],
    ))

  const draft = () => ids['draft'] ?? 0
  it('metadata: the same value again, and a list', async () => {
    await same(
      "update_post_meta( $argument, 'price', 4 );",
      () => sites.service.service.records.update(draft(), { meta: { price: 4 } }),
      draft(),
    )
    await same(
      "update_post_meta( $argument, 'price', 4 );",
      () => sites.service.service.records.update(draft(), { meta: { price: 4 } }),
      draft(),
    )
    await same(
      "update_post_meta( $argument, 'sizes', array( 's', array( 'x' => 1.5 ) ) );",
      () => sites.service.service.records.update(draft(), { meta: { sizes: ['s', { x: 1.5 }] } }),
      draft(),
    )
  })

  it('a draft without a slug is restored, published, and moved to the trash again', async () => {
    const { records } = sites.service.service
    let id = 0
    await same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_title' => 'Twice', 'post_content' => 'x' ) );",
      async () => {
        id = (await records.insert({ type: 'product', title: 'Twice', content: 'x' })).id
      },
    )
    const steps: [string, RecordChange][] = [
      ['wp_trash_post( $argument );', { status: 'trash' }],
      ['wp_untrash_post( $argument );', { status: 'draft' }],
      [
        "wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish', 'post_name' => 'twice' ) );",
        { status: 'publish', slug: 'twice' },
      ],
      ['wp_trash_post( $argument );', { status: 'trash' }],
      ['wp_untrash_post( $argument );', { status: 'draft' }],
    ]
    const slugs: (string | undefined)[] = []
    for (const [code, change] of steps)
      await same(code, async () => slugs.push((await records.update(id, change))?.slug), id)
    // WordPress reads the empty slug of the first time in the trash.
    assert.deepEqual(slugs, ['__trashed', '__trashed', 'twice', 'twice__trashed', 'twice__trashed'])
  })
  it('a record that another program has moved to the trash gives up its slug to a new one', async () => {
    const { records } = sites.service.service
    const trash = `$id = wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Given up', 'post_content' => 'x' ) );
      add_post_meta( $id, '_wp_desired_post_slug', 'before' );
      $GLOBALS['wpdb']->update( $GLOBALS['wpdb']->posts, array( 'post_status' => 'trash' ), array( 'ID' => $id ) );`
    await same(trash, () => sites.other.php(trash))
    await same(
      "wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Given up', 'post_content' => 'x' ) );",
      () => records.insert({ type: 'product', status: 'publish', title: 'Given up', content: 'x' }),
    )
  })
  it('a post that gets a slug when it is published', async () => {
    const { records } = sites.service.service
    let id = 0
    await same(
      "wp_insert_post( array( 'post_status' => 'private', 'post_title' => 'Own', 'post_content' => 'x' ) );",
      async () => {
        id = (await records.insert({ type: 'post', status: 'private', title: 'Own', content: 'x' })).id
      },
    )
    await same(
      "wp_update_post( array( 'ID' => $argument, 'post_status' => 'publish', 'post_name' => 'public' ) );",
      () => records.update(id, { status: 'publish', slug: 'public' }),
      id,
    )
  })
  it('dates of the first century', async () => {
    const { records } = sites.service.service
    for (const [code, dates] of [
      ["'post_date' => '0001-02-03 04:05:06'", { date: '0001-02-03 04:05:06' }],
      ["'post_date_gmt' => '0099-02-03 04:05:06'", { date_gmt: '0099-02-03 04:05:06' }],
    ] as const)
      await same(
        `wp_insert_post( array( 'post_type' => 'product', 'post_status' => 'publish', 'post_title' => 'Old', 'post_content' => 'x', ${code} ) );`,
        () => records.insert({ type: 'product', status: 'publish', title: 'Old', content: 'x', ...dates }),
      )
  })

  it('a record of an import that has no dates is shown, and changed and deleted as by PHP', async () => {
    const { records } = sites.service.service
    const insert = `global $wpdb;
      $wpdb->insert( $wpdb->posts, array( 'post_type' => $argument[0], 'post_status' => $argument[1], 'post_title' => 'Undated', 'post_name' => $argument[2], 'post_author' => 1, 'post_content' => 'x', 'post_excerpt' => '', 'to_ping' => '', 'pinged' => '', 'post_content_filtered' => '' ) );
      return $wpdb->insert_id;`
    const zeros =
      "$post = get_post( $argument, ARRAY_A ); return array( $post['post_date'], $post['post_date_gmt'], $post['post_modified'] );"
    for (const type of ['post', 'product'])
      for (const status of ['publish', 'private', 'draft', 'pending', 'future'] as const) {
        const slug = `undated-${type}-${status}`
        const id = Number(await sites.php.php(insert, [type, status, slug]))
        await same('return null;', () => sites.other.php(insert, [type, status, slug]))
        assert.deepEqual(await sites.other.php(zeros, id), Array<string>(3).fill('0000-00-00 00:00:00'))
        assert.equal((await records.get(id))?.title, 'Undated')
        assert.ok((await records.list({ type, status, search: 'Undated' })).some((each) => each.id === id))
        if (status === 'publish') {
          const path = `/${type === 'post' ? '' : 'product/'}${slug}/`
          assert.equal((await fetch(sites.service.url + path)).status, 200)
        }
        await same(
          "wp_update_post( array( 'ID' => $argument, 'post_title' => 'Dated' ) );",
          () => records.update(id, { title: 'Dated' }),
          id,
        )
        await same('wp_trash_post( $argument );', () => records.update(id, { status: 'trash' }), id)
        await same('wp_delete_post( $argument, true );', () => records.delete(id), id)
      }
  })

  it('two processes give one title different slugs', async () => {
    const second = await startService(new URL('../../examples/shop/app/', import.meta.url), {
      wordpress: { config: sites.other.configPath },
    })
    try {
      const services = [sites.service.service, second.service]
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
    assert.deepEqual((await sites.other.dump()).schema, (await sites.php.dump()).schema))
})
