import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { statementsOf } from '../support/counted-statements.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../support/servers/start-server.js'
import { startService, type StartedService } from '../support/start-service.js'
import { until } from '../support/until.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'
import { withoutResponseCache } from '../support/response-cache.js'

class Books {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/books', permission: 'public', cache: 600 })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'id', order: 'asc', per_page: -1 })
    return new RestResponse(books.map(({ id, title, meta }) => [id, title, meta['pages']]))
  }
}

const rows =
  "SELECT ID, post_title, (SELECT meta_value FROM wp_postmeta WHERE post_id = ID AND meta_key = 'pages') FROM wp_posts WHERE post_type = 'book' ORDER BY ID"
const counters = 'SELECT * FROM wp_as_rest_route_versions ORDER BY 1, 2'

describe('tracking of a WordPress site whose database is killed', { skip: skipWithoutWordPress() }, () => {
  let server: TestServer
  let site: WordPressSite
  const services: StartedService[] = []
  before(async () => {
    // As servers are set by default: what was acknowledged is there after a crash.
    const durable = ['innodb-flush-log-at-trx-commit=1', 'innodb-doublewrite=1']
    const started = await startServer('mariadb', durable)
    assert.ok(started)
    server = started
    const plugin = `<?php add_action( 'init', function () {
      register_post_type( 'book', array( 'public' => true ) );
      if ( ! isset( $_GET['write'] ) ) return;
      wp_update_post( array( 'ID' => (int) $_GET['id'], 'post_title' => $_GET['write'] ) );
      update_post_meta( (int) $_GET['id'], 'pages', (int) $_GET['pages'] );
      exit( 'written' );
    } );`
    site = await startWordPressSite({ server: server.url, plugins: { 'books.php': plugin } })
    const installed = await runHere(['wordpress', 'install-tracking', '--wordpress', site.configPath, '--yes'])
    assert.equal(installed.code, 0, installed.stderr)
    for (let count = 0; count < 2; count += 1)
      services.push(
        await startService([Books], {
          wordpress: { config: site.configPath },
          record_types: { book: { public: true, meta: { pages: { type: 'integer', default: 0 } } } },
        }),
      )
  })
  after(async () => {
    for (const service of services) await service.close()
    await site?.stop()
    await server?.drop()
  })

  const here = async ({ rest }: StartedService) => {
    const response = await fetch(`${rest}shop/v1/books`)
    return response.ok ? ((await response.json()) as unknown) : response.status
  }
  const stored = async () =>
    (await foreignSql(site.database, rows)).map(([id, title, pages]) => [Number(id), title, Number(pages)])
  const isHealthy = async ({ url }: StartedService) => (await fetch(`${url}/readyz`)).status === 200

  for (let round = 1; round <= 3; round += 1)
    it(`under writes of PHP and of the service: the services show what is stored, kill ${round}`, async () => {
      const { records } = services[0]?.service ?? assert.fail()
      const ids: number[] = []
      for (let count = 0; count < 6; count += 1)
        ids.push(
          (await records.insert({ type: 'book', status: 'publish', title: `Volume ${count}`, meta: { pages: 1 } })).id,
        )
      for (const service of services) assert.deepEqual(await here(service), await stored())

      const end = new AbortController()
      const acknowledged = new Map<number, number>()
      const write = async (id: number, isByPhp: boolean) => {
        for (let pages = 2; !end.signal.aborted; pages += 1) {
          const title = `Round ${round}, ${pages}`
          const wrote = isByPhp
            ? await fetch(`${site.url}/?write=${encodeURIComponent(title)}&id=${id}&pages=${pages}`).then(
                async (response) => (await response.text()) === 'written',
                () => false,
              )
            : await records.update(id, { title, meta: { pages } }).then(
                () => true,
                () => false,
              )
          if (!wrote) return
          acknowledged.set(id, pages)
        }
      }
      const read = async (service: StartedService) => {
        while (!end.signal.aborted) await here(service).catch(() => null)
      }
      const work = [...ids.map((id, index) => write(id, index % 2 === 0)), ...services.map(read)]
      await until(() => acknowledged.size === ids.length && [...acknowledged.values()].some((pages) => pages > 8))
      await server.kill()
      end.abort()
      await Promise.all(work)
      const before = new Map(acknowledged)
      await server.start()
      for (const service of services) await until(() => isHealthy(service), 'a healthy service')

      const now = await stored()
      for (const [id, , pages] of now as [number, string, number][])
        assert.ok(pages >= (before.get(id) ?? 0), `record ${id} has lost an acknowledged write`)
      for (const service of services) assert.deepEqual(await here(service), now)

      // The counters count on: each write of PHP and of one service is seen by the next request, and nothing else is read.
      const [id = 0] = ids
      for (const [index, writeOnce] of [
        () => fetch(`${site.url}/?write=After&id=${id}&pages=500`).then((response) => response.text()),
        () => records.update(id, { title: 'Here', meta: { pages: 501 } }),
        () => foreignSql(site.database, `UPDATE wp_posts SET post_title = 'By SQL' WHERE ID = ${id}`),
      ].entries()) {
        const counted = await foreignSql(site.database, counters)
        await writeOnce()
        assert.notDeepEqual(await foreignSql(site.database, counters), counted, `write ${index}`)
        for (const service of services) assert.deepEqual(await here(service), await stored(), `write ${index}`)
      }
      const statements = await statementsOf(() => Promise.all(services.map(here)))
      const reads = statements.filter((text) => /wp_post/.test(text))
      if (withoutResponseCache === false) assert.deepEqual(reads, [])
    })
})
