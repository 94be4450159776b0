import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { serverTransactionContract } from '../../../test/contracts/server-transactions.js'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { tableNames } from '../sql/table-names.js'
import type { OpenedStorage } from '../store-adapter.js'
import { parseMysqlAddress } from './mysql-address.js'
import { connectionsOf, databaseOf } from './open-mysql.js'

serverTransactionContract('MariaDB', skipWithoutServer('mariadb'), freshMariadb)

describe('transactions on MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  /** Two services of 10 connections for writes each. */
  let storages: OpenedStorage[]
  before(async () => {
    database = await freshMariadb()
    storages = [await database.open({ poolSize: 14 }), await database.open({ poolSize: 14 })]
  })
  after(() => database.drop())

  const openSql = async () =>
    databaseOf(await connectionsOf(parseMysqlAddress(database.url), {}), 'MariaDB', tableNames('wp_'), {})
  const insertOption = "INSERT INTO wp_options (option_name, option_value, autoload) VALUES (?, ?, 'no')"
  const first = (): OpenedStorage => storages[0] as OpenedStorage

  it('work that catches a deadlock cannot commit the rest', async () => {
    const { posts, options } = first()
    const [a, b] = [await posts.insert(aPost()), await posts.insert(aPost())]
    let attempts = 0
    // Each holds its first row before either asks for the row of the other.
    let lightHoldsA = (): void => undefined
    let heavyHoldsB = (): void => undefined
    const aIsHeld = new Promise<void>((resolve) => (lightHoldsA = resolve))
    const bIsHeld = new Promise<void>((resolve) => (heavyHoldsB = resolve))
    const light = storages[1]?.transaction(async (inside) => {
      attempts += 1
      await inside.posts.update(a, { post_title: 'light' })
      lightHoldsA()
      if (attempts === 1) await bIsHeld
      await inside.posts.update(b, { post_title: 'light' }).catch(() => undefined)
      await inside.options.write(`rest ${attempts}`, 'yes').catch(() => undefined)
    })
    const heavy = first().transaction(async (inside) => {
      for (let count = 0; count < 20; count += 1) await inside.options.write(`heavy ${count}`, 'yes')
      await inside.posts.update(b, { post_title: 'heavy' })
      heavyHoldsB()
      await aIsHeld
      await inside.posts.update(a, { post_title: 'heavy' })
    })
    await Promise.all([light, heavy])
    assert.deepEqual([attempts, await options.read('rest 1'), await options.read('rest 2')], [2, null, 'yes'])
  })

  it('work whose transaction the server has rolled back before the end of a savepoint runs again as a whole', async () => {
    const sql = await openSql()
    let runs = 0
    await sql.transaction(async (inside) => {
      runs += 1
      await inside.execute(insertOption, ['of the outer work', String(runs)])
      await inside.execute('SAVEPOINT step1')
      // As a node of a Galera cluster does when a write of another node wins at this moment.
      if (runs === 1) await inside.execute('ROLLBACK')
      await Promise.resolve(inside.execute('RELEASE SAVEPOINT step1')).catch(() => undefined)
      await inside.execute(insertOption, ['after the savepoint', String(runs)])
    })
    await sql.close()
    const { options } = first()
    assert.deepEqual(
      [runs, await options.read('of the outer work'), await options.read('after the savepoint')],
      [2, '2', '2'],
    )
  })

  it('work whose transaction the server has rolled back without a word runs again as a whole', async () => {
    const sql = await openSql()
    await first().options.write('counted', 'no')
    let runs = 0
    await sql.transaction(async (inside) => {
      runs += 1
      await inside.execute(insertOption, ['before the loss', String(runs)])
      if (runs === 1) await Promise.resolve(inside.execute('ROLLBACK')).catch(() => undefined)
      const change = inside.execute('UPDATE wp_options SET option_value = ? WHERE option_name = ?', ['yes', 'counted'])
      await Promise.resolve(change).catch(() => undefined)
    })
    await sql.close()
    assert.deepEqual([runs, await first().options.read('before the loss')], [2, '2'])
  })

  it('work that only reads after the server has rolled back without a word runs again as a whole', async () => {
    const sql = await openSql()
    let runs = 0
    await sql.transaction(async (inside) => {
      runs += 1
      await inside.execute(insertOption, ['before the reads', String(runs)])
      if (runs === 1) await inside.execute('BEGIN NOT ATOMIC ROLLBACK; SELECT 1; END')
      await inside.query('SELECT option_value FROM wp_options WHERE option_name = ?', ['before the reads'])
    })
    await sql.close()
    assert.deepEqual([runs, await first().options.read('before the reads')], [2, '2'])
  })

  it('work whose last statement fails after the server has rolled back without a word runs again as a whole', async () => {
    const sql = await openSql()
    await first().options.write('taken', 'yes')
    let runs = 0
    await sql.transaction(async (inside) => {
      runs += 1
      await inside.execute(insertOption, ['before the failure', String(runs)])
      if (runs === 1) await inside.execute('BEGIN NOT ATOMIC ROLLBACK; SELECT 1; END')
      await Promise.resolve(inside.execute(insertOption, ['taken', 'no'])).catch(() => undefined)
    })
    await sql.close()
    assert.deepEqual([runs, await first().options.read('before the failure')], [2, '2'])
  })

  it('work that has more than ten conflicts in a row succeeds, before work that has failed after it', async () => {
    const sql = await openSql()
    const ends: string[] = []
    const conflicting = (name: string, conflicts: number) => {
      let runs = 0
      return sql.write(async (inside) => {
        runs += 1
        if (runs <= conflicts) await inside.execute("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213")
        await inside.execute(insertOption, [name, String(runs)])
        ends.push(name)
      })
    }
    try {
      const earlier = conflicting('twelve conflicts', 12)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await Promise.all([earlier, conflicting('one conflict', 1)])
      assert.deepEqual(ends, ['twelve conflicts', 'one conflict'])
      const { options } = first()
      assert.deepEqual([await options.read('twelve conflicts'), await options.read('one conflict')], ['13', '2'])
    } finally {
      await sql.close()
    }
  })

  it('a row that another program holds is waited for, and then refused as busy', async () => {
    const storage = await database.open({ lockTimeout: 1000 })
    await storage.options.write('held', '0')
    let attempts = 0
    // The transaction holds the row against the write that it waits for.
    await first().transaction(async (inside) => {
      await inside.options.write('held', '1')
      await assert.rejects(storage.options.write('held', '2'), { name: 'StorageError', fault: 'busy' })
      const work = storage.write(async ({ options }) => {
        attempts += 1
        await options.write('before', String(attempts))
        await options.write('held', '3')
      })
      await assert.rejects(work, { name: 'StorageError', fault: 'busy' })
    })
    assert.ok(attempts > 1 && attempts <= 10, `${attempts} attempts`)
    // A wait that ended too late leaves its transaction open: nothing of it may be stored with what follows.
    assert.deepEqual([await storage.options.read('held'), await storage.options.read('before')], ['1', null])
    await storage.options.write('held', '4')
  })
})
