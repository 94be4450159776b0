import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { recordStatements } from '../../../test/statements/recorded-statements.js'
import { checkDatabase } from '../maintenance/check-database.js'
import { migrateDatabase } from '../maintenance/database-status.js'
import { tableNames } from '../sql/table-names.js'
import { mysqlDialect } from './mysql-dialect.js'
import { mysqlMigrations } from './mysql-schema.js'
import { openMysqlTables } from './mysql-tables.js'

const tables = tableNames('wp_')
const statements = mysqlMigrations(tables, 'MySQL').flat()

/** Gives a database on which another program has run statements, and removes it afterwards. */
async function withDatabase(written: readonly string[], test: (server: FreshMariadb) => Promise<void>): Promise<void> {
  const server = await freshMariadb()
  try {
    await server.foreign(`SET SESSION sql_mode = ''`, ...written)
    await test(server)
  } finally {
    await server.drop()
  }
}

const isFirstStart = async (server: FreshMariadb): Promise<boolean> => (await server.open({ purpose: 'start' })).created

describe('migrations of MySQL, on MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  it('continue where a start was ended: each statement may run a second time', () =>
    // As a start has left it that was killed before it stored the version.
    withDatabase(statements, async ({ url }) => {
      const store = await openMysqlTables(url, {})
      const ofMysql = { ...store, database: { ...store.database, dialect: mysqlDialect('MySQL') } }
      try {
        const { before, after } = await migrateDatabase(ofMysql)
        assert.deepEqual([before, after], [0, mysqlMigrations(tables).length])
        assert.deepEqual(await checkDatabase(ofMysql), [])
      } finally {
        await store.database.close()
      }
    }))

  it('of an empty database that were ended in the middle are a first start again', async () => {
    const options = statements.findIndex((text) => text.includes('TABLE IF NOT EXISTS wp_options')) + 1
    assert.ok(options > 1)
    for (const count of [1, options - 1, options, options + 20, statements.length])
      await withDatabase(statements.slice(0, count), async (server) => {
        const first = await server.open({ purpose: 'start' })
        await first.finishFirstStart()
        assert.equal(first.created, true, `after ${count} statements`)
        assert.equal(await isFirstStart(server), false)
      })
  })

  it('are no first start beside rows, such as those of a backup that is being restored', async () => {
    const user = `INSERT INTO wp_users (user_login, user_email, user_nicename) VALUES ('a', 'a@example.org', 'a')`
    for (const rows of [[user], [user, 'DROP TABLE wp_options']])
      await withDatabase([...statements, ...rows], async (server) => assert.equal(await isFirstStart(server), false))
  })

  it('write the mark of a first start before the version, so that a start that was ended between them is refused', () => {
    const constraint = `ALTER TABLE wp_options ADD CONSTRAINT no_version CHECK (option_name <> 'as_rest_route_db_version')`
    return withDatabase([...statements, constraint], async (server) => {
      await assert.rejects(server.open({ purpose: 'start' }))
      await server.foreign('ALTER TABLE wp_options DROP CONSTRAINT no_version')
      await assert.rejects(server.open({ purpose: 'start' }), /Its first start did not come to its end/)
    })
  })

  it('beside tables of another program are no first start', () =>
    withDatabase(['CREATE TABLE other (id int)', ...statements], async (server) =>
      assert.equal(await isFirstStart(server), false),
    ))

  it('lock no rows of information_schema, which MySQL refuses', () =>
    withDatabase([], async (server) => {
      const recording = recordStatements('MariaDB')
      try {
        await server.open({ purpose: 'start' })
      } finally {
        recording.stop()
      }
      const described = [...recording.statements].filter((text) => text.includes('information_schema'))
      assert.ok(described.length > 0)
      for (const text of described) assert.doesNotMatch(text, /FOR UPDATE|LOCK IN SHARE MODE/)
    }))
})
