import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'

type Change = 'INSERT' | 'UPDATE' | 'DELETE'

interface Trigger {
  readonly name: string
  readonly sql: string
}

/** The first version of a tag, and the one after `version`, as SQL. */
interface Counting {
  readonly first: string
  readonly next: string
}

const byOne: Counting = { first: '1', next: 'version + 1' }

/**
 * Versions by the clock: microseconds since 1970, in steps of a millisecond, and one more for each further write. After an
 * older state of the database was restored, the next version is above all earlier ones. Every program that writes to the tables
 * can call `julianday`, which is part of SQLite.
 */
const byClock: Counting = {
  first: `CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000`,
  next: 'max(version + 1, excluded.version)',
}

/**
 * The same, but a version that is more than a second ahead of the clock, which was set back since, rises by a random step of at most
 * 16 ms: otherwise the versions after a restore would repeat those before it. The clock catches up where a kind is raised 120 times
 * a second or less.
 */
const byClockOrChance: Counting = {
  ...byClock,
  next: `CASE WHEN version > excluded.version + 1000000 THEN version + 1 + (random() & 16383)
    ELSE ${byClock.next} END`,
}

/**
 * `Storage.versions`: a table of counters, and triggers that raise them. With triggers, a write of any program counts in its
 * own transaction.
 */
export const versionsOfRows = (t: TableNames): Migration => [
  `CREATE TABLE ${t.versions} (tag TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID`,
  ...triggersOfRows(t, byOne).map(({ sql }) => sql),
]

/**
 * The same for a row that `REPLACE` overwrites. `REPLACE` does not fire DELETE triggers, so the row is counted before the new
 * one is written. Only tables where the two rows may count for different kinds need it.
 */
export const versionsOfOverwrittenRows = (t: TableNames): Migration =>
  triggersOfOverwrittenRows(t, byOne).map(({ sql }) => sql)

/** Versions that never come back, in place of numbers of writes. */
export const versionsByClock = (t: TableNames): Migration => triggersAnew(t, byClock)

/** The same for a clock that was set back. */
export const versionsByClockOrChance = (t: TableNames): Migration => triggersAnew(t, byClockOrChance)

const triggersAnew = (t: TableNames, counting: Counting): Migration =>
  [...triggersOfRows(t, counting), ...triggersOfOverwrittenRows(t, counting)].flatMap(({ name, sql }) => [
    `DROP TRIGGER IF EXISTS ${name}`,
    sql,
  ])

/** Raises the counters of all kinds of rows. */
export const raiseAllVersions = (t: TableNames): string => `INSERT INTO ${t.versions} (tag, version)
  SELECT tag, ${byClock.first} FROM (SELECT tag FROM ${t.versions} UNION SELECT lower(post_type) FROM ${t.posts}
  UNION SELECT 'terms' UNION SELECT 'users' UNION SELECT 'options') WHERE true ${onceMore(byClockOrChance.next)}`

function triggersOfRows(t: TableNames, { first, next }: Counting): readonly Trigger[] {
  const typeOf = (id: string): string => `SELECT lower(post_type), ${first} FROM ${t.posts} WHERE ID = ${id}`
  const typeIn = (row: 'OLD' | 'NEW'): string => `VALUES (lower(${row}.post_type), ${first})`
  const tagged = (tag: string): string => `VALUES ('${tag}', ${first})`
  /** Each trigger raises the version of every tag of its queries. */
  const trigger = (table: string, change: Change, queries: readonly string[], suffix = '', when = ''): Trigger => {
    const raised = queries.map((query) => `INSERT INTO ${t.versions} (tag, version) ${query} ${onceMore(next)};`)
    const name = `${table}_${change.toLowerCase()}${suffix}_raises`
    return { name, sql: `CREATE TRIGGER ${name} AFTER ${change} ON ${table} ${when} BEGIN ${raised.join(' ')} END` }
  }
  const always = (table: string, tag: string): Trigger[] =>
    changes.map((change) => trigger(table, change, [tagged(tag)]))
  return [
    trigger(t.posts, 'INSERT', [typeIn('NEW')]),
    trigger(t.posts, 'UPDATE', [typeIn('NEW')]),
    trigger(t.posts, 'UPDATE', [typeIn('OLD')], '_type', 'WHEN OLD.post_type <> NEW.post_type'),
    trigger(t.posts, 'DELETE', [typeIn('OLD')]),
    trigger(t.postmeta, 'INSERT', [typeOf('NEW.post_id')]),
    trigger(t.postmeta, 'UPDATE', [typeOf('NEW.post_id')]),
    trigger(t.postmeta, 'UPDATE', [typeOf('OLD.post_id')], '_owner', 'WHEN OLD.post_id <> NEW.post_id'),
    trigger(t.postmeta, 'DELETE', [typeOf('OLD.post_id')]),
    trigger(t.term_relationships, 'INSERT', [tagged('terms'), typeOf('NEW.object_id')]),
    trigger(t.term_relationships, 'UPDATE', [tagged('terms'), typeOf('NEW.object_id'), typeOf('OLD.object_id')]),
    trigger(t.term_relationships, 'DELETE', [tagged('terms'), typeOf('OLD.object_id')]),
    ...[t.terms, t.termmeta, t.term_taxonomy].flatMap((table) => always(table, 'terms')),
    ...[t.users, t.usermeta].flatMap((table) => always(table, 'users')),
    ...always(t.options, 'options'),
  ]
}

function triggersOfOverwrittenRows(t: TableNames, { first, next }: Counting): readonly Trigger[] {
  const overwritten = {
    [t.posts]: { key: 'ID', row: `FROM ${t.posts} p WHERE p.ID = NEW.ID AND p.post_type IS NOT NEW.post_type` },
    [t.postmeta]: {
      key: 'meta_id',
      row: `FROM ${t.postmeta} m JOIN ${t.posts} p ON p.ID = m.post_id WHERE m.meta_id = NEW.meta_id AND m.post_id IS NOT NEW.post_id`,
    },
  }
  return Object.entries(overwritten).flatMap(([table, { key, row }]) => {
    const trigger = (change: 'insert' | 'update', when: string): Trigger => {
      const name = `${table}_${change}_over_raises`
      return {
        name,
        sql: `CREATE TRIGGER ${name} BEFORE ${change.toUpperCase()} ON ${table} WHEN ${when}
        BEGIN INSERT INTO ${t.versions} (tag, version) SELECT lower(p.post_type), ${first} ${row} ${onceMore(next)}; END`,
      }
    }
    return [
      trigger('insert', `EXISTS (SELECT 1 ${row})`),
      // Not `OF` the key, which would miss its other name, rowid.
      trigger('update', `NEW.${key} <> OLD.${key}`),
    ]
  })
}

const changes: readonly Change[] = ['INSERT', 'UPDATE', 'DELETE']

const onceMore = (next: string): string => `ON CONFLICT (tag) DO UPDATE SET version = ${next}`
