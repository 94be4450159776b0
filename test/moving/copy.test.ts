import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { raiseVersions } from '../../src/database/maintenance/check-database.js'
import { databaseStatus, migrateDatabase } from '../../src/database/maintenance/database-status.js'
import { copyDatabase, type MoveOptions } from '../../src/database/maintenance/move.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { aPost } from '../contracts/storage/rows.js'
import { allRows, awkwardRows, createTables, fillAwkwardly, insert, lastMetaId } from './awkward-data.js'
import { emptyDatabase, skipWithout, storeKinds, type MovingDatabase, type StoreKind } from './moving-databases.js'

const quietly: MoveOptions = { onProgress: () => {} }
const databases: MovingDatabase[] = []
afterEach(() => Promise.all(databases.splice(0).map(({ drop }) => drop())))

async function fresh(kind: StoreKind): Promise<MovingDatabase> {
  const database = await emptyDatabase(kind)
  databases.push(database)
  return database
}

async function filled(kind: StoreKind): Promise<{ readonly database: MovingDatabase; readonly store: SqlStore }> {
  const database = await fresh(kind)
  const store = await database.tables()
  await fillAwkwardly(store)
  return { database, store }
}

/** Copies until this many rows are moved, as a command that is interrupted does. */
async function copyPartly(from: SqlStore, to: SqlStore, rows: number): Promise<void> {
  const controller = new AbortController()
  const reason = new Error('interrupted')
  const onProgress: MoveOptions['onProgress'] = ({ done }) => {
    if (done >= rows) controller.abort(reason)
  }
  const copying = copyDatabase(from, to, { onProgress, signal: controller.signal })
  await assert.rejects(copying, (error) => error === reason)
}

for (const from of storeKinds)
  for (const to of storeKinds)
    describe(`a copy from ${from} to ${to}`, { skip: skipWithout(from, to) }, () => {
      it('has the same rows and ids, and yields new ids behind the old ones', async () => {
        const { store } = await filled(from)
        const target = await fresh(to)
        const targetStore = await target.tables()
        const moved = await copyDatabase(store, targetStore, quietly)
        assert.equal(
          moved.reduce((sum, { rows }) => sum + rows, 0),
          awkwardRows,
        )
        assert.deepEqual(await allRows(targetStore), await allRows(store))
        assert.equal((await databaseStatus(targetStore)).state, 'current')

        const storage = await target.storage({ purpose: 'start' })
        assert.equal(storage.created, false)
        await storage.posts.meta.add(1, 'new', 'value')
        await storage.options.write('new', 'value')
        const [newest] = await targetStore.database.reader.query(
          `SELECT meta_id FROM ${targetStore.tables.postmeta} WHERE meta_key = 'new'`,
        )
        // That of a row that was deleted before the copy is not given again.
        assert.equal(newest?.[0], lastMetaId + 1)
        assert.ok((await storage.posts.insert(aPost({ post_title: 'new' }))) > Number.MAX_SAFE_INTEGER - 10)
      })
    })

for (const kind of storeKinds)
  describe(`a copy to ${kind}`, { skip: skipWithout(kind) }, () => {
    it('that was interrupted is refused by services, and goes on with the state of the source at that time', async () => {
      const { store, database: source } = await filled('sqlite')
      // More than a chunk.
      const options = Array.from({ length: 600 }, (_, index) => [2301 + index, `option ${index}`, '', 'off'])
      await insert(store, 'wp_options', ['option_id', 'option_name', 'option_value', 'autoload'], options)
      const target = await fresh(kind)
      const targetStore = await target.tables()
      await copyPartly(store, targetStore, 3000)
      assert.equal((await databaseStatus(targetStore)).state, 'load-unfinished')
      for (const purpose of ['start', 'change'] as const)
        await assert.rejects(target.storage({ purpose }), {
          fault: 'incompatible',
          message: /copy or an import from sqlite:.* was begun, and has not ended.*Run the same command/s,
        })
      const other = { ...store, name: 'sqlite:other' }
      await assert.rejects(copyDatabase(other, targetStore, quietly), {
        fault: 'constraint',
        message: /holds the unfinished data of sqlite:.*site\.sqlite/,
      })

      await source.foreign(
        `UPDATE wp_posts SET post_title = 'changed' WHERE ID = 2003`,
        'DELETE FROM wp_posts WHERE ID BETWEEN 2500 AND 2600',
        `INSERT INTO wp_users (ID, user_login) VALUES (2, 'late')`,
        `DELETE FROM wp_options WHERE option_name = 'Blogname'`,
        // Names that are unique are exchanged, between rows of two chunks.
        `UPDATE wp_options SET option_name = 'x' WHERE option_id = 3`,
        `UPDATE wp_options SET option_name = 'blogname' WHERE option_id = 2900`,
        `UPDATE wp_options SET option_name = 'option 599' WHERE option_id = 3`,
        'DELETE FROM wp_term_relationships WHERE object_id > 5000',
      )
      await copyDatabase(store, targetStore, quietly)
      assert.deepEqual(await allRows(targetStore), await allRows(store))
      await (await target.storage({ purpose: 'start' })).ping()
    })

    it('writes rows that are there already no second time', async () => {
      const { store } = await filled('sqlite')
      const targetStore = await (await fresh(kind)).tables()
      await copyPartly(store, targetStore, 1300)
      const writes: string[] = []
      const { database } = targetStore
      const counting: SqlStore = {
        ...targetStore,
        database: {
          ...database,
          write: (work) =>
            database.write((connection) =>
              work({
                ...connection,
                lock: (names) => connection.lock(names),
                query: (text, values) => connection.query(text, values),
                row: (text, values) => connection.row(text, values),
                insert: (text, values, idColumn) => connection.insert(text, values, idColumn),
                execute(text, values) {
                  writes.push(text)
                  return connection.execute(text, values)
                },
              }),
            ),
        },
      }
      await copyDatabase(store, counting, quietly)
      assert.deepEqual(
        writes.filter((text) => /^(INSERT INTO|DELETE FROM) wp_(options|users|usermeta|terms)\b/.test(text)),
        [],
      )
      assert.ok(writes.some((text) => text.startsWith('INSERT INTO wp_postmeta')))
    })

    it('is refused where there are other data, and changes nothing', async () => {
      const { store } = await filled('sqlite')
      const target = await fresh(kind)
      const targetStore = await target.tables()
      await createTables(targetStore)
      await insert(targetStore, 'wp_terms', ['term_id', 'name', 'slug'], [[8, 'Mine', 'mine']])
      const before = await allRows(targetStore)
      await assert.rejects(copyDatabase(store, targetStore, quietly), {
        fault: 'constraint',
        message: /holds data already: wp_terms has rows\. Nothing was changed/,
      })
      assert.deepEqual(await allRows(targetStore), before)
      await (await target.storage({ purpose: 'start' })).ping()
    })

    it('is refused where only some tables are left, and removes none of their rows', async () => {
      const { store } = await filled('sqlite')
      const target = await fresh(kind)
      const targetStore = await target.tables()
      await createTables(targetStore)
      await insert(targetStore, 'wp_terms', ['term_id', 'name', 'slug'], [[8, 'Mine', 'mine']])
      await target.foreign('DROP TABLE wp_options')
      await assert.rejects(copyDatabase(store, targetStore, quietly), {
        fault: 'constraint',
        message: /holds data already: wp_terms has rows/,
      })
      assert.deepEqual(await targetStore.database.reader.query('SELECT name FROM wp_terms'), [['Mine']])
    })

    it('that was ended before it had tables is refused by services, and can be continued', async () => {
      const { store } = await filled('sqlite')
      const target = await fresh(kind)
      const targetStore = await target.tables()
      // The command was killed after its first statements.
      await target.foreign(
        'CREATE TABLE wp_as_rest_route_load (id integer PRIMARY KEY, source varchar(1000) NOT NULL)',
        `INSERT INTO wp_as_rest_route_load (id, source) VALUES (1, '${store.name}')`,
      )
      await assert.rejects(target.storage({ purpose: 'start' }), { fault: 'incompatible', message: /was begun/ })
      await assert.rejects(migrateDatabase(targetStore), { fault: 'incompatible', message: /was begun/ })
      await copyDatabase(store, targetStore, quietly)
      assert.deepEqual(await allRows(targetStore), await allRows(store))
    })

    it('waits for another one, and then finds its data', async () => {
      const { store } = await filled('sqlite')
      const target = await fresh(kind)
      const [first, second] = [await target.tables(), await target.tables()]
      const outcomes = await Promise.allSettled([first, second].map((each) => copyDatabase(store, each, quietly)))
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
      const failure = outcomes.find((outcome) => outcome.status === 'rejected')
      assert.match(String(failure?.reason), /holds data already/)
      assert.deepEqual(await allRows(first), await allRows(store))
    })

    it('is waited for by a start, which then finds all data', async () => {
      const { store } = await filled('sqlite')
      const target = await fresh(kind)
      const targetStore = await target.tables()
      let start: ReturnType<MovingDatabase['storage']> | null = null
      await copyDatabase(store, targetStore, {
        onProgress: () => {
          start ??= target.storage({ purpose: 'start' })
        },
      })
      assert.ok(start !== null)
      const storage = await (start as ReturnType<MovingDatabase['storage']>)
      assert.deepEqual(
        [storage.created, await storage.posts.slugTaken({ slug: 'title-2003', exceptId: 0 })],
        [false, true],
      )
    })

    it('whose rows another program changes before the end is refused by their checksum', async () => {
      const { store } = await filled('sqlite')
      const target = await fresh(kind)
      const targetStore = await target.tables()
      let change: Promise<void> | null = null
      const readSnapshot: SqlStore['readSnapshot'] = (work) =>
        store.readSnapshot((reader) =>
          work({
            row: (text, values) => reader.row(text, values),
            async query(text, values) {
              // All other tables are written by then, and none has been read again.
              if (/^SELECT id, .* FROM wp_as_rest_route_jobs /.test(text))
                await (change ??= target.foreign(`UPDATE wp_users SET display_name = 'Other' WHERE ID = 7`))
              return reader.query(text, values)
            },
          }),
        )
      await assert.rejects(copyDatabase({ ...store, readSnapshot }, targetStore, quietly), {
        fault: 'failed',
        message:
          /^wp_users is not what was written: 3 rows in place of 3, checksum \w{12} in place of \w{12}\. Another program/,
      })
      assert.equal((await databaseStatus(targetStore)).state, 'load-unfinished')
      await copyDatabase(store, targetStore, quietly)
      assert.deepEqual(await allRows(targetStore), await allRows(store))
    })

    it('of a source in use has the state of one moment', async () => {
      const { store } = await filled(kind)
      const expected = await allRows(store)
      const targetStore = await (await fresh('sqlite')).tables()
      let change: Promise<void> | null = null
      await copyDatabase(store, targetStore, {
        onProgress: ({ done }) => {
          if (change !== null || done < 500) return
          change = store.database.write(async (connection) => {
            await connection.execute('DELETE FROM wp_postmeta WHERE meta_id > ?', [20_000])
            await connection.execute(`UPDATE wp_posts SET post_title = ?`, ['changed'])
          })
        },
      })
      assert.ok(change !== null)
      await change
      assert.deepEqual(await allRows(targetStore), expected)
    })

    it('of a running service is read anew after the counters were raised', async () => {
      const { store, database } = await filled(kind)
      const storage = await database.storage()
      const tags = async () => [String(await storage.changeToken()), ...(await storage.versions())].map(String)
      const before = await tags()
      await raiseVersions(store)
      const after = await tags()
      assert.equal(after.length, before.length)
      assert.deepEqual(
        after.filter((tag) => before.includes(tag)),
        [],
      )
    })
  })

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`a copy to ${kind}, which refuses some values`, { skip: skipWithout(kind) }, () => {
    it('names the row that the database refuses', async () => {
      const { store, database: source } = await filled('sqlite')
      const targetStore = await (await fresh(kind)).tables()
      const change =
        kind === 'mariadb'
          ? `UPDATE wp_posts SET post_date = 'yesterday' WHERE ID = 2300`
          : `UPDATE wp_posts SET post_name = hex(randomblob(9000)) WHERE ID = 2300`
      await source.foreign(change)
      await assert.rejects(copyDatabase(store, targetStore, quietly), {
        fault: 'constraint',
        message: /wp_posts, ID 2300: The database refuses the value/,
      })
      await source.foreign(`UPDATE wp_posts SET post_date = '2026-01-01 00:00:00', post_name = 'short' WHERE ID = 2300`)
      await copyDatabase(store, targetStore, quietly)
      assert.deepEqual(await allRows(targetStore), await allRows(store))
    })
  })
