import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { until } from '../../../test/support/until.js'
import { tableNames } from '../sql/table-names.js'
import { takeLeasedLock } from './leased-lock.js'
import { parseMysqlAddress } from './mysql-address.js'
import type { MysqlConnections } from './mysql-connections.js'
import { connectionsOf, openMysql } from './open-mysql.js'

describe('a leased lock', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  let connections: MysqlConnections
  before(async () => {
    database = await freshMariadb()
    connections = await connectionsOf(parseMysqlAddress(database.url), {})
  })
  after(async () => {
    await connections.close()
    await database.drop()
  })
  const take = () => takeLeasedLock(connections, tableNames('wp_'), 'first start')
  const stored = async () => Number((await database.foreign('SELECT n FROM wp_as_rest_route_locks'))[0]?.[0])

  it('is held by one at a time, and its table does not make a database an old one', async () => {
    let holders = 0
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const lock = await take()
        holders += 1
        assert.equal(holders, 1)
        await sleep(20)
        holders -= 1
        await lock.end()
        await lock.end()
      }),
    )
    const storage = await openMysql(database.url, { purpose: 'start' })
    assert.equal(storage.created, true)
    await storage.finishFirstStart()
    await storage.close()
  })

  it('is renewed while it is held, and free when it was not renewed', async () => {
    const first = await take()
    const begun = await stored()
    await until(async () => (await stored()) > begun, 'the lock is renewed')
    let isTaken = false
    const taking = take().finally(() => (isTaken = true))
    await sleep(300)
    assert.equal(isTaken, false)
    await database.foreign('UPDATE wp_as_rest_route_locks SET n = (UNIX_TIMESTAMP() - 1) * 1000000')
    const second = await taking
    const ofSecond = await stored()
    await first.end()
    assert.equal(await stored(), ofSecond)
    await second.end()
    assert.equal(await stored(), 0)
  })

  it('is renewed and ended when its connection is lost, and when the outcome of a renewal is unknown', async () => {
    const lock = await take()
    const sessions = await database.foreign(
      'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    )
    assert.equal(sessions.length, 1)
    await database.foreign(...sessions.map(([id]) => `KILL ${id}`))
    const begun = await stored()
    await until(async () => (await stored()) > begun, 'another connection renews the lock')
    await database.foreign('UPDATE wp_as_rest_route_locks SET n = n + 20 * 1000000 WHERE slot = 1026')
    const unknown = await stored()
    await until(async () => (await stored()) !== unknown, 'the lock is renewed again')
    await lock.end()
    assert.equal(await stored(), 0)
  })
})
