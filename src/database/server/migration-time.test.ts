import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeAdapterOf } from '../../app/stores.js'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { freshDatabase, type FreshDatabase } from '../../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import type { DatabaseKind } from '../../../test/support/servers/server-programs.js'
import { migrate } from '../sql/migrate.js'

/** Makes the index of the metadata of a record take so many seconds. */
const slowIndex: Readonly<Record<DatabaseKind, (seconds: number) => readonly string[]>> = {
  postgres: (seconds) => [
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$`,
    'CREATE TRIGGER slow BEFORE INSERT ON wp_as_rest_route_indexed_values FOR EACH ROW EXECUTE FUNCTION wait()',
  ],
  mariadb: (seconds) => [
    `CREATE TRIGGER slow BEFORE INSERT ON wp_as_rest_route_indexed_values FOR EACH ROW SET @slept = SLEEP(${seconds})`,
  ],
}

/** Statements that take so many seconds, as the index of a large table does. */
const slow: Readonly<Record<DatabaseKind, (seconds: number) => string>> = {
  postgres: (seconds) => `CREATE TABLE slow AS SELECT pg_sleep(${seconds})::text AS slept`,
  mariadb: (seconds) => `CREATE TABLE slow AS SELECT SLEEP(${seconds}) AS slept`,
}

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`the time of migrations on ${kind}`, { skip: skipWithoutServer(kind) }, () => {
    let server: FreshDatabase
    before(async () => {
      server = (await freshDatabase(kind)) ?? assert.fail('There is no server.')
    })
    after(() => server.drop())

    it('is not limited for the index of the metadata of existing records', async () => {
      const statementTimeout = 500
      const adapter = storeAdapterOf(server.url)
      const storage = await adapter.open(server.url, { statementTimeout })
      const { database } = await adapter.openTables(server.url, {})
      try {
        await storage.posts.insert(aPost({ post_type: 'product' }))
        for (const statement of slowIndex[kind](2)) await database.write((connection) => connection.execute(statement))
        const price = { type: 'product', key: 'price' }
        assert.deepEqual(await storage.indexMeta?.([price], () => undefined), [])
      } finally {
        await database.close()
        await storage.close()
      }
    })

    it('is not limited, and that of other statements is', async () => {
      const statementTimeout = 500
      const adapter = storeAdapterOf(server.url)
      await (await adapter.open(server.url, { statementTimeout })).close()
      const store = await adapter.openTables(server.url, { statementTimeout })
      const { database, tables } = store
      try {
        await assert.rejects(
          database.write((connection) => connection.execute(slow[kind](2))),
          { name: 'StorageError', fault: 'busy' },
        )
        const { dialect } = database
        // Longer than a server may leave a statement of this limit without a response.
        const steps = [...dialect.migrations(tables), [slow[kind](7)]]
        const later = { ...database, dialect: { ...dialect, migrations: () => steps } }
        const begun = performance.now()
        const lock = await store.takeMigrationLock()
        assert.deepEqual(await migrate(later, tables, lock), { created: false })
        await lock.end()
        assert.ok(performance.now() - begun > 6500)
        // The limit holds again.
        await assert.rejects(
          database.write((connection) => connection.execute(slow[kind](2).replace('slow', 'slower'))),
          { fault: 'busy' },
        )
      } finally {
        await database.close()
      }
    })
  })
