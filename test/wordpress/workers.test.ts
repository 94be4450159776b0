import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { emptyFolder, endAll, removeFolders, serve, type Serving } from '../cli/command-line.js'
import { clientOfEach, type Client } from '../cli/worker-client.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'
import { eventually } from '../support/until.js'

const plugin = fileURLToPath(new URL('../../wordpress/as-rest-route.php', import.meta.url))

/** The titles of books are kept for ten minutes. */
function application(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'as-rest-route.config.ts'), `export default { record_types: { book: { public: true } } }`)
  writeFileSync(
    join(folder, 'api.ts'),
    `import { AsRestRoute, inject, RecordStore, RestResponse } from 'as-rest-route'
    export class Books {
      records = inject(RecordStore)

      @AsRestRoute({ namespace: 'own/v1', route: '/process', permission: 'public' })
      process() { return new RestResponse(process.pid) }

      @AsRestRoute({ namespace: 'own/v1', route: '/titles', permission: 'public', cache: 600 })
      async titles() {
        const books = await this.records.list({ type: 'book' })
        return new RestResponse(books.map(({ title }) => title))
      }

      @AsRestRoute({ namespace: 'own/v1', route: '/titles', method: 'POST', permission: 'public' })
      async add(request) {
        await this.records.insert({ type: 'book', status: 'publish', title: request.get_param('title') })
        return new RestResponse(null, 201)
      }
    }`,
  )
  return folder
}

describe('several workers beside WordPress', { skip: skipWithoutWordPress(), timeout: 600_000 }, () => {
  let site: WordPressSite
  let served: Serving
  let clients: readonly Client[]
  before(async () => {
    site = await startWordPressSite({
      plugins: {
        'books.php':
          "<?php add_action( 'init', function () { register_post_type( 'book', array( 'public' => true ) ); } );",
        'as-rest-route.php': readFileSync(plugin, 'utf8'),
      },
    })
    const folder = application()
    served = await serve([folder, '--port', '0', '--wordpress', site.configPath, '--workers', '3'], { cwd: folder })
    writeFileSync(
      join(site.folder, 'wp-content/mu-plugins/address.php'),
      `<?php define( 'AS_REST_ROUTE_URL', '${served.url}' );`,
    )
    clients = [...(await clientOfEach(served, 3)).values()]
  })
  after(async () => {
    for (const client of clients ?? []) client.close()
    await served?.end('SIGTERM')
    endAll()
    removeFolders()
    await site?.stop()
  })

  const titles = () => Promise.all(clients.map((client) => client.get('titles')))
  /** Waits until each worker answers these titles. */
  const answered = (expected: readonly string[]) =>
    eventually(async () =>
      assert.deepEqual(
        await titles(),
        clients.map(() => expected),
      ),
    )

  it('all of them answer what PHP has written, also where the response was kept', async () => {
    const id = await site.php(
      "return wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Emma' ) );",
    )
    await answered(['Emma'])
    await site.php("wp_update_post( array( 'ID' => $argument, 'post_title' => 'Persuasion' ) );", id)
    await answered(['Persuasion'])
    await site.php('wp_delete_post( $argument, true );', id)
    await answered([])
  })

  it('all of them answer what one of them has written', async () => {
    await answered([])
    const written: string[] = []
    for (const [index, client] of clients.entries()) {
      const title = `By worker ${index}`
      const { status, text } = await client.send('POST', '/wp-json/own/v1/titles', `title=${title}`)
      assert.equal(status, 201, text)
      written.unshift(title)
      // The order of records of the same second is that of their ids.
      await answered(written)
    }
  })

  it('a report that one of them has taken is taken by no other', async () => {
    const secret = String(await site.php("return hash_hmac( 'sha256', 'as-rest-route companion', wp_salt( 'auth' ) );"))
    const [sender, time] = [randomBytes(8).toString('hex'), Date.now() * 1000]
    const signature = createHmac('sha256', secret).update(`changes\n${sender}\n${time}\n[]`).digest('hex')
    const statuses: number[] = []
    for (const client of clients) {
      statuses.push((await client.report(`${sender} ${time} ${signature}`)).status)
      await setTimeout(200)
    }
    assert.deepEqual(statuses, [204, 403, 403])
  })
})
