import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutProgram, skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import {
  foreignSql,
  freshMariadb,
  killConnections,
  type FreshMariadb,
} from '../../../test/support/servers/open-fresh-mariadb.js'
import { startServer } from '../../../test/support/servers/start-server.js'
import { eventually } from '../../../test/support/until.js'
import type { OpenedStorage } from '../store-adapter.js'
import { openMysql } from './open-mysql.js'

const page = { types: ['product'], statuses: ['publish'], order: [], limit: 10, offset: 0 } as const
const titles = async ({ posts }: OpenedStorage): Promise<string[]> =>
  (await posts.list(page, { columns: ['post_title'] })).rows.map(({ post }) => post.post_title)

describe('freshness on MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  let reader: OpenedStorage
  let writer: OpenedStorage
  before(async () => {
    database = await freshMariadb()
    reader = await database.open()
    writer = await database.open()
  })
  after(() => database.drop())

  it('each read shows the last write that another service has acknowledged', async () => {
    const id = await writer.posts.insert(aPost({ post_title: '0' }))
    for (let count = 1; count <= 100; count += 1) {
      const title = String(count)
      if (count % 3 === 0)
        await writer.transaction(async ({ posts }) => void (await posts.update(id, { post_title: title })))
      else await writer.posts.update(id, { post_title: title })
      // The second one comes from the row cache.
      assert.deepEqual([await titles(reader), await titles(reader)], [[title], [title]])
    }
  })

  it('each read shows the last write of another program', async () => {
    for (let count = 1; count <= 20; count += 1) {
      await database.foreign(`UPDATE wp_posts SET post_title = 'foreign ${count}'`)
      assert.deepEqual([await titles(reader), await titles(reader)], [[`foreign ${count}`], [`foreign ${count}`]])
    }
  })

  it('a token is never seen before its data: equal tokens around a read mean equal data', async () => {
    const id = await writer.posts.insert(aPost({ post_title: '0', post_type: 'counted' }))
    const seen = new Map<unknown, string>()
    const state = { isWriting: true }
    const writing = (async () => {
      for (let count = 1; count <= 300; count += 1)
        await writer.write(async (inside) => {
          await inside.posts.update(id, { post_title: String(count) })
          await inside.options.write('counted', String(count))
        })
      state.isWriting = false
    })()
    while (state.isWriting) {
      const token = await reader.changeToken()
      const title = (await reader.posts.find(id))?.post_title ?? ''
      // The data were read between two equal tokens.
      if ((await reader.changeToken()) !== token) continue
      assert.equal(seen.get(token) ?? title, title)
      seen.set(token, title)
    }
    await writing
  })

  it('the token stays while nothing is written, and changes with a write', async () => {
    const token = await reader.changeToken()
    assert.equal(await reader.changeToken(), token)
    await writer.options.write('blogname', 'Shop')
    assert.notEqual(await reader.changeToken(), token)
  })

  it('readers of the token share its reads, and none gets one from before its call', async () => {
    const reads = Array.from({ length: 50 }, () => reader.changeToken())
    await writer.options.write('blogname', 'Shared')
    const after = await reader.changeToken()
    for (const token of await Promise.all(reads)) assert.ok(token !== undefined)
    assert.equal(await reader.changeToken(), after)
  })

  const foreign: [what: string, statements: string[], raised: string[]][] = [
    ['an insert', [`INSERT INTO wp_usermeta (user_id, meta_key) VALUES (1, 'a')`], ['users']],
    ['an update of no row', [`UPDATE wp_posts SET post_title = 'x' WHERE ID = 0`], []],
    [
      'an update of a type',
      [`UPDATE wp_posts SET post_type = 'Film' WHERE post_type = 'product'`],
      ['film', 'product'],
    ],
    [
      'metadata of a post',
      [`INSERT INTO wp_postmeta (post_id) SELECT ID FROM wp_posts WHERE post_type = 'film'`],
      ['film'],
    ],
    [
      'REPLACE of a post by one of another type',
      [
        `REPLACE INTO wp_posts (ID, post_type, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered)
        SELECT ID, 'book', '', '', '', '', '', '' FROM wp_posts WHERE post_type = 'film'`,
      ],
      ['book', 'film'],
    ],
    ['a removal', ['DELETE FROM wp_options'], ['options']],
    ['a rolled back write', ['START TRANSACTION', 'DELETE FROM wp_posts', 'ROLLBACK'], []],
    [
      'a write with autocommit off',
      ['SET autocommit = 0', `UPDATE wp_posts SET menu_order = 7 WHERE post_type = 'book'`, 'COMMIT'],
      ['book'],
    ],
  ]
  for (const [what, statements, raised] of foreign)
    it(`${what} by another program raises the versions of ${raised.join(' and ') || 'nothing'}`, async () => {
      const [before, token] = [await reader.versions(), await reader.changeToken()]
      await database.foreign(...statements)
      const changed = [...(await reader.versions())].filter(([tag, version]) => version !== before.get(tag))
      assert.deepEqual(changed.map(([tag]) => tag).sort(), raised)
      assert.equal((await reader.changeToken()) === token, raised.length === 0)
    })

  it('metadata of no post changes the token, although no type of posts', async () => {
    const [before, token] = [await reader.versions(), await reader.changeToken()]
    await database.foreign(`INSERT INTO wp_postmeta (post_id, meta_key) VALUES (4000000, 'a')`)
    assert.deepEqual(await reader.versions(), before)
    assert.notEqual(await reader.changeToken(), token)
  })

  it('writers of one kind do not wait for each other: each connection has a counter of its own', async () => {
    await writer.transaction(async (one) => {
      await one.posts.insert(aPost())
      // It would wait for the end of the transaction, which waits for it, until its time is over.
      await reader.posts.insert(aPost())
    })
    const [[slots] = []] = await database.foreign('SELECT COUNT(DISTINCT slot) FROM wp_as_rest_route_versions')
    assert.ok(Number(slots) > 1)
  })

  it('a version never returns after older counters were restored', async () => {
    const { posts } = writer
    const id = await posts.insert(aPost())
    await database.foreign('CREATE TABLE backup AS SELECT * FROM wp_as_rest_route_versions')
    const seen = new Set<unknown>()
    const change = async (count: number) => {
      await posts.update(id, { menu_order: count })
      return (await writer.versions()).get('product')
    }
    for (let count = 0; count < 5; count += 1) seen.add(await change(count))
    await database.foreign(
      'DELETE FROM wp_as_rest_route_versions',
      'INSERT INTO wp_as_rest_route_versions SELECT * FROM backup',
      'DROP TABLE backup',
    )
    for (let count = 5; count < 10; count += 1) assert.ok(!seen.has(await change(count)))
  })

  it('a connection that another program ends makes a new token', async () => {
    const token = await reader.changeToken()
    await killConnections(database.url)
    assert.notEqual(await reader.changeToken(), token)
  })
})

it('a crash that loses acknowledged writes leaves no stale row', { skip: skipWithoutProgram('mariadb') }, async () => {
  const server = await startServer('mariadb')
  assert.ok(server)
  const storage = await openMysql(server.url)
  try {
    const id = await storage.posts.insert(aPost({ post_title: 'before' }))
    for (let count = 0; count < 3; count += 1) await titles(storage)
    await storage.posts.update(id, { post_title: 'after' })
    assert.deepEqual([await titles(storage), await titles(storage)], [['after'], ['after']])
    await server.kill()
    await server.start()
    const read = () => eventually(() => titles(storage))
    // What the server has kept, whichever that is.
    await read()
    const [[kept] = []] = await foreignSql(server.url, `SELECT post_title FROM wp_posts WHERE ID = ${id}`)
    assert.deepEqual(await read(), kept === undefined ? [] : [kept])
  } finally {
    await storage.close()
    await server.drop()
  }
})
