import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseStatus } from '../../src/database/maintenance/database-status.js'
import { load } from '../../src/database/maintenance/load.js'
import { openMysqlTables } from '../../src/database/mysql/mysql-tables.js'
import { openMysql } from '../../src/database/mysql/open-mysql.js'
import { aPost } from '../contracts/storage/rows.js'
import { freshDatabaseOn, type FreshDatabase } from '../support/servers/fresh-database.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutGalera, startGalera } from '../support/servers/start-galera.js'
import type { TestServer } from '../support/servers/start-server.js'

describe('first starts at the nodes of a Galera cluster', { skip: skipWithoutGalera(), timeout: 600_000 }, () => {
  let nodes: readonly TestServer[] = []
  let database: FreshDatabase
  before(async () => {
    nodes = await startGalera(3)
    database = await freshDatabaseAtAll()
  })
  after(() => Promise.all(nodes.map((node) => node.drop())))

  const freshDatabaseAtAll = (): Promise<FreshDatabase> => {
    const [first = '', ...others] = nodes.map(({ url }) => url)
    return freshDatabaseOn(first, others)
  }

  const addressAt = (index: number): string => {
    const url = new URL(nodes[index % nodes.length]?.url ?? '')
    url.pathname = new URL(database.url).pathname
    return String(url)
  }

  test('eight at once fill one new database once, and the others wait until it is full', async () => {
    let fills = 0
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const storage = await openMysql(addressAt(index), { purpose: 'start' })
        try {
          if (storage.created) {
            fills += 1
            await sleep(1000)
            await storage.posts.insert(aPost({ post_title: 'seed' }))
            await storage.options.write('filled', 'yes')
            await storage.finishFirstStart()
          }
          assert.equal(await storage.options.read('filled'), 'yes')
        } finally {
          await storage.close()
        }
      }),
    )
    assert.equal(fills, 1)
    assert.deepEqual(await foreignSql(addressAt(1), 'SET wsrep_sync_wait = 1', 'SELECT post_title FROM wp_posts'), [
      ['seed'],
    ])
  })
  test('db status tells of a first start at another node, and writes nothing', async () => {
    const own = await freshDatabaseAtAll()
    const storage = await openMysql(own.url, { purpose: 'start' })
    const store = await openMysqlTables(own.url.replace(new URL(own.url).host, new URL(addressAt(1)).host), {
      purpose: 'read',
    })
    const writes = async () => Number((await foreignSql(own.url, `SHOW STATUS LIKE 'wsrep_last_committed'`))[0]?.[1])
    assert.equal((await databaseStatus(store)).state, 'first-start-running')
    await storage.close()
    const before = await writes()
    assert.equal((await databaseStatus(store)).state, 'first-start-unfinished')
    assert.equal(await writes(), before)
    await store.database.close()
  })

  test('nothing is created beside the tables of a WordPress site', async () => {
    const site = await freshDatabaseAtAll()
    await foreignSql(
      site.url,
      'CREATE TABLE wp_options (option_id int PRIMARY KEY, option_name varchar(191), option_value text)',
      `INSERT INTO wp_options VALUES (1, 'db_version', '60717')`,
    )
    await assert.rejects(openMysql(site.url, { purpose: 'start' }), { fault: 'incompatible' })
    const store = await openMysqlTables(site.url, {})
    await assert.rejects(store.takeMigrationLock(), { fault: 'incompatible' })
    const nothing = Readable.from([]) as AsyncIterable<never>
    await assert.rejects(load(store, nothing, { source: 'sqlite:a', onProgress: () => {} }), (error: Error) =>
      error.message.startsWith(`${store.name}: It is the database of a WordPress site`),
    )
    await store.database.close()
    assert.deepEqual(await foreignSql(site.url, 'SHOW TABLES'), [['wp_options']])
  })
})
