import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import { slot } from './mysql-versions.js'

/** The slot of the counts that `fillLists` writes. No connection has it. */
const filledSlot = 65_535

/**
 * Fills `listed` and `counts`, or corrects them, while other programs write. A statement sees either both or none of the rows that
 * another transaction changes and the rows that its triggers write. The statements wait for transactions that are changing a post.
 */
export const fillLists = ({ posts, term_relationships, listed, listed_marks, counts }: TableNames): Migration => [
  `INSERT IGNORE INTO ${listed_marks} (post_id, n) SELECT r.object_id, 1 FROM ${term_relationships} r
    LEFT JOIN ${posts} p ON p.ID = r.object_id WHERE p.ID IS NULL`,
  `DELETE l FROM ${listed} l LEFT JOIN ${term_relationships} r
    ON r.object_id = l.post_id AND r.term_taxonomy_id = l.term_taxonomy_id LEFT JOIN ${posts} p ON p.ID = l.post_id
    WHERE r.object_id IS NULL OR p.ID IS NULL`,
  `INSERT INTO ${listed} (post_id, term_taxonomy_id, post_type, post_status, post_date)
    SELECT p.ID, r.term_taxonomy_id, p.post_type, p.post_status, p.post_date
    FROM ${posts} p JOIN ${term_relationships} r ON r.object_id = p.ID WHERE r.term_taxonomy_id <> 0 FOR UPDATE
    ON DUPLICATE KEY UPDATE post_type = VALUES(post_type), post_status = VALUES(post_status), post_date = VALUES(post_date)`,
  `INSERT INTO ${counts} (term_taxonomy_id, post_type, post_status, slot, n)
    SELECT f.term_taxonomy_id, f.post_type, f.post_status, ${filledSlot}, SUM(f.n) FROM (
      SELECT 0 AS term_taxonomy_id, p.post_type, p.post_status, COUNT(*) AS n FROM ${posts} p GROUP BY p.post_type, p.post_status
      UNION ALL SELECT l.term_taxonomy_id, l.post_type, l.post_status, COUNT(*) FROM ${listed} l
        GROUP BY l.term_taxonomy_id, l.post_type, l.post_status
      UNION ALL SELECT c.term_taxonomy_id, c.post_type, c.post_status, IF(c.slot = ${filledSlot}, 0, -c.n) FROM ${counts} c) f
    GROUP BY f.term_taxonomy_id, f.post_type, f.post_status
    ON DUPLICATE KEY UPDATE n = VALUES(n)`,
]

/**
 * `listed` has a row for each term of each post, with the columns by which lists of a term are selected and ordered. `counts` has
 * the number of posts of each type and status, under the term 0, and the number of them that each term has. Triggers keep both in
 * the transaction of the write, whichever program writes. As for versions, a connection changes the row of its own slot, and the
 * count is the sum of the slots.
 *
 * `listed_marks` has a row for each post that was stored since the triggers exist, and for each id that has terms without a post. So
 * a new post without such a row has no terms, and its trigger need not read them: a trigger reads with locks, and in REPEATABLE READ
 * it would lock the gap into which other transactions insert theirs. Clusters also change the row, see `markForClusters`.
 */
export function postLists(t: TableNames, table: (name: string, columns: readonly string[]) => string): Migration {
  const columns = ['term_taxonomy_id bigint unsigned NOT NULL', 'post_type varchar(20) NOT NULL']
  const status = 'post_status varchar(20) NOT NULL'
  return [
    table(t.listed, [
      'post_id bigint unsigned NOT NULL',
      ...columns,
      status,
      'post_date datetime NOT NULL',
      'PRIMARY KEY (post_id, term_taxonomy_id)',
      'KEY term_order (term_taxonomy_id, post_type, post_status, post_date, post_id)',
    ]),
    table(t.counts, [
      ...columns,
      status,
      'slot smallint unsigned NOT NULL',
      'n bigint NOT NULL',
      'PRIMARY KEY (term_taxonomy_id, post_type, post_status, slot)',
    ]),
    table(t.listed_marks, ['post_id bigint unsigned NOT NULL PRIMARY KEY', 'n bigint unsigned NOT NULL']),
    ...listTriggers(t),
    ...fillLists(t),
  ]
}

function listTriggers(t: TableNames): readonly string[] {
  const listSql = sqlOfLists(t)
  return [...postTriggers(t, listSql), ...relationshipTriggers(t, listSql)]
}

/** Statements of triggers. `OLD` and `NEW` are the row of the triggering statement. */
interface SqlOfLists {
  /** Adds the row of `listed_marks` with 1 as its number, or raises the number. */
  readonly mark: (id: string) => string
  markForClusters(id: string): string
  /** Changes by `n` the number of posts of the type and status of a row of posts. */
  countPost(n: 1 | -1, row: 'OLD' | 'NEW'): string
  /**
   * Changes by `n` the number of posts of each term that the selected rows of `listed` have.
   * @param row where type and status are taken from: the row of `listed`, or that of posts.
   */
  countListed(n: 1 | -1, condition: string, row?: 'l' | 'OLD' | 'NEW'): string
}

/**
 * Where several nodes take writes, which the step of automatic ids shows, a lock holds at one node only. So the row of a post in
 * `listed_marks` is changed when the post is stored, gets a term or loses one, when its type, status, date or id changes, and when
 * metadata with an indexed key change: the certification refuses one of two such transactions. It compares only rows that were
 * changed. The row is changed first: the trigger then reads what another node has committed before, and a later commit of another
 * node ends this transaction.
 */
export const markForClusters =
  (tables: Pick<TableNames, 'listed_marks'>) =>
  (id: string): string =>
    `IF @@auto_increment_increment > 1 THEN
      ${markOf(tables)(id)}
    END IF;`

const markOf =
  ({ listed_marks }: Pick<TableNames, 'listed_marks'>) =>
  (id: string): string =>
    `INSERT INTO ${listed_marks} (post_id, n) VALUES (${id}, 1) ON DUPLICATE KEY UPDATE n = ${listed_marks}.n + 1;`

/**
 * The statements of a trigger for updates, run only where the row was changed. For UPDATE IGNORE, MariaDB also runs the triggers
 * of rows that stay unchanged because another row has the new key. The read locks the row: without the lock, even in `READ COMMITTED`,
 * a trigger reads the rows as they were when its statement started, and the row may have been stored since then.
 */
export function ifUpdated(table: string, key: readonly string[], statements: string): string {
  const isSame = key.map((column) => `NEW.${column} = OLD.${column}`).join(' AND ')
  const isOld = key.map((column) => `x.${column} = OLD.${column}`).join(' AND ')
  return `IF (${isSame}) OR NOT EXISTS (SELECT 1 FROM ${table} x WHERE ${isOld} LOCK IN SHARE MODE) THEN
    ${statements}
    END IF;`
}

/**
 * Reads of `listed` lock its rows. Without the lock, a transaction that changes a post and one that removes its term would both
 * count the row: even in `READ COMMITTED`, a trigger reads the rows as they were when its statement started. The insertion of a row
 * waits for transactions that are changing its post.
 */
function sqlOfLists({ listed, counts, listed_marks }: TableNames): SqlOfLists {
  const count = (n: 1 | -1, columns: string, rows: string): string =>
    `INSERT INTO ${counts} (term_taxonomy_id, post_type, post_status, slot, n)
      SELECT ${columns}, ${slot}, ${n} ${rows} ON DUPLICATE KEY UPDATE n = ${counts}.n + ${n};`
  return {
    mark: markOf({ listed_marks }),
    markForClusters: markForClusters({ listed_marks }),
    countPost: (n, row) => count(n, `0, ${row}.post_type, ${row}.post_status`, 'FROM DUAL'),
    countListed: (n, condition, row = 'l') =>
      count(
        n,
        `l.term_taxonomy_id, ${row}.post_type, ${row}.post_status`,
        `FROM ${listed} l WHERE ${condition} FOR UPDATE`,
      ),
  }
}

function postTriggers(t: TableNames, sql: SqlOfLists): readonly string[] {
  const { posts, term_relationships, listed, listed_marks } = t
  const { mark, countPost, countListed } = sql
  // The relationships of a deleted post stay, and belong to no post.
  const unlistPost = `IF EXISTS (SELECT 1 FROM ${listed} l WHERE l.post_id = OLD.ID FOR UPDATE) THEN
      ${mark('OLD.ID')}
      ${countListed(-1, 'l.post_id = OLD.ID')}
      DELETE FROM ${listed} WHERE post_id = OLD.ID;
    ELSE
      DELETE FROM ${listed_marks} WHERE post_id = OLD.ID;
    END IF;`
  // A REPLACE keeps the terms of the post that it overwrites. The rows of `listed` may exist from a time without triggers.
  const listPost = `${mark('NEW.ID')}
    IF (SELECT m.n FROM ${listed_marks} m WHERE m.post_id = NEW.ID) > 1 THEN
      INSERT INTO ${listed} (post_id, term_taxonomy_id, post_type, post_status, post_date) SELECT NEW.ID, r.term_taxonomy_id, NEW.post_type, NEW.post_status, NEW.post_date
        FROM ${term_relationships} r WHERE r.object_id = NEW.ID AND r.term_taxonomy_id <> 0 LOCK IN SHARE MODE
      ON DUPLICATE KEY UPDATE post_type = VALUES(post_type), post_status = VALUES(post_status), post_date = VALUES(post_date);
      ${countListed(1, 'l.post_id = NEW.ID', 'NEW')}
    END IF;`
  const movePost = `IF NEW.ID <> OLD.ID THEN
      ${sql.markForClusters('OLD.ID')}
      ${unlistPost}
      ${listPost}
    ELSEIF NEW.post_type <> OLD.post_type OR NEW.post_status <> OLD.post_status OR NEW.post_date <> OLD.post_date THEN
      ${sql.markForClusters('NEW.ID')}
      UPDATE ${listed} SET post_type = NEW.post_type, post_status = NEW.post_status, post_date = NEW.post_date WHERE post_id = NEW.ID;
    END IF;`
  const recountPost = `IF NEW.post_type <> OLD.post_type OR NEW.post_status <> OLD.post_status THEN
      ${countPost(-1, 'OLD')}
      ${countPost(1, 'NEW')}
      IF NEW.ID = OLD.ID THEN
        ${countListed(-1, 'l.post_id = NEW.ID', 'OLD')}
        ${countListed(1, 'l.post_id = NEW.ID', 'NEW')}
      END IF;
    END IF;`
  return [
    trigger(posts, 'INSERT', `${listPost}\n    ${countPost(1, 'NEW')}`),
    trigger(posts, 'UPDATE', ifUpdated(posts, ['ID'], `${movePost}\n    ${recountPost}`)),
    trigger(posts, 'DELETE', `${sql.markForClusters('OLD.ID')}\n    ${countPost(-1, 'OLD')}\n    ${unlistPost}`),
  ]
}

function relationshipTriggers(t: TableNames, { mark, markForClusters, countListed }: SqlOfLists): readonly string[] {
  const { posts, term_relationships, listed } = t
  const ofPair = (row: 'OLD' | 'NEW'): string =>
    `l.post_id = ${row}.object_id AND l.term_taxonomy_id = ${row}.term_taxonomy_id`
  // With FOR UPDATE, the server would refuse `INSERT INTO term_relationships SELECT … FROM posts`. Searching the row before the
  // insert would lock the gap: two sessions in REPEATABLE READ would wait for each other.
  const insert = `INSERT IGNORE INTO ${listed} (post_id, term_taxonomy_id, post_type, post_status, post_date)
      SELECT p.ID, NEW.term_taxonomy_id, p.post_type, p.post_status, p.post_date FROM ${posts} p
      WHERE p.ID = NEW.object_id AND NEW.term_taxonomy_id <> 0 LOCK IN SHARE MODE;`
  // Without an inserted row, the post does not exist, or its row is from a time without triggers. A post that is stored later finds
  // the mark, and reads its terms. A transaction that is storing the post has added the mark before, so this trigger waits for it.
  // ROW_COUNT() is reliable for INSERT … SELECT only: after ON DUPLICATE KEY UPDATE it is 1 for an equal row when the client asks
  // for found rows, as this service does.
  const list = `${markForClusters('NEW.object_id')}
    ${insert}
    IF ROW_COUNT() = 1 THEN
      ${countListed(1, ofPair('NEW'))}
    ELSE
      ${mark('NEW.object_id')}
      ${insert}
      IF ROW_COUNT() = 1 THEN
        ${countListed(1, ofPair('NEW'))}
      ELSE
        UPDATE ${listed} l JOIN ${posts} p ON p.ID = l.post_id
          SET l.post_type = p.post_type, l.post_status = p.post_status, l.post_date = p.post_date WHERE ${ofPair('NEW')};
      END IF;
    END IF;`
  // Another node may store the post meanwhile, with this term.
  const unlist = `${markForClusters('OLD.object_id')}
    ${countListed(-1, ofPair('OLD'))}
    DELETE FROM ${listed} WHERE post_id = OLD.object_id AND term_taxonomy_id = OLD.term_taxonomy_id;`
  const moved = `IF NEW.object_id <> OLD.object_id OR NEW.term_taxonomy_id <> OLD.term_taxonomy_id THEN
      ${unlist}
      ${list}
    END IF;`
  return [
    trigger(term_relationships, 'INSERT', list),
    trigger(term_relationships, 'UPDATE', ifUpdated(term_relationships, ['object_id', 'term_taxonomy_id'], moved)),
    trigger(term_relationships, 'DELETE', unlist),
  ]
}

const trigger = (table: string, change: 'INSERT' | 'UPDATE' | 'DELETE', body: string): string =>
  `CREATE TRIGGER IF NOT EXISTS ${table}_${change.toLowerCase()}_lists AFTER ${change} ON ${table} FOR EACH ROW BEGIN
    ${body} END`
