import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'

type Change = 'INSERT' | 'UPDATE' | 'DELETE'

/**
 * `Storage.versions`: a table of counters, and triggers that raise them. With triggers, a write of any program counts in its
 * own transaction.
 */
export function versionsOfRows(t: TableNames): Migration {
  const typeOf = (id: string): string => `SELECT lower(post_type), 1 FROM ${t.posts} WHERE ID = ${id}`
  const tagged = (tag: string): string => `VALUES ('${tag}', 1)`
  /** Each trigger counts one more write for every tag of its queries. */
  const trigger = (table: string, change: Change, queries: readonly string[], suffix = '', when = ''): string => {
    const raised = queries.map((query) => `INSERT INTO ${t.versions} (tag, version) ${query} ${oneMore};`)
    const name = `${table}_${change.toLowerCase()}${suffix}_raises`
    return `CREATE TRIGGER ${name} AFTER ${change} ON ${table} ${when} BEGIN ${raised.join(' ')} END`
  }
  const always = (table: string, tag: string): string[] =>
    changes.map((change) => trigger(table, change, [tagged(tag)]))
  return [
    `CREATE TABLE ${t.versions} (tag TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID`,
    trigger(t.posts, 'INSERT', ['VALUES (lower(NEW.post_type), 1)']),
    trigger(t.posts, 'UPDATE', ['VALUES (lower(NEW.post_type), 1)']),
    trigger(t.posts, 'UPDATE', ['VALUES (lower(OLD.post_type), 1)'], '_type', 'WHEN OLD.post_type <> NEW.post_type'),
    trigger(t.posts, 'DELETE', ['VALUES (lower(OLD.post_type), 1)']),
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

/**
 * The same for a row that `REPLACE` overwrites. `REPLACE` does not fire DELETE triggers, so the row is counted before the new
 * one is written. Only tables where the two rows may count for different kinds need it.
 */
export function versionsOfOverwrittenRows(t: TableNames): Migration {
  const overwritten = {
    [t.posts]: { key: 'ID', row: `FROM ${t.posts} p WHERE p.ID = NEW.ID AND p.post_type IS NOT NEW.post_type` },
    [t.postmeta]: {
      key: 'meta_id',
      row: `FROM ${t.postmeta} m JOIN ${t.posts} p ON p.ID = m.post_id WHERE m.meta_id = NEW.meta_id AND m.post_id IS NOT NEW.post_id`,
    },
  }
  return Object.entries(overwritten).flatMap(([table, { key, row }]) => {
    const trigger = (name: string, change: string, when: string): string =>
      `CREATE TRIGGER ${table}_${name}_over_raises BEFORE ${change} ON ${table} WHEN ${when}
      BEGIN INSERT INTO ${t.versions} (tag, version) SELECT lower(p.post_type), 1 ${row} ${oneMore}; END`
    return [
      trigger('insert', 'INSERT', `EXISTS (SELECT 1 ${row})`),
      // Not `OF` the key, which would miss its other name, rowid.
      trigger('update', 'UPDATE', `NEW.${key} <> OLD.${key}`),
    ]
  })
}

const changes: readonly Change[] = ['INSERT', 'UPDATE', 'DELETE']

const oneMore = 'ON CONFLICT (tag) DO UPDATE SET version = version + 1'
