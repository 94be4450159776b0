import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutGalera, startGalera } from '../support/servers/start-galera.js'
import type { TestServer } from '../support/servers/start-server.js'
import { statementsOf } from '../support/counted-statements.js'
import { startService, type StartedService } from '../support/start-service.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

class Books {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/books', permission: 'public', cache: 600 })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'title', order: 'asc', per_page: 100 })
    return new RestResponse(books.map(({ title }) => title))
  }
}

const skip = skipWithoutWordPress() || skipWithoutGalera()

describe('tracking of a WordPress site on a Galera cluster', { skip, timeout: 600_000 }, () => {
  let nodes: readonly TestServer[] = []
  let site: WordPressSite
  /** One at each node. */
  const services: StartedService[] = []
  before(async () => {
    nodes = await startGalera(3)
    const plugin = `<?php add_action( 'init', function () { register_post_type( 'book', array( 'public' => true ) ); } );`
    site = await startWordPressSite({ server: nodes[0]?.url ?? '', plugins: { 'books.php': plugin } })
    const installed = await runHere(['wordpress', 'install-tracking', '--wordpress', site.configPath, '--yes'])
    assert.equal(installed.code, 0, installed.stderr)
    for (const { url } of nodes) {
      process.env['WORDPRESS_DB_HOST'] = new URL(url).host
      services.push(
        await startService([Books], {
          wordpress: { config: site.configPath },
          record_types: { book: { public: true } },
        }),
      )
    }
  })
  after(async () => {
    delete process.env['WORDPRESS_DB_HOST']
    for (const service of services) await service.close()
    await site?.stop()
    await Promise.all(nodes.map((node) => node.drop()))
  })

  const titles = async ({ rest }: StartedService) =>
    (await (await fetch(`${rest}shop/v1/books`)).json()) as readonly string[]
  const everywhere = () => Promise.all(services.map(titles))
  /** The address of the site's database at a node. */
  const at = (index: number): string => {
    const url = new URL(site.database)
    url.host = new URL(nodes[index]?.url ?? '').host
    return String(url)
  }

  it('the next request at each other node sees a write by PHP at one node', async () => {
    for (let round = 0; round < 20; round += 1) {
      const title = `Volume ${String(round).padStart(2, '0')}`
      await everywhere()
      await site.php(
        "wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => $argument ) );",
        title,
      )
      for (const [index, seen] of (await everywhere()).entries()) assert.equal(seen.at(-1), title, `node ${index + 1}`)
    }
  })

  it('between writes only the counters of a node are read', async () => {
    await everywhere()
    const statements = await statementsOf(everywhere)
    assert.deepEqual(
      statements.filter((text) => /wp_post/.test(text)),
      [],
    )
  })

  it('programs that write at all nodes at once raise no conflict by being counted', async () => {
    const [id] = (await site.php("return wp_list_pluck( get_posts( 'post_type=book&numberposts=1' ), 'ID' );")) as [
      number,
    ]
    // Rows of their own, as of three programs with connections of the same number.
    const writes = nodes.map(async (_, index) => {
      for (let count = 0; count < 40; count += 1)
        await foreignSql(
          at(index),
          `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, 'writer_${index}', '${count}')`,
        )
    })
    await Promise.all(writes)
    for (let index = 0; index < nodes.length; index += 1) {
      const [row] = await foreignSql(
        at(index),
        'SET wsrep_sync_wait = 1',
        "SELECT COUNT(*) FROM wp_postmeta WHERE meta_key LIKE 'writer_%'",
      )
      assert.equal(Number(row?.[0]), 120)
    }
  })

  it('PHP and each other node see a write by a service at one node', async () => {
    for (const [index, { service }] of services.entries()) {
      const title = `Written at node ${index + 1}`
      const { id } = await service.records.insert({ type: 'book', status: 'publish', title })
      for (const seen of await everywhere()) assert.ok(seen.includes(title))
      await service.records.delete(id)
      for (const seen of await everywhere()) assert.ok(!seen.includes(title))
    }
  })
})
