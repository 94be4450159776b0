import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import { databaseStatus, migrateDatabase } from '../../src/database/maintenance/database-status.js'
import { expectedSchema } from '../../src/database/maintenance/expected-schema.js'
import { beginLoad } from '../../src/database/sql/unfinished-load.js'
import { emptyDatabase, skipWithout, storeKinds, type MovingDatabase, type StoreKind } from './moving-databases.js'

const databases: MovingDatabase[] = []
afterEach(() => Promise.all(databases.splice(0).map(({ drop }) => drop())))

async function fresh(kind: StoreKind): Promise<MovingDatabase> {
  const database = await emptyDatabase(kind)
  databases.push(database)
  return database
}

/** Something that another program does to a database, and what the check says of it. */
interface Damage {
  readonly sql: Readonly<Record<StoreKind, readonly string[]>>
  readonly sentence: RegExp
  readonly remedy: RegExp
  /** Whether `db migrate` mends it. */
  readonly isMendedByMigration?: true
}

const everywhere = (...statements: string[]): Damage['sql'] => ({
  sqlite: statements,
  postgres: statements,
  mariadb: statements,
})

const damages: Readonly<Record<string, Damage>> = {
  'a missing table': {
    sql: everywhere('DROP TABLE wp_termmeta'),
    sentence: /^There is no table wp_termmeta\.$/,
    remedy: /from a backup/,
  },
  'a missing column': {
    sql: everywhere('ALTER TABLE wp_posts DROP COLUMN post_mime_type'),
    sentence: /^There is no column post_mime_type of wp_posts\.$/,
    remedy: /^Restore the table/,
  },
  'a missing index': {
    sql: {
      sqlite: ['DROP INDEX wp_posts_post_name'],
      postgres: ['DROP INDEX wp_posts_post_name'],
      mariadb: ['ALTER TABLE wp_posts DROP KEY post_name'],
    },
    sentence: /^There is no index (?:wp_posts_)?post_name of wp_posts\.$/,
    remedy: /CREATE INDEX wp_posts_post_name ON wp_posts \(post_name, post_type, post_status\)|empty database/,
  },
  'a missing unique key': {
    sql: {
      sqlite: [
        `CREATE TABLE x AS SELECT * FROM wp_options`,
        'DROP TABLE wp_options',
        `CREATE TABLE wp_options (option_id INTEGER PRIMARY KEY AUTOINCREMENT, option_name TEXT NOT NULL, option_value TEXT NOT NULL, autoload TEXT NOT NULL)`,
        'INSERT INTO wp_options SELECT * FROM x',
      ],
      postgres: ['ALTER TABLE wp_options DROP CONSTRAINT wp_options_option_name_key'],
      mariadb: ['ALTER TABLE wp_options DROP KEY option_name'],
    },
    sentence: /^There is no unique key \(option_name\) of wp_options\.$/,
    remedy: /db copy/,
  },
  'a table without automatic ids': {
    sql: {
      sqlite: [
        'CREATE TABLE x AS SELECT * FROM wp_termmeta',
        'DROP TABLE wp_termmeta',
        'CREATE TABLE wp_termmeta AS SELECT * FROM x',
      ],
      postgres: ['ALTER TABLE wp_termmeta ALTER COLUMN meta_id DROP IDENTITY'],
      mariadb: ['ALTER TABLE wp_termmeta MODIFY meta_id bigint unsigned NOT NULL'],
    },
    sentence: /^There is no automatic id of wp_termmeta\.$/,
    remedy: /^Restore the table/,
  },
  'a missing trigger': {
    sql: {
      sqlite: ['DROP TRIGGER wp_users_update_raises'],
      postgres: ['DROP TRIGGER wp_users_update_raises ON wp_users'],
      mariadb: ['DROP TRIGGER wp_users_update_raises'],
    },
    sentence: /^There is no trigger wp_users_update_raises of wp_users\.$/,
    remedy: /db migrate/,
    isMendedByMigration: true,
  },
  'a trigger that does something else': {
    sql: {
      sqlite: [
        'DROP TRIGGER wp_users_update_raises',
        'CREATE TRIGGER wp_users_update_raises AFTER UPDATE ON wp_users BEGIN SELECT 1; END',
      ],
      postgres: [
        'CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
        'CREATE OR REPLACE TRIGGER wp_users_update_raises AFTER UPDATE ON wp_users FOR EACH STATEMENT EXECUTE FUNCTION nothing()',
      ],
      mariadb: [
        'DROP TRIGGER wp_users_update_raises',
        'CREATE TRIGGER wp_users_update_raises AFTER UPDATE ON wp_users FOR EACH ROW SET @nothing = 1',
      ],
    },
    sentence: /^The trigger wp_users_update_raises of wp_users is not that of this program\.$/,
    remedy: /Drop it/,
  },
}

/** What another program does to rows, and what the check says of it and advises. */
const wrongRows: readonly (readonly [sql: string, sentence: string, remedy: RegExp])[] = [
  [
    `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('as_rest_route_first_start', 'begun', 'off')`,
    'The first start of the database is not finished.',
    /start again/,
  ],
  [
    'UPDATE wp_postmeta SET post_id = 5 WHERE meta_id IN (17, 24)',
    'Rows of wp_postmeta that belong to no record: 2. The first one has the meta_id 17.',
    /^If rows of wp_posts were lost, restore them. If not: DELETE FROM wp_postmeta WHERE post_id NOT IN \(SELECT ID FROM wp_posts\)$/,
  ],
  [
    'UPDATE wp_usermeta SET user_id = 99 WHERE umeta_id = 90',
    'Rows of wp_usermeta that belong to no user: 1. The first one has the umeta_id 90.',
    /If not: DELETE FROM wp_usermeta WHERE user_id/,
  ],
  [
    'UPDATE wp_termmeta SET term_id = 99 WHERE meta_id = 5',
    'Rows of wp_termmeta that belong to no term: 1. The first one has the meta_id 5.',
    /If not: DELETE FROM wp_termmeta WHERE term_id/,
  ],
  [
    'DELETE FROM wp_terms WHERE term_id = 2',
    'Rows of wp_term_taxonomy that belong to no term: 1. The first one has the term_taxonomy_id 102.',
    /If not: DELETE FROM wp_term_taxonomy WHERE term_id/,
  ],
  [
    'DELETE FROM wp_term_taxonomy WHERE term_taxonomy_id = 103',
    'Rows of wp_terms that belong to no taxonomy: 1. The first one has the term_id 3.',
    /If not: DELETE FROM wp_terms WHERE term_id/,
  ],
  [
    'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (4, 101, 0)',
    'Rows of wp_term_relationships that give a term to no record: 1. The first one has the object_id 4.',
    /If not: DELETE FROM wp_term_relationships WHERE object_id NOT IN/,
  ],
  [
    'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (2, 999, 0)',
    'Rows of wp_term_relationships that give a record no term: 1. The first one has the object_id 2.',
    /If not: DELETE FROM wp_term_relationships WHERE term_taxonomy_id NOT IN/,
  ],
  [
    'UPDATE wp_posts SET post_parent = 3 WHERE ID = 1000',
    'Rows of wp_posts that have a parent that does not exist: 1. The first one has the ID 1000.',
    /SET post_parent = 0/,
  ],
  [
    `UPDATE wp_term_taxonomy SET taxonomy = 'tag' WHERE term_taxonomy_id = 130`,
    'Rows of wp_term_taxonomy that have a parent that does not exist in their taxonomy: 1. The first one has the term_taxonomy_id 130.',
    /SET parent = 0/,
  ],
  [
    'UPDATE wp_term_taxonomy SET count = 5 WHERE term_taxonomy_id = 104',
    'Rows of wp_term_taxonomy that have a count that is not the number of published records: 1. The first one has the term_taxonomy_id 104.',
    /^UPDATE wp_term_taxonomy SET count = \(SELECT COUNT\(\*\)/,
  ],
  [
    `UPDATE wp_users SET user_login = 'ADMIN' WHERE ID = 7`,
    'Rows of wp_users that have a user_login that another row has as well: 2. The first one has the ID 1.',
    /Change the user_login/,
  ],
  [
    `UPDATE wp_users SET user_login = '' WHERE ID = 8`,
    'Rows of wp_users that have no user_login: 1. The first one has the ID 8.',
    /Give each of them a login/,
  ],
  [
    'INSERT INTO wp_usermeta (umeta_id, user_id) VALUES (9007199254740993, 1)',
    'Rows of wp_usermeta that have an id that is too small or too large: 1.',
    /free id/,
  ],
]

for (const kind of storeKinds)
  describe(`db check and db status on ${kind}`, { skip: skipWithout(kind) }, () => {
    for (const [name, { sql, sentence, remedy, isMendedByMigration }] of Object.entries(damages))
      it(`finds ${name}`, async () => {
        const database = await fresh(kind)
        const store = await database.tables()
        await fillLittle(database)
        assert.deepEqual(await checkDatabase(store), [])
        await database.foreign(...sql[kind])
        const faults = await checkDatabase(store)
        const expected = faults.find((fault) => sentence.test(fault.sentence))
        assert.ok(expected, JSON.stringify(faults))
        assert.match(expected.remedy, remedy)
        if (!isMendedByMigration) return
        const { completion } = await migrateDatabase(store)
        assert.match(completion ?? '', /lacked the trigger wp_users_update_raises/)
        assert.deepEqual(await checkDatabase(store), [])
      })

    it('finds rows that refer to missing rows, wrong counts and wrong ids', async () => {
      const database = await fresh(kind)
      const store = await database.tables()
      await fillLittle(database)
      await database.foreign(...wrongRows.map(([sql]) => sql))
      const faults = await checkDatabase(store)
      assert.deepEqual(
        faults.map((fault) => fault.sentence),
        wrongRows.map(([, sentence]) => sentence),
      )
      for (const [index, [, , remedy]] of wrongRows.entries()) assert.match(faults[index]?.remedy ?? '', remedy)
    })

    it('prints statements that mend what they are printed for', async () => {
      const database = await fresh(kind)
      const store = await database.tables()
      await fillLittle(database)
      const mendable = wrongRows.filter(([, , remedy]) => /DELETE|SET/.test(remedy.source))
      await database.foreign(...mendable.map(([sql]) => sql))
      // A row that is removed may be what another one refers to, so a second check may find more.
      for (let check = 0, faults = await checkDatabase(store); check < 3 && faults.length > 0; check += 1) {
        await database.foreign(...faults.map(({ remedy }) => remedy.replace(/^If rows .*? If not: /, '')))
        faults = await checkDatabase(store)
      }
      assert.deepEqual(await checkDatabase(store), [])
    })

    it('has rows of every table in db status', async () => {
      const store = await (await fresh(kind)).tables()
      await migrateDatabase(store)
      const { reader, dialect } = store.database
      const catalog = await reader.query(dialect.maintenance.catalog)
      const names = catalog.filter(([kindOfPart]) => kindOfPart === 'table').map(([, table]) => String(table))
      const { tables } = await databaseStatus(store)
      assert.deepEqual(
        tables.map(({ name }) => name).toSorted(),
        names.filter((name) => name.startsWith('wp_')).toSorted(),
      )
      assert.ok(names.includes('wp_as_rest_route_versions') && tables.every(({ rows }) => rows !== null))
    })

    it('tells in db status whether a first start is running, without taking its lock', async () => {
      const database = await fresh(kind)
      const storage = await database.storage({ purpose: 'start' })
      const store = await database.tables('read')
      const looking = { ...store, takeLock: () => assert.fail('The lock is taken.') }
      assert.equal((await databaseStatus(looking)).state, 'first-start-running')
      await storage.close()
      assert.equal((await databaseStatus(looking)).state, 'first-start-unfinished')
    })

    it('tells of a copy that was ended in the middle', async () => {
      const database = await fresh(kind)
      const store = await database.tables()
      await migrateDatabase(store)
      await store.database.write((connection) => beginLoad(connection, store.tables, 'sqlite:a'))
      const faults = await checkDatabase(store)
      assert.deepEqual(
        faults.map((fault) => fault.sentence),
        ['A copy or an import from sqlite:a was begun, and has not ended, so the data are not complete.'],
      )
    })

    it('knows every statement of the schema', async () => {
      const { database, tables } = await (await fresh(kind)).tables()
      const parts = expectedSchema(database.dialect, tables)
      assert.ok(parts.length > 100)
    })

    it('is that of the database, whatever other tables there are', async () => {
      const database = await fresh(kind)
      await database.foreign('CREATE TABLE others (id integer PRIMARY KEY, name varchar(20))')
      const store = await database.tables()
      await migrateDatabase(store)
      assert.deepEqual(await checkDatabase(store), [])
      assert.equal((await databaseStatus(store)).state, 'current')
    })
  })

describe('db check on PostgreSQL', { skip: skipWithout('postgres') }, () => {
  it('finds ids that will be yielded again, and its remedy ends that', async () => {
    const database = await fresh('postgres')
    const store = await database.tables()
    await fillLittle(database)
    await database.foreign(`ALTER SEQUENCE wp_postmeta_sequence RESTART WITH 3`)
    const [fault, ...others] = await checkDatabase(store)
    assert.deepEqual(others, [])
    assert.match(
      fault?.sentence ?? '',
      /^The next id of wp_postmeta is 3, and rows have ids up to 24: new rows will be refused/,
    )
    await database.foreign(fault?.remedy ?? '')
    assert.deepEqual(await checkDatabase(store), [])
  })
})

describe('triggers that do not fire on PostgreSQL', { skip: skipWithout('postgres') }, () => {
  const sentencesOf = async (store: Awaited<ReturnType<MovingDatabase['tables']>>) =>
    (await checkDatabase(store)).map(({ sentence }) => sentence)

  for (const how of ['DISABLE', 'ENABLE REPLICA'])
    it(`are found when they are disabled by ${how} TRIGGER, and enabled by a migration`, async () => {
      const database = await fresh('postgres')
      const store = await database.tables()
      await migrateDatabase(store)
      await database.foreign(`ALTER TABLE wp_users ${how} TRIGGER wp_users_update_raises`)
      assert.deepEqual(await sentencesOf(store), ['The trigger wp_users_update_raises of wp_users is disabled.'])
      const { completion } = await migrateDatabase(store)
      assert.match(completion ?? '', /lacked the trigger wp_users_update_raises/)
      assert.deepEqual(await sentencesOf(store), [])
    })

  it('are found when rows come by a subscription', async () => {
    const database = await fresh('postgres')
    const store = await database.tables()
    await migrateDatabase(store)
    await database.foreign(
      `CREATE SUBSCRIPTION other CONNECTION 'host=127.0.0.1 port=1' PUBLICATION p WITH (connect = false, slot_name = NONE)`,
      `INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate)
        SELECT s.oid, 'wp_posts'::regclass, 'r' FROM pg_subscription s WHERE s.subname = 'other'`,
    )
    try {
      assert.deepEqual(await sentencesOf(store), [
        'Rows of wp_posts come by the subscription other, for which no trigger of a statement fires.',
      ])
      assert.match((await databaseStatus(store)).warnings.join(), /by the subscription other/)
    } finally {
      await database.foreign('DROP SUBSCRIPTION other')
    }
  })
})

describe('db status on MariaDB', { skip: skipWithout('mariadb') }, () => {
  it('warns of a server that refuses long texts', async () => {
    const store = await (await fresh('mariadb')).tables()
    const [row] = await store.database.reader.query(`SELECT @@max_allowed_packet`)
    const warnings = store.warnings.filter((warning) => warning.includes('max_allowed_packet'))
    assert.equal(warnings.length, Number(row?.[0]) < 64 * 1024 * 1024 ? 1 : 0)
  })
})

/** Rows that refer to each other, without a fault. */
async function fillLittle(database: MovingDatabase): Promise<void> {
  const store = await database.tables()
  await migrateDatabase(store)
  const post = `'x', 'x', '', '', '', ''`
  await database.foreign(
    `INSERT INTO wp_users (ID, user_login, user_email, display_name) VALUES (1, 'admin', 'a@example.org', 'Admin'), (7, 'other', '', 'Other'), (8, 'third', '', 'Third')`,
    `INSERT INTO wp_usermeta (umeta_id, user_id, meta_key, meta_value) VALUES (4, 1, 'a', 'b'), (90, 7, 'a', 'b')`,
    `INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'One', 'one'), (2, 'Two', 'two'), (3, 'Drei', 'drei'), (4, 'Vier', 'vier'), (30, 'Three', 'three')`,
    `INSERT INTO wp_termmeta (meta_id, term_id, meta_key, meta_value) VALUES (5, 30, 'a', 'b')`,
    `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent, count) VALUES
      (101, 1, 'category', '', 0, 1), (102, 2, 'category', '', 0, 0), (103, 3, 'category', '', 0, 0), (104, 4, 'category', '', 0, 0), (130, 30, 'category', '', 1, 0)`,
    `INSERT INTO wp_posts (ID, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered) VALUES
      (1, ${post}), (2, ${post}), (1000, ${post})`,
    `INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (17, 1, 'a', 'b'), (24, 2, 'a', NULL)`,
    `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1, 101)`,
  )
  if (database.kind === 'postgres')
    for (const table of ['usermeta', 'termmeta', 'term_taxonomy', 'postmeta'])
      await database.foreign(`SELECT setval('wp_${table}_sequence', 200)`)
}
