import type { IndexedValues, Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import { ifUpdated, markForClusters } from './mysql-lists.js'

/** The number that a text starts with. Without a number, MySQL gives NULL and MariaDB an empty text. */
const leadingNumber = '^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?'

/**
 * The number that a text starts with; 0 without one. The pattern cuts the text after its number, because in a write the conversion
 * of any other text is an error, which IGNORE turns into a warning in MariaDB only. Numbers beyond DOUBLE need the IGNORE.
 */
const numberOf = (expression: string): string =>
  `CAST(COALESCE(NULLIF(REGEXP_SUBSTR(LEFT(${expression}, 400), '${leadingNumber}'), ''), '0') AS DOUBLE)`

/**
 * The oldest row of the key of a row of `indexed_values v`. The read locks the row, and waits for transactions that change it.
 * Without the name of the index, MariaDB sometimes reads the rows of all records in the order of their ids.
 */
const oldestRow = (postmeta: string, column: string): string =>
  `SELECT m.${column} FROM ${postmeta} m FORCE INDEX (post_id) WHERE m.post_id = v.post_id AND m.meta_key = v.meta_key ORDER BY m.meta_id LIMIT 1 LOCK IN SHARE MODE`

/** Reads the number of rows of `indexed_values v` again. Assignments are made from left to right. */
const readAgain = ({ postmeta, indexed_values }: TableNames, condition: string): string =>
  `UPDATE IGNORE ${indexed_values} v SET v.first_id = COALESCE((${oldestRow(postmeta, 'meta_id')}), 0),
    v.value = ${numberOf(`(${oldestRow(postmeta, 'meta_value')})`)} WHERE ${condition}`

const columns = 'post_id, meta_key, post_type, post_status, value, first_id'
const keepType = ({ indexed_values }: TableNames): string =>
  `ON DUPLICATE KEY UPDATE post_type = ${indexed_values}.post_type`
const overwriteType = 'ON DUPLICATE KEY UPDATE post_type = VALUES(post_type), post_status = VALUES(post_status)'

/** Fills `indexed_values`, or corrects it, while other programs write: the statements wait for transactions that are changing a row. */
export const fillIndexedValues = (t: TableNames): Migration => [
  `DELETE v FROM ${t.indexed_values} v LEFT JOIN ${t.posts} p ON p.ID = v.post_id
    LEFT JOIN ${t.indexed_keys} k ON k.meta_key = v.meta_key AND k.post_type = p.post_type WHERE p.ID IS NULL OR k.meta_key IS NULL`,
  `INSERT INTO ${t.indexed_values} (${columns}) SELECT DISTINCT m.post_id, m.meta_key, '', '', 0, 0
    FROM ${t.postmeta} m JOIN ${t.indexed_keys} k ON k.meta_key = m.meta_key LOCK IN SHARE MODE ${keepType(t)}`,
  `INSERT INTO ${t.indexed_values} (${columns}) SELECT p.ID, k.meta_key, p.post_type, p.post_status, 0, 0
    FROM ${t.posts} p JOIN ${t.indexed_keys} k ON k.post_type = p.post_type LOCK IN SHARE MODE ${overwriteType}`,
  readAgain(t, 'true'),
]

export const mysqlIndexedValues: IndexedValues = {
  // A node of a cluster cannot wait for transactions of another node that began before a new key was added.
  availableQuery: 'SELECT @@auto_increment_increment = 1',
  lockWrites: () => [],
  // Reads of this transaction lock the rows, so they wait for posts that others insert without the key.
  nextIds: ({ posts }, count) => `SELECT p.ID FROM ${posts} p WHERE p.ID > ? ORDER BY p.ID LIMIT ${count}`,
  // The metadata are locked before the numbers, in the order of every other write.
  lockRange: ({ postmeta }, { key, after, last }) => ({
    text: `SELECT COUNT(*) FROM ${postmeta} m FORCE INDEX (post_id) WHERE m.post_id > ? AND m.post_id <= ? AND m.meta_key = ?`,
    values: [after, last, key],
  }),
  fill: (t, { type, key, after, last }) => [
    {
      text: `INSERT INTO ${t.indexed_values} (${columns}) SELECT DISTINCT m.post_id, ?, '', '', 0, 0
        FROM ${t.postmeta} m FORCE INDEX (post_id) WHERE m.meta_key = ? AND m.post_id > ? AND m.post_id <= ? LOCK IN SHARE MODE ${keepType(t)}`,
      values: [key, key, after, last],
    },
    {
      text: `INSERT INTO ${t.indexed_values} (${columns}) SELECT p.ID, ?, p.post_type, p.post_status, 0, 0
        FROM ${t.posts} p FORCE INDEX (PRIMARY) WHERE p.post_type = ? AND p.ID > ? AND p.ID <= ?
        LOCK IN SHARE MODE ${overwriteType}`,
      values: [key, type, after, last],
    },
    {
      text: readAgain(t, 'v.meta_key = ? AND v.post_id > ? AND v.post_id <= ?'),
      values: [key, after, last],
    },
  ],
}

/**
 * `indexed_keys` has the keys of metadata that records of a type are ordered by, and `indexed_values` the number of each such
 * key of each record of the type, also of a record without the key. Triggers keep the numbers in the transaction of the write,
 * whichever program writes.
 *
 * A row also has the id of the row of metadata from which its number comes (0: there is none). That id tells whether a change of
 * metadata changes the number, so the metadata are read only when that row is removed. Metadata of an indexed key that belong to
 * no record, or to a record of another type, have a row without a type: a record that is stored with their id, or gets the type,
 * takes the number from it.
 */
export function indexedValues(t: TableNames, table: (name: string, columns: readonly string[]) => string): Migration {
  const [type, key, status] = [
    'post_type varchar(20) NOT NULL',
    'meta_key varchar(255) NOT NULL',
    'post_status varchar(20) NOT NULL',
  ]
  return [
    table(t.indexed_keys, [type, key, 'filled_to bigint unsigned', 'PRIMARY KEY (meta_key, post_type)']),
    table(t.indexed_values, [
      'post_id bigint unsigned NOT NULL',
      key,
      type,
      status,
      'value double NOT NULL',
      'first_id bigint unsigned NOT NULL',
      'PRIMARY KEY (post_id, meta_key)',
      'KEY ascending (meta_key, post_type, post_status, value, post_id)',
      'KEY descending (meta_key, post_type, post_status, value DESC, post_id)',
    ]),
    ...postTriggers(t),
    ...metadataTriggers(t),
  ]
}

/** Reads the newest rows of keys by locking them: a transaction may have begun before a key was added. */
const isIndexed = ({ indexed_keys }: TableNames, condition: string): string =>
  `EXISTS (SELECT 1 FROM ${indexed_keys} k WHERE ${condition} LOCK IN SHARE MODE)`

function postTriggers(t: TableNames): readonly string[] {
  const { posts, indexed_keys, indexed_values } = t
  const insert = `INSERT INTO ${indexed_values} (${columns})
      SELECT NEW.ID, k.meta_key, NEW.post_type, NEW.post_status, 0, 0 FROM ${indexed_keys} k
      WHERE k.post_type = NEW.post_type LOCK IN SHARE MODE ${overwriteType};`
  const remove = `DELETE FROM ${indexed_values} WHERE post_id = OLD.ID AND first_id = 0;
      UPDATE ${indexed_values} SET post_type = '', post_status = '' WHERE post_id = OLD.ID;`
  const hasKeys = (row: 'OLD' | 'NEW'): string => isIndexed(t, `k.post_type = ${row}.post_type`)
  return [
    // The metadata are not read. A trigger reads with locks, also without LOCK IN SHARE MODE: in REPEATABLE READ it would lock
    // the gap in which others insert theirs, and nine of ten transactions that store a record with metadata were refused.
    trigger(posts, 'INSERT', `IF ${hasKeys('NEW')} THEN ${insert} END IF;`),
    trigger(
      posts,
      'UPDATE',
      ifUpdated(
        posts,
        ['ID'],
        `IF NEW.ID <> OLD.ID OR NEW.post_type <> OLD.post_type THEN
      IF ${hasKeys('OLD')} THEN ${remove} END IF;
      IF ${hasKeys('NEW')} THEN ${insert} END IF;
    ELSEIF NEW.post_status <> OLD.post_status AND ${hasKeys('NEW')} THEN
      UPDATE ${indexed_values} SET post_status = NEW.post_status WHERE post_id = NEW.ID AND post_type <> '';
    END IF;`,
      ),
    ),
    trigger(posts, 'DELETE', `IF ${hasKeys('OLD')} THEN ${remove} END IF;`),
  ]
}

function metadataTriggers(t: TableNames): readonly string[] {
  const { postmeta, indexed_values } = t
  const mark = markForClusters(t)
  const ofRow = (row: 'OLD' | 'NEW', alias = ''): string =>
    `${alias}post_id = ${row}.post_id AND ${alias}meta_key = ${row}.meta_key`
  const hasKey = (row: 'OLD' | 'NEW'): string => isIndexed(t, `k.meta_key = ${row}.meta_key`)
  const isOldest = '(first_id = 0 OR NEW.meta_id < first_id)'
  const add = `IF ${hasKey('NEW')} THEN
      ${mark('NEW.post_id')}
      INSERT IGNORE INTO ${indexed_values} (${columns})
        VALUES (NEW.post_id, NEW.meta_key, '', '', ${numberOf('NEW.meta_value')}, NEW.meta_id)
        ON DUPLICATE KEY UPDATE value = IF(${isOldest}, VALUES(value), value), first_id = IF(${isOldest}, NEW.meta_id, first_id);
    END IF;`
  const remove = `IF ${hasKey('OLD')} THEN
      ${mark('OLD.post_id')}
      ${readAgain(t, `${ofRow('OLD', 'v.')} AND v.first_id = OLD.meta_id`)};
      DELETE FROM ${indexed_values} WHERE ${ofRow('OLD')} AND post_type = '' AND first_id = 0;
    END IF;`
  return [
    trigger(postmeta, 'INSERT', add),
    trigger(
      postmeta,
      'UPDATE',
      ifUpdated(
        postmeta,
        ['meta_id'],
        `IF NEW.meta_id <> OLD.meta_id OR NEW.post_id <> OLD.post_id OR NOT NEW.meta_key <=> OLD.meta_key THEN
      ${remove}
      ${add}
    ELSEIF ${hasKey('NEW')} THEN
      ${mark('NEW.post_id')}
      UPDATE IGNORE ${indexed_values} SET value = ${numberOf('NEW.meta_value')} WHERE ${ofRow('NEW')} AND first_id = NEW.meta_id;
    END IF;`,
      ),
    ),
    trigger(postmeta, 'DELETE', remove),
  ]
}

const trigger = (table: string, change: 'INSERT' | 'UPDATE' | 'DELETE', body: string): string =>
  `CREATE TRIGGER IF NOT EXISTS ${table}_${change.toLowerCase()}_indexed AFTER ${change} ON ${table} FOR EACH ROW BEGIN
    ${body} END`
