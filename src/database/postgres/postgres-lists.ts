import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import { bothRows, changedRows, newRows, oldRows, TriggerFunctions } from './trigger-functions.js'

const slot = 'pg_backend_pid() % 64'

/** Fills `listed` and `counts` again. The lock keeps other programs from writing posts or terms of posts meanwhile. */
export const fillLists = (t: TableNames): Migration => [
  `LOCK TABLE ${t.posts}, ${t.term_relationships} IN SHARE ROW EXCLUSIVE MODE`,
  ...lists(t),
]

/** The statements without the lock: in a migration, the creation of the triggers has locked the tables. */
const lists = ({ posts, term_relationships, listed, counts }: TableNames): Migration => [
  `DELETE FROM ${listed}`,
  `DELETE FROM ${counts}`,
  `INSERT INTO ${listed} (post_id, term_taxonomy_id, post_type, post_status, post_date)
    SELECT p.ID, r.term_taxonomy_id, p.post_type, p.post_status, p.post_date
    FROM ${term_relationships} r JOIN ${posts} p ON p.ID = r.object_id WHERE r.term_taxonomy_id <> 0`,
  `INSERT INTO ${counts} (term_taxonomy_id, post_type, post_status, slot, n)
    SELECT 0, p.post_type, p.post_status, 0, COUNT(*) FROM ${posts} p GROUP BY p.post_type, p.post_status
    UNION ALL SELECT l.term_taxonomy_id, l.post_type, l.post_status, 0, COUNT(*) FROM ${listed} l
    GROUP BY l.term_taxonomy_id, l.post_type, l.post_status`,
]

/**
 * `listed` has a row for each term of each post, with the columns by which lists of a term are selected and ordered. `counts` has
 * the number of posts of each type and status, under the term 0, and the number of them that each term has. Triggers keep both in
 * the transaction of the write, whichever program writes. As for versions, a connection changes the row of its own slot, and the
 * count is the sum of the slots.
 * The functions have the rights of their owner, so that other programs need none on these tables.
 * @param schema of the tables, quoted: triggers run in the sessions of other programs, whatever their `search_path` is.
 * @param folded the type of the columns of types and statuses.
 */
export function postLists(t: TableNames, schema: string, folded: string): Migration {
  const [posts, listed, counts] = [t.posts, t.listed, t.counts].map((table) => `${schema}.${table}`) as [
    string,
    string,
    string,
  ]
  const marks = `${schema}.${t.listed_marks}`
  /** Adds what a query yields: `term_taxonomy_id`, `post_type`, `post_status`, `n`. The order of the rows avoids deadlocks. */
  const add = (query: string): string =>
    `INSERT INTO ${counts} AS counted (term_taxonomy_id, post_type, post_status, slot, n)
      SELECT term_taxonomy_id, post_type, post_status, ${slot}, SUM(n) FROM (${query}) changed
      GROUP BY term_taxonomy_id, post_type, post_status HAVING SUM(n) <> 0 ORDER BY term_taxonomy_id, post_type, post_status
      ON CONFLICT (term_taxonomy_id, post_type, post_status, slot) DO UPDATE SET n = counted.n + excluded.n;`
  const returned = 'RETURNING l.term_taxonomy_id, l.post_type, l.post_status'
  /**
   * Changes the row of each post in the table `listed_marks`. A repeatable or serializable transaction does not see the terms that
   * posts have got since it began. When it changes or deletes such a post, it changes this row as well, and the server refuses the
   * transaction.
   * @param posts a query for the ids of the posts.
   */
  const markChanged = (posts: string): string =>
    `INSERT INTO ${marks} AS m (post_id) SELECT c.ID FROM (${posts}) c ON CONFLICT (post_id) DO UPDATE SET post_id = m.post_id`
  const markUnlessCommittedRowsAreSeen = (posts: string): string =>
    `IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN ${markChanged(posts)}; END IF;`
  /** Waits for other transactions that change the posts. @param rows of the terms that posts have got. */
  const listRows = (rows: string): string =>
    `WITH held AS (SELECT p.ID, r.term_taxonomy_id, p.post_type, p.post_status, p.post_date
      FROM ${rows} r JOIN ${posts} p ON p.ID = r.object_id WHERE r.term_taxonomy_id <> 0 FOR UPDATE OF p),
    marked AS (${markChanged('SELECT DISTINCT held.ID FROM held')}),
    added AS (INSERT INTO ${listed} AS l (post_id, term_taxonomy_id, post_type, post_status, post_date)
      SELECT * FROM held ON CONFLICT DO NOTHING ${returned})
    ${add('SELECT term_taxonomy_id, post_type, post_status, 1 AS n FROM added')}`
  /** @param rows of `removed`, and the condition that joins them with `l`. */
  const unlistRows = (rows: string, others = ''): string =>
    `WITH gone AS (DELETE FROM ${listed} l USING ${rows} ${returned})
    ${add(`SELECT term_taxonomy_id, post_type, post_status, -1 AS n FROM gone${others}`)}`
  const pair = 'object_id, term_taxonomy_id'
  const ofPair = 'WHERE l.post_id = removed.object_id AND l.term_taxonomy_id = removed.term_taxonomy_id'
  const triggered = new TriggerFunctions(schema, 'lists', '')
  const relationships = `${schema}.${t.term_relationships}`
  const relatedTo = (posts: string): string =>
    `(SELECT o.object_id, o.term_taxonomy_id FROM ${relationships} o WHERE o.object_id IN (${posts}))`
  const listedColumns = 'ID, post_type, post_status, post_date'
  const changedIds = `SELECT c.ID FROM ${changedRows(listedColumns, 'old_rows')} c`
  const movedIds = `${changedIds} UNION SELECT c.ID FROM ${changedRows(listedColumns, 'new_rows')} c`
  const ofAllPosts = 'SELECT 0 AS term_taxonomy_id, p.post_type, p.post_status'
  /** Changed posts with their listed columns before and after the change. */
  const beforeAndAfter = `SELECT p.ID, max(p.old_type) AS old_type, max(p.old_status) AS old_status,
        max(p.new_type) AS new_type, max(p.new_status) AS new_status, max(p.new_date) AS new_date
      FROM (SELECT o.ID, o.post_type AS old_type, o.post_status AS old_status, NULL AS new_type, NULL AS new_status, NULL AS new_date
          FROM ${changedRows(listedColumns, 'old_rows')} o
        UNION ALL SELECT n.ID, NULL, NULL, n.post_type, n.post_status, n.post_date
          FROM ${changedRows(listedColumns, 'new_rows')} n) p GROUP BY p.ID`
  triggered.add(
    t.posts,
    'INSERT',
    newRows,
    // Relationships may exist for the id of a new post: those of a deleted post, or of one that is restored.
    `${add(`${ofAllPosts}, 1 AS n FROM new_rows p`)}
      IF EXISTS (SELECT FROM new_rows n JOIN ${relationships} o ON o.object_id = n.ID) THEN
        ${listRows(relatedTo('SELECT n.ID FROM new_rows n'))}
      END IF;`,
  )
  triggered.add(
    t.posts,
    'UPDATE',
    bothRows,
    // Most updates change no listed column. The statement counts the rows that it has changed itself, because another transaction
    // may have removed a row before.
    `IF EXISTS ${changedRows(listedColumns, 'old_rows')} THEN
        ${markUnlessCommittedRowsAreSeen(changedIds)}
        IF EXISTS ${changedRows('ID', 'old_rows')} THEN
          ${unlistRows(`(${movedIds}) removed WHERE l.post_id = removed.ID`)}
          ${listRows(relatedTo(movedIds))}
          ${add(`${ofAllPosts}, -1 AS n FROM old_rows p UNION ALL ${ofAllPosts}, 1 FROM new_rows p`)}
        ELSE
          WITH c AS (${beforeAndAfter}),
          related AS (UPDATE ${listed} l SET post_type = c.new_type, post_status = c.new_status, post_date = c.new_date
            FROM c WHERE l.post_id = c.ID RETURNING l.term_taxonomy_id, c.old_type, c.old_status, c.new_type, c.new_status),
          counted_rows AS (SELECT 0 AS term_taxonomy_id, c.old_type, c.old_status, c.new_type, c.new_status FROM c
            UNION ALL SELECT * FROM related)
          ${add(`SELECT term_taxonomy_id, old_type AS post_type, old_status AS post_status, -1 AS n FROM counted_rows
            UNION ALL SELECT term_taxonomy_id, new_type, new_status, 1 FROM counted_rows`)}
        END IF;
      END IF;`,
  )
  triggered.add(
    t.posts,
    'DELETE',
    oldRows,
    `${markUnlessCommittedRowsAreSeen('SELECT o.ID FROM old_rows o')}
      ${unlistRows(
        'old_rows removed WHERE l.post_id = removed.ID',
        ' UNION ALL SELECT 0, p.post_type, p.post_status, -1 FROM old_rows p',
      )}
      DELETE FROM ${marks} m USING old_rows o WHERE m.post_id = o.ID;`,
  )
  triggered.add(
    t.posts,
    'TRUNCATE',
    'FOR EACH STATEMENT',
    `DELETE FROM ${listed}; DELETE FROM ${counts}; DELETE FROM ${marks};`,
  )
  triggered.add(t.term_relationships, 'INSERT', newRows, listRows('new_rows'))
  triggered.add(
    t.term_relationships,
    'UPDATE',
    bothRows,
    `${unlistRows(`${changedRows(pair, 'old_rows')} removed ${ofPair}`)} ${listRows(changedRows(pair, 'new_rows'))}`,
  )
  triggered.add(t.term_relationships, 'DELETE', oldRows, unlistRows(`old_rows removed ${ofPair}`))
  triggered.add(
    t.term_relationships,
    'TRUNCATE',
    'FOR EACH STATEMENT',
    `DELETE FROM ${listed}; DELETE FROM ${counts} WHERE term_taxonomy_id <> 0;`,
  )
  const columns = `term_taxonomy_id bigint NOT NULL,
      post_type ${folded} NOT NULL,
      post_status ${folded} NOT NULL`
  return [
    `CREATE TABLE ${t.listed} (
      post_id bigint NOT NULL,
      ${columns},
      post_date text COLLATE "C" NOT NULL,
      PRIMARY KEY (post_id, term_taxonomy_id))`,
    `CREATE TABLE ${t.listed_marks} (post_id bigint PRIMARY KEY)`,
    `CREATE TABLE ${t.counts} (
      ${columns},
      slot integer NOT NULL,
      n bigint NOT NULL,
      PRIMARY KEY (term_taxonomy_id, post_type, post_status, slot)) WITH (fillfactor = 50)`,
    ...triggered.functions,
    ...triggered.triggers,
    ...lists(t),
    `CREATE INDEX ${t.listed}_order ON ${t.listed} (term_taxonomy_id, post_type, post_status, post_date, post_id)`,
  ]
}
