import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { concurrentWriterContract } from '../../../test/contracts/concurrent-writers.js'
import { contentionContract } from '../../../test/contracts/contention.js'
import { storageContract } from '../../../test/contracts/storage.js'
import { freshDatabase, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { requireKnownStatements, requireUsedConstructs } from '../../../test/statements/known-statements.js'
import { recordStatements } from '../../../test/statements/recorded-statements.js'
import { openMysql, type MysqlOptions } from './open-mysql.js'

describe('on MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  const databases: FreshDatabase[] = []
  let recording: ReturnType<typeof recordStatements>
  // Not earlier: other files of the folder run in this process before.
  before(() => {
    recording = recordStatements('MariaDB')
  })
  after(() => Promise.all(databases.map(({ drop }) => drop())))

  const openFresh = async (options: MysqlOptions = {}) => {
    const database = await freshDatabase('mariadb')
    if (database === null) throw new Error('The server of the tests is gone.')
    databases.push(database)
    return openMysql(database.url, options)
  }

  const comparison = { ignoresAccents: true, ignoresTrailingSpaces: true }
  storageContract('MariaDB', () => openFresh(), comparison)
  const openTwo = async () => {
    const first = await openFresh()
    const { url } = databases.at(-1) ?? { url: '' }
    return [first, await openMysql(url)]
  }
  concurrentWriterContract('MariaDB', openTwo)
  contentionContract('MariaDB', openTwo)
  storageContract('MariaDB without the row cache', () => openFresh({ rowCache: false, prefix: 'Shop_' }), comparison)

  it('of eight starts at once, one creates the database, and the others wait until it is filled', async () => {
    const database = await freshDatabase('mariadb')
    assert.ok(database)
    databases.push(database)
    const storages = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const storage = await openMysql(database.url, { purpose: 'start', poolSize: 2 })
        // The others read this when they are open.
        if (storage.created) await storage.options.write('seeded', 'yes')
        await storage.finishFirstStart()
        return { storage, created: storage.created, seeded: await storage.options.read('seeded') }
      }),
    )
    assert.equal(storages.filter(({ created }) => created).length, 1)
    assert.deepEqual(
      storages.map(({ seeded }) => seeded),
      storages.map(() => 'yes'),
    )
    await Promise.all(storages.map(({ storage }) => storage.close()))
  })

  it('a first start that was ended is refused by the next one', async () => {
    const database = await freshDatabase('mariadb')
    assert.ok(database)
    databases.push(database)
    await (await openMysql(database.url, { purpose: 'start' })).close()
    await assert.rejects(openMysql(database.url, { purpose: 'start' }), {
      fault: 'incompatible',
      message: /did not come to its end.*DROP DATABASE/s,
    })
  })

  it('every statement uses only constructs whose support by distributed engines was looked up', () => {
    recording.stop()
    requireKnownStatements('MariaDB', recording.statements)
    requireUsedConstructs('MariaDB', recording.statements)
  })
})
