import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { freshDatabase, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { connectionLimits } from '../server/connection-limits.js'
import { connect, type ConnectionKind } from './connect.js'
import { parsePostgresAddress } from './postgres-address.js'
import type { PostgresConnection } from './postgres-connection.js'
import { postgresDriver } from './postgres-driver.js'
import { isOfOldPlan } from './postgres-fault.js'
import { Statements } from './statements.js'

describe('statements of a connection to PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshDatabase
  const open: PostgresConnection[] = []
  before(async () => {
    database = (await freshDatabase('postgres')) ?? assert.fail('There is no server.')
  })
  after(() => database.drop())
  afterEach(() => Promise.all(open.splice(0).map((connection) => connection.close())))

  async function connected(kind: ConnectionKind = 'writer', statementTimeout = 5000): Promise<PostgresConnection> {
    const settings = {
      address: parsePostgresAddress(database.url),
      driver: await postgresDriver(),
      statements: new Statements(),
      limits: connectionLimits({ statementTimeout }),
      isReadOnly: false,
      isDurable: true,
      schema: null,
    }
    const { connection } = await connect(settings, kind, () => undefined)
    open.push(connection)
    return connection
  }

  const typed = `SELECT ?::int, ?::bigint, ?::text, ?::text, '{"a":[1]}'::jsonb, '[1, 2]'::json, true, 1.5::float8`
  const values = [7, 2 ** 53 - 1, 'a\0b', null]
  const row = [7, 2 ** 53 - 1, 'a\0b', null, { a: [1] }, '[1, 2]', 1, 1.5]

  it('read the same values at the first use, at uses beside it, and later', async () => {
    const connection = await connected('reader')
    const uses = [connection.run(typed, values), connection.run(typed, values), connection.run(typed, values)]
    uses.push(connection.run(typed, values.with(0, 8)))
    const [first, second, third, other] = (await Promise.all(uses)).map(({ rows }) => rows)
    assert.deepEqual([first, second, third], [[row], [row], [row]])
    assert.deepEqual(other, [row.with(0, 8)])
    assert.deepEqual((await connection.run(typed, values)).rows, [row])
  })

  it('tell how many rows they matched, and what the server has done', async () => {
    const connection = await connected()
    await connection.runUnnamed('CREATE TABLE counted (id int)')
    const told = []
    for (const text of [
      'INSERT INTO counted VALUES (1), (2), (3)',
      'UPDATE counted SET id = id + 1 WHERE id > 1',
      'DELETE FROM counted WHERE id = 99',
      'SELECT id FROM counted WHERE id = 99',
      'SELECT id FROM counted ORDER BY id',
      'BEGIN',
      'COMMIT',
    ])
      for (const use of [await connection.run(text), text.startsWith('INSERT') ? null : await connection.run(text)])
        if (use !== null) told.push([use.command, use.matched, use.rows.flat()].join(' '))
    assert.deepEqual(told, [
      'INSERT 3 ',
      'UPDATE 2 ',
      'UPDATE 2 ',
      'DELETE 0 ',
      'DELETE 0 ',
      'SELECT 0 ',
      'SELECT 0 ',
      'SELECT 3 1,4,5',
      'SELECT 3 1,4,5',
      'BEGIN 0 ',
      'BEGIN 0 ',
      'COMMIT 0 ',
      'COMMIT 0 ',
    ])
  })

  it('fail alone: one whose first use fails is used again, and those sent behind it are answered', async () => {
    const connection = await connected('reader')
    const divided = 'SELECT 6 / ?::int'
    const results = await Promise.allSettled([
      connection.run(divided, [0]),
      connection.run(divided, [3]),
      connection.run('SELECT nonsense FROM nowhere'),
      connection.run('SELECT nonsense FROM nowhere'),
      connection.run(divided, [2]),
    ])
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value.rows[0]?.[0] : 'failed')),
      ['failed', 2, 'failed', 'failed', 3],
    )
    await assert.rejects(connection.run('SELECT nonsense FROM nowhere'), /nowhere/)
    assert.deepEqual((await connection.run(divided, [1])).rows, [[6]])
  })

  it('sent together are one transaction: what follows one that fails does not run, what came before leaves no trace', async () => {
    const connection = await connected()
    const other = await connected('reader')
    await connection.runUnnamed('CREATE TABLE together (id int PRIMARY KEY)')
    const insert = 'INSERT INTO together VALUES (?) RETURNING id'
    const count = 'SELECT count(*) FROM together'
    const results = await connection.runTogether([[insert, [1]], [count], [insert, [2]]])
    assert.deepEqual(
      results.map(({ rows }) => rows[0]?.[0]),
      [1, 1, 2],
    )
    const behind = 'SELECT max(id) FROM together'
    await assert.rejects(connection.runTogether([[insert, [3]], [insert, [1]], [insert, [4]], [behind]]), {
      fault: 'constraint',
    })
    assert.deepEqual((await other.run(count)).rows, [[2]])
    assert.deepEqual(
      (await connection.runTogether([[behind], [insert, [3]]])).map(({ rows }) => rows),
      [[[2]], [[3]]],
    )
  })

  it('sent together hold the locks of the first one until the last has committed', async () => {
    const [holder, connection, other, watcher] = await Promise.all([connected(), connected(), connected(), connected()])
    await holder.runUnnamed('CREATE TABLE locked (id int)')
    const lock = 'SELECT pg_advisory_xact_lock(?)'
    const waits = async (count: number): Promise<void> => {
      const waiting = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid IN (7, 8) AND NOT granted`
      while ((await watcher.run(waiting)).rows[0]?.[0] !== count)
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await holder.run('SELECT pg_advisory_lock(?)', [8])
    const first = connection.runTogether([[lock, [7]], ['INSERT INTO locked VALUES (1)'], [lock, [8]]])
    await waits(1)
    const second = other.runTogether([[lock, [7]], ['SELECT count(*) FROM locked']])
    await waits(2)
    await holder.run('SELECT pg_advisory_unlock(?)', [8])
    await first
    assert.deepEqual((await second)[1]?.rows, [[1]])
  })

  it('sent together may each take the time limit of one, although the server is silent until the last has run', async () => {
    const connection = await connected('writer', 1000)
    const pause = 'SELECT pg_sleep(0.9), 1'
    const results = await connection.runTogether(Array.from({ length: 8 }, () => [pause]))
    assert.deepEqual(
      results.map(({ rows }) => rows[0]?.[1]),
      Array.from({ length: 8 }, () => 1),
    )
  })

  it('are refused by the server when a migration has changed the types that they read', async () => {
    const connection = await connected('reader')
    const other = await connected()
    await other.runUnnamed('CREATE TABLE migrated (value int)')
    await other.runUnnamed('INSERT INTO migrated VALUES (1)')
    const text = 'SELECT value FROM migrated'
    assert.deepEqual((await connection.run(text)).rows, [[1]])
    await other.runUnnamed(`ALTER TABLE migrated ALTER value TYPE text USING 'one'`)
    await assert.rejects(connection.run(text), (error) => isOfOldPlan(error))
    assert.deepEqual((await (await connected('reader')).run(text)).rows, [['one']])
  })
})
