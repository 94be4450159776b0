import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeAdapterOf } from '../../app/stores.js'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { createUser } from '../../../test/support/servers/create-user.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { proxyTo } from '../../../test/support/servers/proxy.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { startService } from '../../../test/support/start-service.js'
import { eventually } from '../../../test/support/until.js'
import { AsRestRoute, inject, RecordStore } from '../../index.js'

/** The titles of all posts, of a response that is cached as long as nothing is written. */
class TitlesApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/titles', permission: 'public', cache: 3600 })
  async titles() {
    return (await this.records.list({ type: 'post' })).map(({ title }) => title)
  }
}

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`an address that leads to another ${kind} from now on`, { skip: skipWithoutProgram(kind) }, () => {
    const servers: TestServer[] = []
    before(async () => {
      for (const title of ['first', 'second']) {
        const server = (await startServer(kind)) ?? assert.fail('not installed')
        servers.push(server)
        await createUser[kind](server.url)
        const storage = await storeAdapterOf(server.url).open(addressOf(server.url), { purpose: 'start' })
        await storage.posts.insert(aPost({ post_type: 'post', post_title: title }))
        await storage.finishFirstStart()
        await storage.close()
      }
    })
    after(() => Promise.all(servers.map((server) => server.drop())))

    const addressOf = (url: string): string =>
      String(Object.assign(new URL(url), { username: 'shop', password: 'secret' }))

    for (const [what, isKilled] of [
      ['that goes on', false],
      ['that was killed', true],
    ] as const)
      it(`is followed from a server ${what}: nothing of the old one is answered, and it gets no write`, async () => {
        const [first, second] = servers
        assert.ok(first && second)
        const proxy = await proxyTo(first.url)
        const service = await startService([TitlesApi], { database: addressOf(proxy.url) })
        const titles = async (): Promise<unknown> => (await fetch(`${service.rest}test/v1/titles`)).json()
        try {
          for (let time = 0; time < 4; time += 1) assert.deepEqual(await titles(), ['first'])
          if (isKilled) await first.kill()
          proxy.moveTo(second.url)
          await eventually(async () => assert.deepEqual(await titles(), ['second']))
          for (let time = 0; time < 4; time += 1) assert.deepEqual(await titles(), ['second'])
          const { id } = await service.service.records.insert({ type: 'post', title: 'new', status: 'publish' })
          assert.equal(((await titles()) as unknown[]).length, 2)
          await service.service.records.delete(id)
          assert.deepEqual(await titles(), ['second'])
          if (isKilled) await first.start()
          const old = await storeAdapterOf(first.url).open(addressOf(first.url), {})
          const everything = { types: ['post'], order: [], limit: 10, offset: 0 } as const
          const { rows } = await old.posts.list(everything)
          await old.close()
          assert.deepEqual(
            rows.map(({ post }) => post.post_title),
            ['first'],
          )
        } finally {
          await service.close()
          proxy.close()
        }
      })
  })
