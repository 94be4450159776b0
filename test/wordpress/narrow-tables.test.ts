import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { withEncodedEmoji } from '../../src/content/narrow-texts.js'
import { startService, type StartedService } from '../support/start-service.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

describe('a WordPress site whose tables have three bytes for a character', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    site = await startWordPressSite()
    for (const table of ['posts', 'postmeta', 'terms', 'term_taxonomy', 'options', 'users', 'usermeta'])
      await foreignSql(
        site.database,
        `ALTER TABLE wp_${table} CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci`,
      )
    service = await startService(new URL('../../examples/shop/app/', import.meta.url), {
      wordpress: { config: site.configPath },
      record_types: {
        product: {
          public: true,
          supports: ['title', 'editor', 'excerpt'],
          meta: { price: { type: 'number' }, total_sales: { type: 'integer' }, colour: { type: 'string' } },
        },
      },
    })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  const family = '👨‍👩‍👧 ❤️'
  const letter = '𝒳'

  it('encodes the emoji that WordPress encodes, and no other character', async () => {
    const references = (await site.php("return _wp_emoji_list( 'partials' );")) as string[]
    assert.ok(references.length > 1000)
    const characterOf = (reference: string) => String.fromCodePoint(Number.parseInt(reference.slice(3, -1), 16))
    // A logo of a program that WordPress once had a picture of, in a range for private use.
    const supported = references.filter((reference) => reference !== '&#xe50a;')
    assert.deepEqual(
      supported.filter((reference) => withEncodedEmoji(characterOf(reference)) !== reference),
      [],
    )
    const texts = ['ä ß é © ® 中文 日本 1 # * € „x“ … — ½', letter, `a😀b${family}c`, '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 3️⃣ ☺']
    for (const text of texts)
      assert.equal(withEncodedEmoji(text), await site.php('return wp_encode_emoji( $argument );', text))
  })

  it('stores emoji in titles and contents as WordPress does', async () => {
    const { id, title } = await service.service.records.insert({
      type: 'product',
      status: 'publish',
      title: 'Lamp 😀',
      content: family,
      excerpt: '☺',
    })
    const encoded = (await site.php('return array_map( "wp_encode_emoji", $argument );', [
      'Lamp 😀',
      family,
      '☺',
    ])) as string[]
    assert.deepEqual(encoded[0], 'Lamp &#x1f600;')
    assert.equal(title, encoded[0])
    const row = () =>
      site.php(
        '$post = get_post( $argument ); return array( $post->post_title, $post->post_content, $post->post_excerpt );',
        id,
      )
    assert.deepEqual(await row(), encoded)
    await service.service.records.update(id, { title: 'Lamp 😎' })
    assert.deepEqual(await row(), ['Lamp &#x1f60e;', ...encoded.slice(1)])
  })

  it('refuses what cannot be stored, with the words of WordPress', async () => {
    const [code, message] = (await site.php(
      "$error = wp_insert_post( array( 'post_type' => 'product', 'post_title' => $argument, 'post_content' => 'x' ), true ); return array( $error->get_error_code(), $error->get_error_message() );",
      letter,
    )) as [string, string]
    const insert = service.service.records.insert({ type: 'product', title: letter, content: 'x' })
    await assert.rejects(insert, { code, message })
    const { id } = await service.service.records.insert({ type: 'product', title: 'Chair', meta: { colour: 'red' } })
    await assert.rejects(service.service.records.update(id, { content: letter }), { code: 'db_update_error' })
  })

  it('refuses metadata that WordPress leaves out without a word', async () => {
    const { id } = await service.service.records.insert({ type: 'product', title: 'Table', meta: { colour: 'red' } })
    assert.equal(await site.php("return update_post_meta( $argument, 'colour', '😀' );", id), false)
    await assert.rejects(service.service.records.update(id, { title: 'Desk', meta: { colour: '😀' } }), {
      code: 'invalid_meta_value',
    })
    assert.deepEqual(
      await site.php(
        "return array( get_post( $argument )->post_title, get_post_meta( $argument, 'colour', true ) );",
        id,
      ),
      ['Table', 'red'],
    )
  })

  it('finds texts and metadata without accents, as PHP does', async () => {
    const { records } = service.service
    for (const [title, colour] of [
      ['Älpine lamp', 'Café'],
      ['ALPINE chair', 'cafe'],
      ['Alpaca', 'tea'],
    ] as const)
      await records.insert({ type: 'product', status: 'publish', title, content: 'x', meta: { colour } })
    for (const search of ['alpine', 'älpine', 'ÁLPINE', 'alpine -chair', 'lämp']) {
      const there = await site.php(
        "$found = new WP_Query( array( 'post_type' => 'product', 's' => $argument, 'posts_per_page' => -1, 'orderby' => 'ID', 'order' => 'ASC' ) ); return wp_list_pluck( $found->posts, 'post_title' );",
        search,
      )
      const here = await records.list({ type: 'product', search, orderby: 'id', order: 'asc' })
      assert.deepEqual(
        here.map(({ title }) => title),
        there,
        search,
      )
    }
    for (const value of ['cafe', 'CAFÉ', 'tea', 'te']) {
      const there = await site.php(
        "$found = new WP_Query( array( 'post_type' => 'product', 'meta_key' => 'colour', 'meta_value' => $argument, 'orderby' => 'ID', 'order' => 'ASC' ) ); return wp_list_pluck( $found->posts, 'post_title' );",
        value,
      )
      const here = await records.list({
        type: 'product',
        meta_query: [{ key: 'colour', value }],
        orderby: 'id',
        order: 'asc',
      })
      assert.deepEqual(
        here.map(({ title }) => title),
        there,
        value,
      )
    }
  })
})
