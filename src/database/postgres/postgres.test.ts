import { after, before, describe, it } from 'node:test'
import { concurrentWriterContract } from '../../../test/contracts/concurrent-writers.js'
import { contentionContract } from '../../../test/contracts/contention.js'
import { storageContract } from '../../../test/contracts/storage.js'
import { freshDatabase, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { requireKnownStatements, requireUsedConstructs } from '../../../test/statements/known-statements.js'
import { recordStatements } from '../../../test/statements/recorded-statements.js'
import { openPostgres, type PostgresOptions } from './open-postgres.js'

describe('on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  const databases: FreshDatabase[] = []
  let recording: ReturnType<typeof recordStatements>
  // Not earlier: other files of the folder run in this process before.
  before(() => {
    recording = recordStatements('PostgreSQL')
  })
  after(() => Promise.all(databases.map(({ drop }) => drop())))

  const openFresh = async (options: PostgresOptions = {}) => {
    const database = await freshDatabase('postgres')
    if (database === null) throw new Error('The server of the tests is gone.')
    databases.push(database)
    return openPostgres(database.url, options)
  }

  storageContract('PostgreSQL', () => openFresh())
  const openTwo = async () => {
    const first = await openFresh()
    const { url } = databases.at(-1) ?? { url: '' }
    return [first, await openPostgres(url)]
  }
  concurrentWriterContract('PostgreSQL', openTwo)
  contentionContract('PostgreSQL', openTwo)
  storageContract('PostgreSQL without the row cache', () => openFresh({ rowCache: false, prefix: 'Shop_' }))

  it('every statement uses only constructs whose support by distributed engines was looked up', () => {
    recording.stop()
    requireKnownStatements('PostgreSQL', recording.statements)
    requireUsedConstructs('PostgreSQL', recording.statements)
  })
})
