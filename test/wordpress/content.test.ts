import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, phpOnlyParts, RecordStore, RestResponse } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

class Contents {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'books/v1', route: '/contents', permission: 'public' })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'id', order: 'asc' })
    return new RestResponse(
      books.map(({ title, content }) => {
        const parts = phpOnlyParts(content)
        return { title, content: parts.length === 0 ? { raw: content } : { raw: content, only_php: parts } }
      }),
    )
  }
}

const stored = [
  'Text of <em>old</em> and [1] a note.',
  '<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:code -->\n<pre class="wp-block-code"><code>x</code></pre>\n<!-- /wp:code -->',
]
const onlyPhp: readonly [content: string, kind: string, name: string][] = [
  ['<!-- wp:latest-posts /-->', 'block', 'core/latest-posts'],
  ['Before [shop_total] after', 'shortcode', 'shop_total'],
]

describe('the contents of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    const plugin = `<?php
      add_action( 'init', function () { register_post_type( 'book', array( 'public' => true ) ); } );
      add_shortcode( 'shop_total', function () { return '5 EUR'; } );`
    site = await startWordPressSite({ plugins: { 'books.php': plugin } })
    for (const content of [...stored, ...onlyPhp.map(([text]) => text)])
      await site.php(
        "wp_insert_post( wp_slash( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'A book', 'post_content' => $argument ) ) );",
        content,
      )
    // The type is declared in PHP only.
    service = await startService([Contents], { wordpress: { config: site.configPath } })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  it('records of a type that is declared in PHP only are read by its name, each with what only PHP renders', async () => {
    const response = await fetch(`${service.rest}books/v1/contents`)
    assert.deepEqual(await response.json(), [
      ...stored.map((raw) => ({ title: 'A book', content: { raw } })),
      ...onlyPhp.map(([raw, kind, name]) => ({ title: 'A book', content: { raw, only_php: [{ kind, name }] } })),
    ])
  })

  it('a type that is declared in PHP only is not written here', () =>
    assert.rejects(service.service.records.insert({ type: 'book', title: 'x' }), /'book'/))

  it('contents without such parts are shown by PHP as they are stored, and others are not', async () => {
    const shown = (content: string) => site.php('return do_shortcode( do_blocks( $argument ) );', content)
    const withoutComments = (content: string) => content.replaceAll(/<!-- \/?wp:[^>]*-->/g, '')
    const lines = (text: unknown) => String(text).replaceAll(/\s+/g, ' ').trim()
    for (const content of stored) assert.equal(lines(await shown(content)), lines(withoutComments(content)))
    for (const [content] of onlyPhp) assert.notEqual(lines(await shown(content)), lines(withoutComments(content)))
  })

  it('each block that WordPress renders when it is shown is named', async () => {
    const dynamic = (await site.php(
      'return array_keys( array_filter( WP_Block_Type_Registry::get_instance()->get_all_registered(), function ( $type ) { return $type->is_dynamic(); } ) );',
    )) as string[]
    assert.ok(dynamic.length > 50)
    for (const name of dynamic)
      assert.deepEqual(phpOnlyParts(`<!-- wp:${name.replace(/^core\//, '')} /-->`), [{ kind: 'block', name }])
  })
})
