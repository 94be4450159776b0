import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { connectionOptions, freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { until } from '../../../test/support/until.js'
import { storageWithTables } from '../sql/first-start.js'
import { migrate } from '../sql/migrate.js'
import { tableNames } from '../sql/table-names.js'
import { takeLeasedLock } from './leased-lock.js'
import { parseMysqlAddress } from './mysql-address.js'
import type { MysqlConnections } from './mysql-connections.js'
import { openMysqlTables } from './mysql-tables.js'
import { connectionsOf, databaseOf, openMysql } from './open-mysql.js'

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
    await lock.requireHeld()
    await lock.end()
    assert.equal(await stored(), 0)
  })

  it('is renewed on one connection by callers that ask for it at once', async () => {
    const lock = await take()
    const sessions = () =>
      database.foreign('SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()')
    await database.foreign(...(await sessions()).map(([id]) => `KILL ${id}`))
    await until(async () => (await sessions()).length === 0, 'its connection is lost')
    await Promise.all(Array.from({ length: 5 }, async () => lock.requireHeld()))
    assert.equal((await sessions()).length, 1)
    await lock.end()
  })

  it('is given up when each renewal of a lease is held up', async () => {
    const lock = await take()
    await database.foreign(`CREATE TRIGGER holds_up BEFORE UPDATE ON wp_as_rest_route_locks FOR EACH ROW
      SET NEW.n = IF(NEW.n = 0, 0, NEW.n + SLEEP(4.1))`)
    await assert.rejects(async () => lock.requireHeld(), { fault: 'busy' })
    await lock.end()
    await database.foreign('DROP TRIGGER holds_up')
  })

  it('is lost when another process has taken it while renewals were held up, and the lock of the other stays as it is', async () => {
    const lock = await take()
    await lock.requireHeld()
    const row = 'wp_as_rest_route_locks WHERE slot = 1026'
    const holdsUp = await createConnection(connectionOptions(database.url))
    await holdsUp.query('START TRANSACTION')
    await holdsUp.query(`SELECT n FROM ${row} FOR UPDATE`)
    // The lease is over before the renewal that waits now is carried out, and another process has taken the lock.
    const renewed = (async () => lock.requireHeld())()
    const ofOther = 4_000_000_000 * 1_000_000
    await holdsUp.query(`UPDATE wp_as_rest_route_locks SET n = ${ofOther} WHERE slot = 1026`)
    const isWaiting = `SELECT 1 FROM information_schema.processlist
      WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE 'UPDATE%'`
    await until(async () => (await database.foreign(isWaiting)).length > 0, 'a renewal waits')
    await holdsUp.query('COMMIT')
    holdsUp.destroy()
    await assert.rejects(renewed, { name: 'StorageError', fault: 'busy', message: /has lost its lock/ })
    await assert.rejects(async () => lock.requireHeld(), { fault: 'busy' })
    await lock.end()
    assert.equal(await stored(), ofOther)
    await database.foreign('DELETE FROM wp_as_rest_route_locks WHERE slot = 1026')
  })

  async function beginFirstStart() {
    const empty = await freshMariadb()
    const own = await connectionsOf(parseMysqlAddress(empty.url), {})
    const tables = tableNames('wp_')
    const takeLock = () => takeLeasedLock(own, tables, 'first start')
    const turn = { requireHeld: () => undefined, end: () => undefined }
    const storage = await storageWithTables(databaseOf(own, 'MariaDB', tables, {}), tables, turn, null, '', takeLock)
    return { empty, storage, takeLock }
  }

  it('ends with the storage of a start that has failed', async () => {
    const { empty, storage } = await beginFirstStart()
    assert.equal(storage.created, true)
    await storage.close()
    assert.deepEqual(await empty.foreign('SELECT n FROM wp_as_rest_route_locks WHERE slot = 1026'), [['0']])
    await empty.drop()
  })

  it('is not needed for the end of a first start, which the next start finds finished', async () => {
    const { empty, storage, takeLock } = await beginFirstStart()
    await empty.foreign('DELETE FROM wp_as_rest_route_locks WHERE slot = 1026')
    const other = await takeLock()
    await storage.options.write('filled', 'yes')
    await storage.finishFirstStart()
    await other.end()
    await storage.close()
    const next = await openMysql(empty.url, { purpose: 'start' })
    assert.equal(next.created, false)
    assert.equal(await next.options.read('filled'), 'yes')
    await next.close()
    await empty.drop()
  })

  it('lets a migration go no further when it is lost', async () => {
    const store = await openMysqlTables(database.url, {})
    const { database: sql, tables } = store
    const turn = await take()
    await database.foreign('UPDATE wp_as_rest_route_locks SET n = 4000000000000000 WHERE slot = 1026')
    const steps = [...sql.dialect.migrations(tables), ['CREATE TABLE later (id int)']]
    const later = { ...sql, dialect: { ...sql.dialect, migrations: () => steps } }
    await assert.rejects(migrate(later, tables, turn), { fault: 'busy' })
    assert.deepEqual(await database.foreign(`SHOW TABLES LIKE 'later'`), [])
    await turn.end()
    await store.database.close()
  })
})
