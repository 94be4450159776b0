import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import { databaseStatus, migrateDatabase } from '../../src/database/maintenance/database-status.js'
import { copyDatabase, exportDatabase } from '../../src/database/maintenance/move.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { aPost } from '../contracts/storage/rows.js'
import { emptyDatabase, skipWithout, storeKinds, type MovingDatabase, type StoreKind } from './moving-databases.js'
import { exportedSite, followIds, makeOlder, migrations, recordedSteps, rowsOf } from './older-database.js'

const databases: MovingDatabase[] = []
afterEach(() => Promise.all(databases.splice(0).map(({ drop }) => drop())))

async function fresh(kind: StoreKind): Promise<MovingDatabase> {
  const database = await emptyDatabase(kind)
  databases.push(database)
  return database
}

/** The store of a program whose schema has one more step, which fails when it runs a second time. */
function ofLaterProgram(store: SqlStore): SqlStore {
  const { dialect } = store.database
  const step = ['ALTER TABLE wp_posts ADD COLUMN note varchar(10)', `UPDATE wp_posts SET note = 'later'`]
  const later = { ...dialect, migrations: () => [...dialect.migrations(store.tables), step] }
  return { ...store, database: { ...store.database, dialect: later } }
}

for (const kind of storeKinds)
  describe(`the schema on ${kind}`, { skip: skipWithout(kind) }, () => {
    it('has the recorded steps: those that databases have made are never changed', () => {
      assert.deepEqual(recordedSteps(kind), migrations[kind])
    })

    it('has no step that changes the type or the name of a column, which running services of the version before read', () => {
      for (const [index, step] of recordedSteps(kind).entries())
        for (const statement of index === 0 ? [] : step)
          if (statement.startsWith('ALTER TABLE')) assert.match(statement, /^ALTER TABLE \w+ ADD COLUMN /)
          else assert.doesNotMatch(statement, /^DROP (?!TRIGGER|FUNCTION|INDEX)|^RENAME/)
    })

    it('is reached from each version with the data of a site', async () => {
      const steps = recordedSteps(kind)
      for (const [index] of steps.entries()) {
        const database = await fresh(kind)
        await makeOlder(database, steps.slice(0, index + 1))
        const store = await database.tables()
        const isNewest = index + 1 === steps.length
        assert.equal((await databaseStatus(store)).state, isNewest ? 'current' : 'older')
        const { before, after } = await migrateDatabase(store)
        assert.deepEqual([before, after], [index + 1, steps.length])
        if (kind === 'postgres') await followIds(database)
        assert.deepEqual(await checkDatabase(store), [])
        const lines: string[] = []
        await exportDatabase(store, 'wp_', async (text) => void lines.push(...text.trimEnd().split('\n')), {
          onProgress: () => {},
        })
        assert.deepEqual(rowsOf(lines), rowsOf(exportedSite))

        const storage = await database.storage({ purpose: 'start' })
        assert.equal(storage.created, false)
        await storage.ping()
        const id = await storage.posts.insert(aPost({ post_title: 'after' }))
        assert.equal((await storage.posts.find(id))?.post_title, 'after')
      }
    })

    it('is migrated once when eight programs start at the same time', async () => {
      const database = await fresh(kind)
      await makeOlder(database, migrations[kind])
      const stores = await Promise.all(Array.from({ length: 8 }, () => database.tables()))
      const outcomes = await Promise.all(stores.map((store) => migrateDatabase(ofLaterProgram(store))))
      const [after = 0] = outcomes.map((outcome) => outcome.after)
      assert.equal(after, migrations[kind].length + 1)
      assert.ok(outcomes.some(({ before }) => before === after - 1))
      const [row] = await (await database.tables()).database.reader.query('SELECT DISTINCT note FROM wp_posts')
      assert.deepEqual(row, ['later'])
    })

    it('of a newer program is refused by each command, and left as it is', async () => {
      const database = await fresh(kind)
      await makeOlder(database, migrations[kind])
      const store = await database.tables()
      await migrateDatabase(ofLaterProgram(store))
      const { state, version, programVersion } = await databaseStatus(store)
      assert.deepEqual([state, version], ['newer', programVersion + 1])
      const refusal = { fault: 'incompatible', message: new RegExp(`version ${version} of the tables`) }
      const target = await (await fresh('sqlite')).tables()
      const options = { onProgress: () => {} }
      await assert.rejects(migrateDatabase(store), refusal)
      await assert.rejects(checkDatabase(store), refusal)
      await assert.rejects(copyDatabase(store, target, options), refusal)
      await assert.rejects(
        exportDatabase(store, 'wp_', async () => {}, options),
        refusal,
      )
      await assert.rejects(database.storage({ purpose: 'start' }), refusal)
      assert.equal((await databaseStatus(store)).version, version)
    })

    it('of a WordPress site is neither migrated nor filled', async () => {
      const database = await fresh(kind)
      await database.foreign(
        'CREATE TABLE wp_options (option_id integer PRIMARY KEY, option_name varchar(191), option_value text, autoload varchar(20))',
        `INSERT INTO wp_options VALUES (1, 'siteurl', 'https://example.org', 'yes'), (2, 'db_version', '60421', 'yes')`,
      )
      const store = await database.tables()
      assert.equal((await databaseStatus(store)).state, 'wordpress')
      const source = await fresh('sqlite')
      await makeOlder(source, migrations.sqlite)
      const sourceStore = await source.tables()
      const refusal = { fault: 'incompatible', message: /database of a WordPress site.*Nothing was changed/s }
      await assert.rejects(migrateDatabase(store), refusal)
      await assert.rejects(checkDatabase(store), refusal)
      await assert.rejects(copyDatabase(sourceStore, store, { onProgress: () => {} }), refusal)
      await assert.rejects(copyDatabase(store, sourceStore, { onProgress: () => {} }), refusal)
      const rows = await store.database.reader.query('SELECT option_name FROM wp_options ORDER BY option_id')
      assert.deepEqual(rows, [['siteurl'], ['db_version']])
      const { database: sql } = store
      assert.deepEqual(await sql.reader.query(sql.dialect.findTable, ['wp_posts']), [])
    })
  })
