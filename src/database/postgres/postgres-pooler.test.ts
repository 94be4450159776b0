import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshDatabase, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { foreignSql } from '../../../test/support/servers/open-fresh-postgres.js'
import { skipWithoutPgbouncer, startPgbouncer } from '../../../test/support/servers/start-pgbouncer.js'
import { StorageError } from '../storage-error.js'
import { openPostgres } from './open-postgres.js'

describe('PgBouncer in front of PostgreSQL', { skip: skipWithoutServer('postgres') || skipWithoutPgbouncer() }, () => {
  let database: FreshDatabase
  before(async () => {
    database = (await freshDatabase('postgres')) ?? assert.fail('There is no server.')
  })
  after(() => database.drop())

  for (const mode of ['transaction', 'session', 'statement'] as const)
    it(`in ${mode} mode is refused by each start, with what to do`, async () => {
      const pooler = await startPgbouncer(database.url, mode)
      try {
        // The later starts meet what the earlier ones have left in the session of the server.
        for (let start = 1; start <= 3; start += 1)
          await assert.rejects(openPostgres(pooler.url, { purpose: 'start', wait: 10_000 }), (error) => {
            assert.ok(error instanceof StorageError)
            assert.equal(error.fault, 'incompatible')
            assert.match(
              error.message,
              /^postgres:\/\/test@127\.0\.0\.1:\d+\/postgres: The address leads to a connection pooler, such as PgBouncer, .* Give the address of PostgreSQL itself\.$/,
            )
            return true
          })
        const [settings] = await foreignSql(
          pooler.url,
          `SELECT current_setting('statement_timeout'), current_setting('default_transaction_read_only'), current_schema()`,
        )
        assert.deepEqual(settings, ['0', 'off', 'public'], 'other clients of the pooler keep their settings')
      } finally {
        await pooler.drop()
      }
    })
})
