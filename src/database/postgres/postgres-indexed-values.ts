import type { IndexedValues, Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import { bothRows, changedRows, newRows, oldRows, TriggerFunctions } from './trigger-functions.js'
import { numberOf } from './postgres-numbers.js'

/** The number of a key of a post: that of its oldest row, or 0. `+ 0` keeps the planner from reading an index in the order of ids. */
const valueOf = (postmeta: string, post: string, key: string): string =>
  `coalesce((SELECT ${numberOf('m.meta_value')} FROM ${postmeta} m
    WHERE m.post_id = ${post} AND m.meta_key = ${key} ORDER BY m.meta_id + 0 LIMIT 1), 0)`

const columns = 'post_id, meta_key, post_type, post_status, value'

/** Fills the table `indexed_values` again. The lock keeps other programs from writing posts or their metadata meanwhile. */
export const fillIndexedValues = ({ posts, postmeta, indexed_keys, indexed_values }: TableNames): Migration => [
  `LOCK TABLE ${posts}, ${postmeta} IN SHARE ROW EXCLUSIVE MODE`,
  `DELETE FROM ${indexed_values}`,
  `INSERT INTO ${indexed_values} (${columns})
    SELECT p.ID, k.meta_key, p.post_type, p.post_status, ${valueOf(postmeta, 'p.ID', 'k.meta_key')}
    FROM ${posts} p JOIN ${indexed_keys} k ON k.post_type = p.post_type`,
]

/**
 * A repeatable or serializable transaction that began earlier does not see what this transaction writes into the tables. Its
 * triggers read this row, and the server then refuses the transaction, because the row has changed.
 */
const refuseOlderTransactions = (keys: string): string => `UPDATE ${keys} SET filled_to = NULL WHERE post_type = ''`

/** Posts of a type with ids above the first one and up to the second one. */
const ofRange = 'p.post_type = ? AND p.ID > ? AND p.ID <= ?'

export const postgresIndexedValues: IndexedValues = {
  availableQuery: null,
  // Open transactions have written posts without the new key.
  lockWrites: ({ posts, postmeta, indexed_keys }) => [
    `LOCK TABLE ${posts}, ${postmeta} IN SHARE ROW EXCLUSIVE MODE`,
    refuseOlderTransactions(indexed_keys),
  ],
  nextIds: ({ posts }, count) => `SELECT p.ID FROM ${posts} p WHERE p.ID > ? ORDER BY p.ID LIMIT ${count}`,
  lockRange: ({ posts }, { type, after, last }) => ({
    text: `SELECT COUNT(*) FROM (SELECT 1 FROM ${posts} p WHERE ${ofRange} ORDER BY p.ID FOR SHARE) locked`,
    values: [type, after, last],
  }),
  fill: ({ posts, postmeta, indexed_keys, indexed_values }, { type, key, after, last }) => [
    { text: refuseOlderTransactions(indexed_keys), values: [] },
    // The triggers already keep the key, so an existing row is right. A post that another transaction has locked is newer than
    // `lockRange` and has its row from the triggers: it is skipped, because post and row may be removed meanwhile.
    {
      text: `INSERT INTO ${indexed_values} (${columns})
          SELECT p.ID, ?, p.post_type, p.post_status, ${valueOf(postmeta, 'p.ID', '?')}
          FROM (SELECT p.ID, p.post_type, p.post_status FROM ${posts} p WHERE ${ofRange} ORDER BY p.ID FOR SHARE SKIP LOCKED) p
          ORDER BY p.ID ON CONFLICT (post_id, meta_key) DO NOTHING`,
      values: [key, key, type, after, last],
    },
  ],
}

/**
 * `indexed_keys` has the keys of metadata that records of a type are ordered by, and `indexed_values` the number of each such
 * key of each record of the type, also of a record without the key. Triggers keep the numbers in the transaction of the write,
 * whichever program writes. The functions have the rights of their owner, so that other programs need none on these tables.
 *
 * A number is read after its row is locked, so that of two transactions that change the metadata of one record the second one
 * sees the rows of the first. Where there is no row, because the record has another type or the row was removed meanwhile, the
 * record itself is locked, so that its type cannot change.
 * Each change of metadata writes its row, also with an equal number: a repeatable or serializable transaction, which does not
 * see what others have committed since it began, is then refused when it changes the same number.
 * @param schema of the tables, quoted: triggers run in the sessions of other programs, whatever their `search_path` is.
 * @param folded the type of the columns of types, statuses and keys.
 */
export function indexedValues(t: TableNames, schema: string, folded: string): Migration {
  const [posts, postmeta, keys, values, marks] = [
    t.posts,
    t.postmeta,
    t.indexed_keys,
    t.indexed_values,
    t.listed_marks,
  ].map((table) => `${schema}.${table}`) as [string, string, string, string, string]
  const triggered = new TriggerFunctions(schema, 'indexed', 'DECLARE changedCount bigint; lockedCount bigint;\n    ')
  const isOlder = `current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted')`
  /** See `refuseOlderTransactions`. */
  const requireNewestKeys = `IF ${isOlder} THEN PERFORM FROM ${keys} k WHERE k.post_type = '' FOR SHARE; END IF;`
  /** A transaction that began before the metadata of a record changed does not see them. */
  const mark = (posts: string): string =>
    `INSERT INTO ${marks} AS m (post_id) ${posts} ON CONFLICT (post_id) DO UPDATE SET post_id = m.post_id;`
  /** Posts with the keys of their types. With OFFSET, the planner does not begin with a type or a key, which many rows share. */
  const postsOf = (condition: string): string =>
    `(SELECT p.ID, p.post_type, p.post_status FROM ${posts} p WHERE ${condition} OFFSET 0) p JOIN ${keys} k ON k.post_type = p.post_type`
  /** @param posts rows of posts, as `p`, with those of keys, as `k`. */
  const store = (posts: string): string =>
    `INSERT INTO ${values} (${columns})
      SELECT p.ID, k.meta_key, p.post_type, p.post_status, ${valueOf(postmeta, 'p.ID', 'k.meta_key')}
      FROM ${posts} ORDER BY p.ID, k.meta_key
      ON CONFLICT (post_id, meta_key) DO UPDATE SET
        post_type = excluded.post_type, post_status = excluded.post_status, value = excluded.value;`
  /** Locks rows of `indexed_values v`, so that other transactions which change their numbers wait. Sets `lockedCount` to their number. */
  const lock = (condition: string): string =>
    `lockedCount := (SELECT COUNT(*) FROM (SELECT 1 FROM ${values} v WHERE ${condition} ORDER BY v.post_id, v.meta_key FOR UPDATE) l);`
  /**
   * One statement may change a hundred thousand rows, with a plan that was made for one row. So each query begins with the changed
   * rows, and finds rows of other tables by their ids. A subquery with OFFSET or FOR UPDATE keeps the planner from another order,
   * and `|| ''` keeps it from an index that begins with the key.
   * @param changed a query for the `post_id` and `meta_key` of the rows that have changed.
   */
  const storeChanged = (changed: string): string => {
    const pairs = `(SELECT DISTINCT c.post_id, k.meta_key FROM (${changed}) c JOIN ${keys} k ON k.meta_key = c.meta_key ORDER BY 1, 2) c`
    const ids = `ANY (ARRAY(SELECT c.post_id FROM (${changed}) c))`
    const lockNumbers = `lockedCount := (SELECT COUNT(*) FROM ${pairs} CROSS JOIN LATERAL (
      SELECT FROM ${values} v WHERE v.post_id = c.post_id AND v.meta_key || '' = c.meta_key FOR UPDATE) v);`
    return `${requireNewestKeys}
      changedCount := (SELECT COUNT(*) FROM ${pairs});
      IF changedCount > 0 THEN
        ${lockNumbers}
        IF lockedCount < changedCount THEN
          PERFORM p.ID FROM ${posts} p WHERE p.ID = ${ids} ORDER BY p.ID FOR UPDATE;
          ${lockNumbers}
          ${mark(`SELECT p.ID FROM ${posts} p WHERE p.ID = ${ids} ORDER BY p.ID`)}
        END IF;
        ${store(`${pairs} CROSS JOIN LATERAL ${postsOf('p.ID = c.post_id')} AND k.meta_key = c.meta_key`)}
      END IF;`
  }
  const pairs = (rows: string): string => `SELECT r.post_id, r.meta_key FROM ${rows} r`
  const retypedIds = `SELECT c.ID FROM ${changedRows('ID, post_type', 'old_rows')} c
    UNION SELECT c.ID FROM ${changedRows('ID, post_type', 'new_rows')} c`
  triggered.add(
    t.posts,
    'INSERT',
    newRows,
    `${requireNewestKeys}
      IF EXISTS (SELECT FROM ${keys} k JOIN new_rows n ON n.post_type = k.post_type) THEN
        ${store(`new_rows p JOIN ${keys} k ON k.post_type = p.post_type`)}
      END IF;`,
  )
  triggered.add(
    t.posts,
    'UPDATE',
    bothRows,
    // Most updates change none of these columns.
    `IF EXISTS ${changedRows('ID, post_type, post_status', 'old_rows')} THEN
        ${requireNewestKeys}
        IF EXISTS ${changedRows('ID, post_type', 'old_rows')} THEN
          IF ${isOlder} THEN ${mark(`SELECT c.ID FROM ${changedRows('ID, post_type', 'old_rows')} c`)} END IF;
          ${lock(`v.post_id = ANY (ARRAY(${retypedIds}))`)}
          DELETE FROM ${values} v WHERE v.post_id = ANY (ARRAY(${retypedIds})) AND NOT EXISTS (
            SELECT FROM ${postsOf('p.ID = v.post_id')} WHERE k.meta_key = v.meta_key);
          ${store(`(${retypedIds}) c CROSS JOIN LATERAL ${postsOf('p.ID = c.ID')}`)}
        END IF;
        UPDATE ${values} v SET post_status = n.post_status FROM ${changedRows('ID, post_status', 'new_rows')} n
          WHERE v.post_id = n.ID AND v.post_status <> n.post_status;
      END IF;`,
  )
  triggered.add(
    t.posts,
    'DELETE',
    oldRows,
    `${requireNewestKeys}
      DELETE FROM ${values} v WHERE v.post_id = ANY (ARRAY(SELECT o.ID FROM old_rows o));`,
  )
  triggered.add(t.posts, 'TRUNCATE', 'FOR EACH STATEMENT', `DELETE FROM ${values};`)
  triggered.add(t.postmeta, 'INSERT', newRows, storeChanged(pairs('new_rows')))
  triggered.add(t.postmeta, 'UPDATE', bothRows, storeChanged(`${pairs('new_rows')} UNION ${pairs('old_rows')}`))
  triggered.add(t.postmeta, 'DELETE', oldRows, storeChanged(pairs('old_rows')))
  triggered.add(t.postmeta, 'TRUNCATE', 'FOR EACH STATEMENT', `UPDATE ${values} SET value = 0;`)
  return [
    `CREATE TABLE ${t.indexed_keys} (
      post_type ${folded} NOT NULL,
      meta_key ${folded} NOT NULL,
      filled_to bigint,
      PRIMARY KEY (meta_key, post_type))`,
    // See `refuseOlderTransactions`.
    `INSERT INTO ${t.indexed_keys} (post_type, meta_key) VALUES ('', '')`,
    `CREATE TABLE ${t.indexed_values} (
      post_id bigint NOT NULL,
      meta_key ${folded} NOT NULL,
      post_type ${folded} NOT NULL,
      post_status ${folded} NOT NULL,
      value numeric NOT NULL,
      PRIMARY KEY (post_id, meta_key))`,
    `CREATE INDEX ${t.indexed_values}_asc ON ${t.indexed_values} (meta_key, post_type, post_status, value, post_id)`,
    `CREATE INDEX ${t.indexed_values}_desc ON ${t.indexed_values} (meta_key, post_type, post_status, value DESC, post_id)`,
    ...triggered.functions,
    ...triggered.triggers,
  ]
}
