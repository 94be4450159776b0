import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sqliteLibrary, type SqliteClient } from '../../src/database/sqlite/sqlite-client.js'
import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from '../../src/index.js'
import { startService, type StartedService } from '../support/start-service.js'

const folder = mkdtempSync(join(tmpdir(), 'own-connection-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'site.db')

/** Somebody's own way to the database, beside the service's. */
class OwnConnection {
  /** In this order. */
  readonly written: string[] = []
  readonly #client: SqliteClient

  constructor(client: SqliteClient) {
    this.#client = client
  }

  rename(title: string): void {
    this.#client.prepare(`UPDATE wp_posts SET post_title = ? WHERE post_type = 'page'`).run([title])
    this.written.push(title)
  }
}

interface ReceivedResponse {
  readonly wrote: string
  readonly read: string
}

class TitlesApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly own = inject(OwnConnection),
  ) {}

  /** Writes without waiting for anything, and reads at once. */
  @AsRestRoute({ namespace: 'test/v1', route: '/rename/(?P<title>\\w+)', permission: 'public' })
  async rename(request: RestRequest<{ title: string }>) {
    const title = request.get_param('title')
    this.own.rename(title)
    const [record] = await this.records.list({ type: 'page' })
    return new RestResponse({ wrote: title, read: record?.title })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/by', permission: 'public', args: { author: {} } })
  async by(request: RestRequest) {
    const author = request.get_param('author') as number | undefined
    return new RestResponse({ count: (await this.records.list({ type: 'page', author })).length })
  }
}

describe('repeated reads of handlers', () => {
  let site: StartedService
  let client: SqliteClient
  let own: OwnConnection
  before(async () => {
    client = (await sqliteLibrary())(path)
    own = new OwnConnection(client)
    site = await startService([TitlesApi], {
      database: `sqlite:${path}`,
      environment: 'local',
      provide: [[OwnConnection, own]],
      seed: async ({ records }) => void (await records.insert({ type: 'page', status: 'publish', title: 'Page' })),
    })
  })
  after(async () => {
    await site.close()
    client.close()
  })

  const read = async (rest: string, address: string): Promise<unknown> =>
    (await fetch(`${rest}test/v1/${address}`)).json()

  it('a read is never older than a write of the same handler by its own connection', async () => {
    for (let round = 0; round < 40; round += 1) {
      const titles = Array.from({ length: 12 }, (_, index) => `t${round}x${index}`)
      const responses = await Promise.all(titles.map((title) => read(site.rest, `rename/${title}`)))
      // Those that came together may all write before the first of them reads.
      const order = ({ wrote, read: title }: ReceivedResponse) =>
        own.written.indexOf(title) - own.written.indexOf(wrote)
      for (const response of responses as ReceivedResponse[]) assert.ok(order(response) >= 0, JSON.stringify(response))
    }
  })

  it('a read with a value of another type is refused and changes no other result', async () => {
    const recordCount = async () => ((await read(site.rest, 'by')) as { count: number }).count
    assert.equal(await recordCount(), 1)
    for (let time = 0; time < 3; time += 1) assert.equal((await fetch(`${site.rest}test/v1/by?author=`)).status, 500)
    assert.equal(await recordCount(), 1)
  })
})
