import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, currentUserCan, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'

class Books {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'books/v1', route: '/books', method: 'POST', permission: 'public' })
  async add(request: RestRequest) {
    const { content } = await this.records.insert({
      type: 'book',
      status: 'publish',
      title: 'Emma',
      content: String(request.get_param('content')),
    })
    return new RestResponse({ content, may: await currentUserCan('unfiltered_html') }, 201)
  }
}

describe('the constants of a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  before(async () => {
    const type = `<?php add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'supports' => array( 'title', 'editor', 'revisions' ) ) ); } );`
    site = await startWordPressSite({
      plugins: { 'books.php': type },
      config: [
        "define( 'WP_POST_REVISIONS', 2 );",
        "define( 'EMPTY_TRASH_DAYS', 0 );",
        "define( 'DISALLOW_UNFILTERED_HTML', true );",
      ],
    })
    service = await startService([Books], {
      wordpress: { config: site.configPath },
      record_types: { book: { public: true, supports: ['title', 'editor', 'revisions'] } },
    })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  /** The revisions of a record, as PHP finds them, oldest first. */
  const revisionsOf = (id: number) =>
    site.php(
      "return array_values( wp_list_pluck( wp_get_post_revisions( $argument, array( 'order' => 'ASC' ) ), 'post_title' ) );",
      id,
    )

  it('WP_POST_REVISIONS: a record keeps as many revisions as one that PHP changes', async () => {
    const { records } = service.service
    const { id } = await records.insert({ type: 'book', status: 'publish', title: '0', content: 'x' })
    const other = Number(
      await site.php(
        "return wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => '0', 'post_content' => 'x' ) );",
      ),
    )
    for (const title of ['1', '2', '3', '4']) {
      await records.update(id, { title })
      await site.php("wp_update_post( array( 'ID' => $argument[0], 'post_title' => $argument[1] ) );", [other, title])
      assert.deepEqual(await revisionsOf(id), await revisionsOf(other), title)
    }
    assert.deepEqual(await revisionsOf(id), ['3', '4'])
  })

  it('EMPTY_TRASH_DAYS 0: a record that is moved to the trash is deleted, as by PHP', async () => {
    const { records } = service.service
    const { id } = await records.insert({ type: 'book', status: 'publish', title: 'Gone', content: 'x' })
    await records.update(id, { title: 'Gone now' })
    const deleted = await records.update(id, { status: 'trash' })
    assert.equal(deleted?.title, 'Gone now')
    assert.equal(await records.get(id), null)
    assert.deepEqual(await site.php('return array( get_post( $argument ), get_post_meta( $argument ) );', id), [
      null,
      [],
    ])
    assert.deepEqual(await revisionsOf(id), [])
    const other = Number(
      await site.php(
        "return wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'x' ) );",
      ),
    )
    await site.php('wp_trash_post( $argument );', other)
    assert.equal(await records.get(other), null)
  })

  it('DISALLOW_UNFILTERED_HTML: the texts of an administrator are filtered, as by PHP', async () => {
    const content = '<p onclick="x()">Text<script>alert(1)</script></p>'
    const authorization = await site.applicationPassword(siteUsers.administrator)
    const response = await fetch(`${service.rest}books/v1/books`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
    const there = await site.php(
      "wp_set_current_user( 1 ); kses_init(); $id = wp_insert_post( wp_slash( array( 'post_type' => 'book', 'post_title' => 'x', 'post_content' => $argument ) ) ); return array( 'content' => get_post( $id )->post_content, 'may' => current_user_can( 'unfiltered_html' ) );",
      content,
    )
    assert.deepEqual(await response.json(), there)
    assert.deepEqual(there, { content: '<p>Textalert(1)</p>', may: false })
  })
})
