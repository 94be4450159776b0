import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openMysql } from '../../src/database/mysql/open-mysql.js'
import { lockName } from '../../src/database/lock-name.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { aPost } from '../contracts/storage/rows.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutGalera, startGalera } from '../support/servers/start-galera.js'
import type { TestServer } from '../support/servers/start-server.js'
import { eventually, until } from '../support/until.js'

describe('a Galera cluster of three nodes', { skip: skipWithoutGalera(), timeout: 600_000 }, () => {
  let nodes: readonly TestServer[] = []
  const storages: OpenedStorage[] = []
  before(async () => {
    nodes = await startGalera(3, { silence: 4 })
    for (const { url } of nodes) storages.push(await openMysql(url))
  })
  after(async () => {
    await Promise.all(storages.map((storage) => storage.close()))
    await Promise.all(nodes.map((node) => node.drop()))
  })
  const at = (index: number): OpenedStorage => storages[index % storages.length] ?? assert.fail('not open')

  test('a write that one node has acknowledged is read at each other node', async () => {
    for (let round = 0; round < 60; round += 1) {
      const before = await at(round + 1).changeToken()
      await at(round).options.write('round', String(round))
      assert.notEqual(await at(round + 1).changeToken(), before)
      assert.equal(await at(round + 1).options.read('round'), String(round))
      assert.equal(await at(round + 2).options.read('round'), String(round))
    }
  })

  /** A record with the first free slug, as records are stored. */
  const insert = (storage: OpenedStorage, slug: string) =>
    storage.write(async (inside) => {
      const slugs = Array.from({ length: 40 }, (_, index) => (index === 0 ? slug : `${slug}-${index + 1}`))
      await inside.lock([lockName('slug', slug)])
      const free = await inside.posts.firstFreeSlug({ slugs, types: ['post'], exceptId: 0 })
      return inside.posts.insert(aPost({ post_type: 'post', post_name: free ?? assert.fail('none is free') }))
    })
  const slugsAt = async ({ url }: TestServer, slug: string) =>
    (
      await foreignSql(url, 'SET wsrep_sync_wait = 1', `SELECT post_name FROM wp_posts WHERE post_name LIKE '${slug}%'`)
    ).map(([name]) => name)

  test('all nodes write the same names and rows at once: no duplicate, and no conflict that a caller sees', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => insert(at(index), 'tea')))
    const id = await insert(at(0), 'counted')
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        at(index).write(async (inside) => {
          await inside.lock([lockName('user', id)])
          const row = await inside.posts.find(id)
          await inside.posts.update(id, { menu_order: (row?.menu_order ?? 0) + 1 })
        }),
      ),
    )
    for (const [index, node] of nodes.entries()) {
      const slugs = await slugsAt(node, 'tea')
      assert.deepEqual([slugs.length, new Set(slugs).size], [30, 30])
      assert.equal((await at(index).posts.find(id))?.menu_order, 30)
    }
  })

  test('each job is claimed by one process, at whichever node', async () => {
    const jobs = Array.from({ length: 120 }, (_, index) =>
      at(index).jobs.add({ name: 'print', payload: '{}', request_id: '', due: { in: 0 } }, null),
    )
    const added = await Promise.all(jobs)
    const claimedBy = async (index: number): Promise<number[]> => {
      const claimed: number[] = []
      const claim = { names: ['print'], holder: `process ${index}`, lease: 600_000, limit: 5 }
      for (let none = 0; none < 3;) {
        const rows = await at(index).jobs.claim(claim, null)
        const ids = rows.map(({ id }) => id).filter((id) => !claimed.includes(id))
        none = ids.length === 0 ? none + 1 : 0
        claimed.push(...ids)
      }
      return claimed
    }
    const claims = (await Promise.all(Array.from({ length: 9 }, (_, index) => claimedBy(index)))).flat()
    assert.deepEqual(
      claims.toSorted((left, right) => left - right),
      added.toSorted((left, right) => left - right),
    )
  })

  test('nested writes whose transaction a node has rolled back run again: no change is lost, and no caller sees it', async () => {
    const id = await insert(at(0), 'nested')
    await Promise.all(
      Array.from({ length: 18 }, (_, index) =>
        at(index).transaction(async (inside) => {
          const row = await inside.posts.find(id)
          await inside.write(async (part) => {
            await part.options.write(`nested ${index}`, 'yes')
            await part.posts.update(id, { menu_order: (row?.menu_order ?? 0) + 1 })
          })
        }),
      ),
    )
    for (const storage of storages) assert.equal((await storage.posts.find(id))?.menu_order, 18)
  })

  test('failures at all nodes count for all', async () => {
    const { now } = await at(0).attempts.read(['x'])
    const raised = { name: 'pair', kind: 'test', milliseconds: 1000 }
    await Promise.all(Array.from({ length: 30 }, (_, index) => at(index).attempts.raise([raised], now)))
    for (const storage of storages)
      assert.equal((await storage.attempts.read(['pair'])).rows.get('pair')?.emptyAt, now + 30_000)
  })

  test('a node that has left the others is left, and its transactions go to another one', async () => {
    const [first, , third] = nodes.map(({ url }) => new URL(url))
    assert.ok(first && third)
    const isolate = (value: 0 | 1) =>
      foreignSql(String(third), `SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${value}'`)
    const isReady = async () => (await foreignSql(String(third), `SHOW STATUS LIKE 'wsrep_ready'`))[0]?.[1] === 'ON'
    const both = `mariadb://${third.username}:${third.password}@127.0.0.1:${third.port},127.0.0.1:${first.port}${third.pathname}`
    const storage = await openMysql(both)
    try {
      await storage.options.write('left', 'no')
      await isolate(1)
      await until(async () => !(await isReady()))
      await eventually(async () => assert.equal(await storage.options.read('left'), 'no'))
      await storage.options.write('left', 'yes')
      await storage.changeToken()
    } finally {
      await isolate(0)
      await until(isReady)
      await storage.close()
    }
    assert.equal(await at(2).options.read('left'), 'yes')
  })

  test('one node is killed while all write, and comes back with everything', async () => {
    const [first, , third] = nodes
    const killed = new AbortController()
    const stored: string[] = []
    const uncertain: string[] = []
    // A commit waits until the cluster has left the node out. It may be given up before: its outcome is then unknown.
    const writing = [0, 1].map(async (node) => {
      for (let count = 0; !killed.signal.aborted || count < 10; count += 1) {
        const slug = `killed-${node}-${count}`
        try {
          await insert(at(node), slug)
          stored.push(slug)
        } catch (error) {
          assert.match((error as Error).message, /unknown|not ready|lost/)
          uncertain.push(slug)
        }
      }
    })
    await third?.kill()
    killed.abort()
    await Promise.all(writing)
    await third?.start()
    for (const node of [first, third]) {
      const slugs = await slugsAt(node as TestServer, 'killed')
      assert.equal(new Set(slugs).size, slugs.length)
      assert.deepEqual(
        stored.filter((slug) => !slugs.includes(slug)),
        [],
      )
      assert.ok(slugs.length <= stored.length + uncertain.length)
    }
    assert.ok(stored.length >= 10, `${stored.length} stored, ${uncertain.length} uncertain`)
    await insert(at(2), 'back')
    assert.deepEqual(await slugsAt(first as TestServer, 'back'), ['back'])
  })
})
