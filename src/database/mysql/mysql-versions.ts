import type { TableNames } from '../sql/table-names.js'

type Change = 'INSERT' | 'UPDATE' | 'DELETE'

/** The tag of the counter that every write raises. It is longer than a type of posts can be. */
export const total = 'total of all kinds of rows'

/**
 * `Storage.versions` and the change token: counters, and triggers that raise them, so that a write of any program counts in
 * its own transaction. Each counter is the sum of rows in slots. A writer changes the row of its own connection only:
 * writers that shared one row would wait for each other. Connection ids repeat between the nodes of a Galera cluster, so
 * that the offset of automatic keys, which differs there, is a part of the slot.
 */
export const versionsTable = ({ versions }: TableNames, typeLength: number): string =>
  `CREATE TABLE IF NOT EXISTS ${versions} (
    tag varchar(${Math.max(typeLength, total.length)}) NOT NULL,
    slot smallint unsigned NOT NULL,
    version bigint unsigned NOT NULL,
    PRIMARY KEY (tag, slot))`

export const versionsQuery = ({ versions }: TableNames): string =>
  `SELECT tag, SUM(version) FROM ${versions} WHERE tag <> '${total}' GROUP BY tag`

/** As `versionsQuery`, with the total, so that one statement reads the change token and all versions of one moment. */
export const totalAndVersionsQuery = ({ versions }: TableNames): string =>
  `SELECT tag, SUM(version) FROM ${versions} GROUP BY tag`

export const totalQuery = ({ versions }: TableNames): string =>
  `SELECT SUM(version) FROM ${versions} WHERE tag = '${total}'`

export const slot = '(CONNECTION_ID() % 64) * 8 + @@auto_increment_offset % 8'

/**
 * Versions by the clock: microseconds since 1970, and one more for each further write of that time. After an older state of
 * the database was restored, the next version is above all earlier ones.
 */
const clock = 'CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS UNSIGNED)'

/** Raises the counters of all kinds of rows. */
export const raiseAllVersions = (t: TableNames): string =>
  `INSERT INTO ${t.versions} (tag, slot, version) SELECT raised.tag, ${slot}, ${clock}
  FROM (SELECT tag FROM ${t.versions} UNION SELECT LOWER(post_type) FROM ${t.posts}
    UNION SELECT '${total}' UNION SELECT 'terms' UNION SELECT 'users' UNION SELECT 'options') raised
  ON DUPLICATE KEY UPDATE version = GREATEST(${t.versions}.version + 1, VALUES(version))`

/** The name of the trigger for a change of a table. */
type TriggerName = (table: string, change: Lowercase<Change>) => string

/**
 * One trigger for each change of each table whose rows have a kind.
 * @param nameOf default: those of our own schema.
 */
export function versionTriggers(
  t: TableNames,
  nameOf: TriggerName = (table, change) => `${table}_${change}_raises`,
): readonly string[] {
  /** `REPLACE` and the removal of a whole post delete the post first; then its metadata raise the total only. */
  const typeOf = (id: string): string => `SELECT LOWER(p.post_type) AS tag FROM ${t.posts} p WHERE p.ID = ${id}`
  const tagged = (tag: string): string => `SELECT '${tag}' AS tag`
  const typeIn = (row: 'OLD' | 'NEW'): string => `SELECT LOWER(${row}.post_type) AS tag`
  const trigger = (table: string, change: Change, queries: readonly string[]): string => {
    const tags = [tagged(total), ...queries].join(' UNION ')
    const name = nameOf(table, change.toLowerCase() as Lowercase<Change>)
    return `CREATE TRIGGER IF NOT EXISTS ${name} AFTER ${change} ON ${table} FOR EACH ROW
      INSERT INTO ${t.versions} (tag, slot, version) SELECT raised.tag, ${slot}, ${clock} FROM (${tags}) raised
      ON DUPLICATE KEY UPDATE version = GREATEST(${t.versions}.version + 1, VALUES(version))`
  }
  const always = (table: string, tag: string): string[] =>
    changes.map((change) => trigger(table, change, [tagged(tag)]))
  return [
    trigger(t.posts, 'INSERT', [typeIn('NEW')]),
    trigger(t.posts, 'UPDATE', [typeIn('NEW'), typeIn('OLD')]),
    trigger(t.posts, 'DELETE', [typeIn('OLD')]),
    trigger(t.postmeta, 'INSERT', [typeOf('NEW.post_id')]),
    trigger(t.postmeta, 'UPDATE', [typeOf('NEW.post_id'), typeOf('OLD.post_id')]),
    trigger(t.postmeta, 'DELETE', [typeOf('OLD.post_id')]),
    trigger(t.term_relationships, 'INSERT', [tagged('terms'), typeOf('NEW.object_id')]),
    trigger(t.term_relationships, 'UPDATE', [tagged('terms'), typeOf('NEW.object_id'), typeOf('OLD.object_id')]),
    trigger(t.term_relationships, 'DELETE', [tagged('terms'), typeOf('OLD.object_id')]),
    ...[t.terms, t.termmeta, t.term_taxonomy].flatMap((table) => always(table, 'terms')),
    ...[t.users, t.usermeta].flatMap((table) => always(table, 'users')),
    ...always(t.options, 'options'),
  ]
}

const changes: readonly Change[] = ['INSERT', 'UPDATE', 'DELETE']
