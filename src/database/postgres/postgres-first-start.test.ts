import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Client } from 'pg'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import { until } from '../../../test/support/until.js'
import type { OpenedStorage } from '../store-adapter.js'
import { lockKey } from './lock-key.js'
import { openPostgres, postgresHasTables } from './open-postgres.js'

describe('the first start on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshPostgres
  beforeEach(async () => {
    database = await freshPostgres()
  })
  afterEach(() => database.drop())

  it('of eight starts at once, one creates the database, and the others wait until it is filled', async () => {
    assert.equal(await postgresHasTables(database.url, 'wp_'), false)
    let longWaits = 0
    const fill = async (storage: OpenedStorage): Promise<boolean> => {
      if (storage.created) {
        await until(() => longWaits > 0, 'the waiting of another start is reported')
        await storage.options.write('filled', 'yes')
        await storage.finishFirstStart()
      }
      assert.equal(await storage.options.read('filled'), 'yes')
      return storage.created
    }
    const starts = Array.from({ length: 8 }, async () =>
      fill(await database.open({ purpose: 'start', waiting: { onLong: () => void (longWaits += 1) } })),
    )
    const created = await Promise.all(starts)
    assert.equal(created.filter(Boolean).length, 1)
    assert.equal(await postgresHasTables(database.url, 'wp_'), true)
    assert.equal(await postgresHasTables(database.url, 'other_'), false)
  })

  it('tools that create the tables at once do so once', async () => {
    const storages = await Promise.all(Array.from({ length: 6 }, () => database.open()))
    assert.equal(storages.filter(({ created }) => created).length, 1)
  })

  it('while it creates tables, those of other schemas of the database do not wait for it', async () => {
    const other = new Client({ connectionString: database.url })
    await other.connect()
    await other.query(`BEGIN; CREATE TABLE ${database.table('users')} (id bigint)`)
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const start = database.open({ purpose: 'start' })
    try {
      const waiting = `pid IN (SELECT pid FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY (pg_blocking_pids(pid)))`
      let locked: readonly (string | null)[][] = []
      await until(async () => {
        locked = await database.foreign(`SELECT relation::regclass::text FROM pg_locks
          WHERE ${waiting} AND (mode LIKE 'Share%Exclusive%' OR mode LIKE '%AccessExclusive%') AND relation < 16384
          UNION ALL SELECT 'waits' FROM pg_locks WHERE ${waiting} AND NOT granted`)
        return locked.length > 0
      }, 'the start waits for the table')
      assert.deepEqual(locked, [['waits']])
    } finally {
      await other.query('ROLLBACK')
      await other.end()
      await (await start).finishFirstStart()
    }
  })

  it('a start that never finished is refused, with the way to remove it', async () => {
    const storage = await database.open({ purpose: 'start' })
    await storage.close()
    await assert.rejects(database.open({ purpose: 'start' }), {
      fault: 'incompatible',
      message: /first start did not come to its end.*DROP SCHEMA "test_\w+" CASCADE/,
    })
  })

  /** Ends the session that holds the lock of the first start. */
  const endLock = async () => {
    const key = lockKey(`${database.table('options')} first start`)
    const ended = await database.foreign(
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE (classid::bigint << 32) | objid::bigint = ${key} AND locktype = 'advisory'`,
    )
    assert.equal(ended.length, 1)
  }

  it('is finished although the connection of its lock was lost', async () => {
    const storage = await database.open({ purpose: 'start' })
    await endLock()
    // It must not be taken for one whose tables an administrator may remove.
    await assert.rejects(database.open({ purpose: 'start' }), {
      fault: 'incompatible',
      message: /is still filling it, wait for its end, and start again\. If not: Remove its tables/,
    })
    await storage.options.write('filled', 'yes')
    await storage.finishFirstStart()
    const next = await database.open({ purpose: 'start' })
    assert.equal(next.created, false)
    assert.equal(await next.options.read('filled'), 'yes')
  })

  it('is not finished when its tables were removed and another process has created new ones', async () => {
    const replaced = await database.open({ purpose: 'start' })
    await endLock()
    await database.foreign(`DROP SCHEMA ${new URL(database.url).searchParams.get('schema')} CASCADE`)
    const storage = await database.open({ purpose: 'start' })
    await assert.rejects(replaced.finishFirstStart(), {
      fault: 'incompatible',
      message: /not those that this start has/,
    })
    assert.equal(storage.created, true)
    await storage.finishFirstStart()
    assert.equal((await database.open({ purpose: 'start' })).created, false)
  })

  it('a start that waits for another one ends with its signal', async () => {
    const first = await database.open({ purpose: 'start' })
    const reason = new Error('stopped')
    const controller = new AbortController()
    const onLong = () => controller.abort(reason)
    const waiting = database.open({ purpose: 'start', waiting: { onLong, signal: controller.signal } })
    await assert.rejects(waiting, (error) => error === reason)
    await first.finishFirstStart()
  })

  it('a schema that does not exist is created, but not by a tool that only reads', async () => {
    const schema = `${new URL(database.url).searchParams.get('schema')}_new`
    const url = new URL(database.url)
    url.searchParams.set('schema', schema)
    await assert.rejects(openPostgres(String(url), { purpose: 'read' }), {
      message: new RegExp(`no schema "${schema}"`),
    })
    await (await openPostgres(String(url))).close()
    const reading = await openPostgres(String(url), { purpose: 'read' })
    try {
      const refused = { fault: 'read-only' }
      await assert.rejects(reading.options.write('a', 'b'), refused)
      await assert.rejects(
        reading.write(({ options }) => options.write('a', 'b')),
        refused,
      )
    } finally {
      await reading.close()
    }
    await database.foreign(`DROP SCHEMA ${schema} CASCADE`)
  })

  it('a trigger that another program has dropped is created again, a table is not', async () => {
    await (await database.open()).close()
    await database.foreign(`DROP TRIGGER wp_posts_insert_raises ON ${database.table('posts')}`)
    const warnings: string[] = []
    const storage = await database.open({ onWarning: (code) => void warnings.push(code) })
    assert.deepEqual(warnings, ['database-triggers-created'])
    await storage.ping()
    await database.foreign(`DROP TABLE ${database.table('termmeta')} CASCADE`)
    await assert.rejects(storage.ping(), { fault: 'incompatible', message: /lacks the table wp_termmeta/ })
  })

  it('a name that is too long for PostgreSQL is refused', () =>
    assert.rejects(database.open({ prefix: 'a'.repeat(25) }), { message: /at most 24 characters/ }))

  it('the longest prefix has no name that is cut', async () => {
    const storage = await database.open({ prefix: 'P'.repeat(24) })
    await storage.ping()
    await storage.options.write('blogname', 'Shop')
    assert.equal(await storage.options.read('blogname'), 'Shop')
  })
})
