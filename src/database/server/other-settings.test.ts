import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeAdapterOf } from '../../app/stores.js'
import { metaContract } from '../../../test/contracts/storage/meta.js'
import { postListContract } from '../../../test/contracts/storage/post-lists.js'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { transactionContract } from '../../../test/contracts/storage/transactions.js'
import { versionContract } from '../../../test/contracts/storage/versions.js'
import { freshDatabaseOn, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql as foreignMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { foreignSql as foreignPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { DatabaseKind } from '../../../test/support/servers/server-programs.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import type { OpenedStorage } from '../store-adapter.js'

interface Kind {
  /** Settings under which statements mean something else, or fail, in a session that keeps them. */
  readonly settings: readonly string[]
  readonly foreign: (url: string, sql: string) => Promise<readonly (readonly (string | null)[])[]>
  /** What the server says of the sessions of the service, or of settings that they must not keep. */
  readonly session: readonly [query: string, row: readonly unknown[]]
  /** A query of another program for the dates of all records. */
  readonly dates: (url: string) => string
}

const kinds: Readonly<Record<DatabaseKind, Kind>> = {
  postgres: {
    settings: [
      'timezone=Asia/Kolkata',
      'datestyle=SQL,DMY',
      'default_transaction_isolation=serializable',
      'standard_conforming_strings=off',
      'transform_null_equals=on',
      'array_nulls=off',
      'extra_float_digits=-15',
      'plan_cache_mode=force_custom_plan',
      'lock_timeout=1ms',
      'statement_timeout=20000',
      'jit=on',
    ],
    foreign: foreignPostgres,
    session: [
      `SELECT current_setting('TimeZone'), current_setting('transaction_isolation')`,
      ['UTC', 'read committed'],
    ],
    dates: (url) => `SELECT post_date FROM ${new URL(url).searchParams.get('schema')}.wp_posts`,
  },
  mariadb: {
    settings: [
      'sql-mode=ANSI,NO_BACKSLASH_ESCAPES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ONLY_FULL_GROUP_BY,HIGH_NOT_PRECEDENCE,PAD_CHAR_TO_FULL_LENGTH',
      'default-time-zone=+05:30',
      'character-set-server=latin1',
      'collation-server=latin1_general_cs',
      'autocommit=0',
      'completion-type=CHAIN',
      'max-sort-length=8',
      'transaction-isolation=SERIALIZABLE',
      'group-concat-max-len=4',
      'innodb-lock-wait-timeout=1',
    ],
    foreign: foreignMariadb,
    session: [
      'SELECT @@time_zone, @@autocommit, @@collation_connection, @@sql_mode, @@completion_type',
      ['+00:00', 1, 'utf8mb4_unicode_520_ci', 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', 'NO_CHAIN'],
    ],
    dates: (url) => `SELECT CAST(post_date AS CHAR) FROM ${new URL(url).pathname.slice(1)}.wp_posts`,
  },
}

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`a ${kind} whose settings are others`, { skip: skipWithoutProgram(kind) }, () => {
    const { settings, foreign, session, dates } = kinds[kind]
    const databases: FreshDatabase[] = []
    let server: TestServer
    before(async () => {
      server = (await startServer(kind, settings)) ?? assert.fail('not installed')
      // The server has no words for it in its command line.
      if (kind === 'mariadb') await foreign(server.url, 'SET GLOBAL sql_select_limit = 3')
    })
    after(async () => {
      for (const database of databases) await database.drop()
      await server.drop()
    })
    const fresh = async (): Promise<string> => {
      const database = await freshDatabaseOn(server.url)
      databases.push(database)
      return database.url
    }

    for (const [part, contract] of Object.entries({
      transactions: transactionContract,
      'lists of posts': postListContract,
      metadata: metaContract,
      versions: versionContract,
    }))
      describe(part, () => {
        let storage: OpenedStorage
        before(async () => {
          const url = await fresh()
          storage = await storeAdapterOf(url).open(url, {})
        })
        after(() => storage?.close())
        contract(() => storage)
      })

    it('stores dates and times as they are, and reads the time of the world', async () => {
      const url = await fresh()
      const storage = await storeAdapterOf(url).open(url, {})
      try {
        const id = await storage.posts.insert(
          aPost({ post_date: '2026-03-29 02:30:00', post_modified: '0000-00-00 00:00:00' }),
        )
        const post = await storage.posts.find(id)
        assert.deepEqual([post?.post_date, post?.post_modified], ['2026-03-29 02:30:00', '0000-00-00 00:00:00'])
        assert.deepEqual(await foreign(server.url, dates(url)), [['2026-03-29 02:30:00']])
        const { now } = await storage.attempts.read(['x'])
        assert.ok(Math.abs(now - Date.now()) < 3_600_000, `${now} is not ${Date.now()}`)
      } finally {
        await storage.close()
      }
    })

    it('has sessions of the service with settings of their own', async () => {
      const url = await fresh()
      const { database } = await storeAdapterOf(url).openTables(url, {})
      try {
        const [query, row] = session
        assert.deepEqual(await database.reader.row(query), row)
        await database.write(async (writer) => assert.deepEqual(await writer.row(query), row))
      } finally {
        await database.close()
      }
    })
  })
