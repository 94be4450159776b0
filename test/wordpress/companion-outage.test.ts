import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { AsRestRoute } from 'as-rest-route'
import { CompanionMessages } from '../../src/app/companion-messages.js'
import { CompanionOutbox } from '../../src/app/companion-outbox.js'
import { Secrets } from '../../src/auth/secrets.js'
import { startService, type StartedService } from '../support/start-service.js'
import { until } from '../support/until.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'
import { companionPlugin, objectCache } from './companion-site.js'

class Nothing {
  @AsRestRoute({ namespace: 'books/v1', route: '/nothing', permission: 'public' })
  nothing() {
    return null
  }
}

const books = `<?php
  add_action( 'init', function () { register_post_type( 'book', array( 'public' => true ) ); } );
  add_action( 'clean_post_cache', function ( $id, $post ) {
    if ( isset( $_GET['as_rest_route'] ) && $post->post_title === 'Leaves' ) exit;
    if ( isset( $_GET['as_rest_route'] ) && $post->post_title === 'Crashes' ) posix_kill( getmypid(), 9 );
  }, 20, 2 );`

/** How many records PHP shows as they are in the database: all of them by its object cache. */
const staleAtPhp = `global $wpdb;
  $stale = array();
  foreach ( $wpdb->get_results( "SELECT ID, post_title FROM $wpdb->posts WHERE post_type = 'book'" ) as $row ) {
    if ( get_post( $row->ID )->post_title !== $row->post_title || get_post_meta( $row->ID, 'pages', true ) !== $wpdb->get_var( "SELECT meta_value FROM $wpdb->postmeta WHERE meta_key = 'pages' AND post_id = $row->ID" ) ) $stale[] = (int) $row->ID;
  }
  foreach ( $argument as $id ) if ( get_post( $id ) !== null ) $stale[] = $id;
  return $stale;`

describe('the companion plugin while PHP is away, and where it is ended', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: StartedService
  let ids: number[] = []
  before(async () => {
    site = await startWordPressSite({
      plugins: { 'books.php': books, 'as-rest-route.php': readFileSync(companionPlugin, 'utf8') },
    })
    copyFileSync(objectCache, join(site.folder, 'wp-content/object-cache.php'))
    const rows = `global $wpdb;
      for ( $count = 0; $count < 1000; $count++ ) {
        $wpdb->insert( $wpdb->posts, array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => "Volume $count", 'post_name' => "volume-$count", 'post_author' => 1, 'post_content' => '', 'post_excerpt' => '', 'to_ping' => '', 'pinged' => '', 'post_content_filtered' => '' ) );
        $wpdb->insert( $wpdb->postmeta, array( 'post_id' => $wpdb->insert_id, 'meta_key' => 'pages', 'meta_value' => '1' ) );
      }
      return array_map( 'intval', $wpdb->get_col( "SELECT ID FROM $wpdb->posts WHERE post_type = 'book'" ) );`
    ids = (await site.php(rows)) as number[]
    service = await startService([Nothing], {
      wordpress: { config: site.configPath },
      record_types: { book: { public: true, meta: { pages: { type: 'integer', default: 0 } } } },
    })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  const stale = async (deleted: readonly number[] = []) => (await site.php(staleAtPhp, deleted)) as number[]
  const codes = (from = 0) =>
    service.log
      .slice(from)
      .map(({ fields }) => fields['code'])
      .filter((code) => code !== undefined)

  it('a thousand records that are written meanwhile are those that PHP shows afterwards', async () => {
    assert.deepEqual(await stale(), [])
    await site.stopPhp()
    const { records } = service.service
    const deleted = ids.slice(-20)
    for (let start = 0; start < ids.length; start += 20)
      await Promise.all(
        ids.slice(start, start + 20).map((id) => {
          if (deleted.includes(id)) return records.delete(id)
          return records.update(id, id % 2 === 0 ? { title: `Changed ${id}` } : { meta: { pages: id } })
        }),
      )
    assert.equal((await stale(deleted)).length, 1000)
    await site.startPhp()
    await until(async () => (await stale(deleted)).length === 0, 'no stale record')
    assert.deepEqual(
      codes(),
      ['companion-unreachable'],
      JSON.stringify(service.log.map(({ fields }) => String(fields['err']).slice(0, 300))),
    )
  })

  it('more writes than are kept empty the whole cache', async () => {
    const messages = new CompanionMessages(null)
    const auth = String(await site.php('return AUTH_KEY . AUTH_SALT;'))
    messages.start({
      secrets: new Secrets({ auth, secure_auth: 'x', logged_in: 'x', nonce: 'x' }),
      home: () => site.url,
    })
    const sent: number[] = []
    const outbox = new CompanionOutbox({
      send: (notices) => {
        sent.push(notices.length)
        return messages.send(notices)
      },
      onFailure: () => {},
      maxWaiting: 100,
      firstDelay: 100,
    })
    const [id = 0] = ids
    await site.php(
      "$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->posts, array( 'post_title' => 'By SQL' ), array( 'ID' => $argument ) );",
      id,
    )
    assert.deepEqual(await stale(), [id])
    await site.stopPhp()
    for (let other = 1; other <= 1000; other += 1) outbox.add([{ kind: 'post', id: 100_000 + other, event: 'update' }])
    await until(() => sent.length > 1)
    await site.startPhp()
    await until(async () => (await stale()).length === 0, 'an empty cache')
    assert.ok(Math.max(...sent) <= 101, sent.join(' '))
    await outbox.close(2000)
  })

  for (const [title, reason] of [
    ['Leaves', /a hook of another plugin has ended PHP/],
    ['Crashes', /answered 502: PHP does not answer/],
  ] as const)
    it(`a hook that ends PHP while caches are cleaned holds up no other notice: the record ${title}`, async () => {
      const before = service.log.length
      const { records } = service.service
      const [id = 0, other = 0] = ids
      const [ending] = await Promise.all([
        records.insert({ type: 'book', status: 'publish', title, meta: { pages: 1 } }),
        records.update(id, { title: `Northanger Abbey of ${title}` }),
        records.update(other, { title: `Persuasion of ${title}` }),
      ])
      await until(async () => (await stale()).length === 0, 'no stale record')
      await records.update(id, { title: 'Emma' })
      await until(async () => (await stale()).length === 0, 'no stale record')
      assert.deepEqual(codes(before), ['companion-unreachable'])
      assert.match(String(service.log.at(-1)?.fields['err']), reason)
      await site.php('wp_delete_post( $argument, true );', ending.id)
    })

  it('an orderly stop says how many notices PHP has not taken', async () => {
    rmSync(join(site.folder, 'wp-content/mu-plugins/books.php'))
    const other = await startService([Nothing], {
      wordpress: { config: site.configPath },
      record_types: { book: { public: true } },
    })
    await site.stopPhp()
    for (const id of ids.slice(0, 3)) await other.service.records.update(id, { content: 'x' })
    await setTimeout(100)
    await other.close()
    const line = other.log.find(({ fields }) => fields['code'] === 'companion-notices-lost')
    assert.ok(Number(line?.fields['count']) >= 3, JSON.stringify(other.log))
    await site.startPhp()
  })
})
