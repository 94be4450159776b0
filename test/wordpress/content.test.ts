import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, ContentRenderer, inject, phpOnlyParts, RecordStore, RestResponse } from 'as-rest-route'
import { Random } from '../../suites/support/random.js'
import { startService, type StartedService } from '../support/start-service.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'
import { fragments, markedContents, plainContents } from './contents-to-render.js'

class Contents {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly renderer = inject(ContentRenderer),
  ) {}

  @AsRestRoute({ namespace: 'books/v1', route: '/contents', permission: 'public' })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'id', order: 'asc', per_page: -1 })
    return new RestResponse(
      books.map((book) => ({
        raw: book.content,
        rendered: this.renderer.render(book),
        only_php: phpOnlyParts(book),
      })),
    )
  }
}

interface Rendered {
  readonly raw: string
  readonly rendered: string | null
  readonly only_php: readonly { readonly kind: string; readonly name: string }[]
}

describe('the contents of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    const plugin = `<?php
      add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'show_in_rest' => true ) ); } );
      add_shortcode( 'shop_total', function () { return '5 EUR'; } );`
    site = await startWordPressSite({ plugins: { 'books.php': plugin } })
    // The type is declared in PHP only.
    service = await startService([Contents], { wordpress: { config: site.configPath } })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  /** Replaces all books by some with these contents. @returns what PHP and the service make of them, in this order. */
  const show = async (contents: readonly string[]) => {
    await site.php(
      `global $wpdb;
      $wpdb->delete( $wpdb->posts, array( 'post_type' => 'book' ) );
      foreach ( $argument as $content )
        $wpdb->insert( $wpdb->posts, array( 'post_type' => 'book', 'post_status' => 'publish', 'post_date' => '2026-01-01', 'post_date_gmt' => '2026-01-01', 'post_content' => $content ) );`,
      contents,
    )
    const inPhp: string[] = []
    for (let page = 1; inPhp.length < contents.length; page += 1) {
      const query = `rest_route=/wp/v2/book&per_page=100&page=${page}&orderby=id&order=asc&_fields=content.rendered`
      const response = await fetch(`${site.url}/?${query}`)
      const books = (await response.json()) as { content: { rendered: string } }[]
      assert.ok(response.status === 200 && books.length > 0)
      inPhp.push(...books.map(({ content }) => content.rendered))
    }
    const response = await fetch(`${service.rest}books/v1/contents`)
    return { inPhp, here: (await response.json()) as readonly Rendered[] }
  }

  const compare = ({ inPhp, here }: Awaited<ReturnType<typeof show>>): void => {
    assert.equal(here.length, inPhp.length)
    for (const [index, { raw, rendered, only_php: parts }] of here.entries()) {
      assert.equal(rendered === null, parts.length > 0)
      if (rendered !== null) assert.equal(rendered, inPhp[index], JSON.stringify(raw))
    }
  }

  it('those without special parts are rendered as PHP does, byte for byte', async () => {
    const shown = await show(plainContents)
    compare(shown)
    for (const { raw, only_php: parts } of shown.here) assert.deepEqual(parts, [], JSON.stringify(raw))
  })

  it('those with parts that only PHP renders are not rendered, and the parts are named', async () => {
    const shown = await show(markedContents)
    compare(shown)
    for (const { raw, rendered } of shown.here) assert.equal(rendered, null, JSON.stringify(raw))
  })

  it('random mixtures are rendered as PHP does, or not at all', async () => {
    const random = new Random(22)
    const mixtures = Array.from({ length: 800 }, () =>
      Array.from({ length: random.integer(1, 9) }, () => random.pick(fragments)).join(''),
    )
    const shown = await show(mixtures)
    compare(shown)
    assert.ok(shown.here.filter(({ rendered }) => rendered !== null && rendered.trim() !== '').length > 50)
  })

  it('a type that is declared in PHP only is not written here', () =>
    assert.rejects(service.service.records.insert({ type: 'book', title: 'x' }), /'book'/))

  it('each block that WordPress renders when it is shown is named', async () => {
    const dynamic = (await site.php(
      'return array_keys( array_filter( WP_Block_Type_Registry::get_instance()->get_all_registered(), function ( $type ) { return $type->is_dynamic(); } ) );',
    )) as string[]
    assert.ok(dynamic.length > 50)
    for (const name of dynamic) {
      const content = `<!-- wp:${name.replace(/^core\//, '')} /-->`
      assert.deepEqual(phpOnlyParts({ type: 'book', content }), [{ kind: 'block', name }])
    }
  })
})
