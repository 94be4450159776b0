import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import type { ServerFacts } from './server-facts.js'
import { indexedValues } from './mysql-indexed-values.js'
import { postLists } from './mysql-lists.js'
import { versionsTable, versionTriggers } from './mysql-versions.js'

/** Maximum length of a type of posts and of a status, as in WordPress's tables. */
const typeLength = 20

/** The table of lock rows; see `lockRows` and `takeLeasedLock`. */
export const locksTable = ({ versions }: TableNames): string => versions.replace(/versions$/, 'locks')

/**
 * WordPress's tables with its columns and keys (docs/wire.md#tables), and further keys for our queries. Texts of titles and
 * names are longer than WordPress's. The server commits at each of these statements, so each can run again: a start that
 * was ended in the middle is continued by the next one.
 */
export function mysqlMigrations(t: TableNames, kind: ServerFacts['kind'] = 'MariaDB'): readonly Migration[] {
  return [
    [...tables(t), ...versionTriggers(t)],
    titlesInOrder(t, kind),
    attemptCounters(t),
    waitingJobs(t),
    storedResponses(t),
    postLists(t, table),
    indexedValues(t, table),
  ]
}

/** Characters of a title by which lists are ordered, as many as WordPress's own keys have. */
const titleKeyLength = 191

/**
 * An index can be read in the order of a whole column only, so the beginnings of the titles are a column. It is computed when
 * it is read, and is not among the columns of `SELECT *`.
 */
function titlesInOrder({ posts }: TableNames, kind: ServerFacts['kind']): Migration {
  // MySQL does not have this condition: see `isRepeatedStatement`.
  const unlessExists = kind === 'MariaDB' ? 'IF NOT EXISTS ' : ''
  return [
    `ALTER TABLE ${posts} ADD COLUMN ${unlessExists}title_key varchar(${titleKeyLength})
      GENERATED ALWAYS AS (LEFT(post_title, ${titleKeyLength})) VIRTUAL INVISIBLE`,
    `CREATE INDEX ${unlessExists}type_status_title ON ${posts} (post_type, post_status, title_key, ID)`,
  ]
}

/** Texts that WordPress compares without case and accents have the collation of its tables. */
const tableOptions = 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci'

/** The collation of texts that are compared letter for letter. */
const exact = 'COLLATE utf8mb4_bin'
const id = 'bigint unsigned NOT NULL DEFAULT 0'
const automaticId = 'bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY'
const date = `datetime NOT NULL DEFAULT '0000-00-00 00:00:00'`

function tables(t: TableNames): Migration {
  return [
    table(t.posts, [
      `ID ${automaticId}`,
      `post_author ${id}`,
      `post_date ${date}`,
      `post_date_gmt ${date}`,
      `post_content longtext ${exact} NOT NULL`,
      'post_title longtext NOT NULL',
      `post_excerpt longtext ${exact} NOT NULL`,
      `post_status varchar(${typeLength}) NOT NULL DEFAULT 'publish'`,
      `comment_status varchar(20) ${exact} NOT NULL DEFAULT 'open'`,
      `ping_status varchar(20) ${exact} NOT NULL DEFAULT 'open'`,
      `post_password varchar(255) ${exact} NOT NULL DEFAULT ''`,
      `post_name varchar(200) NOT NULL DEFAULT ''`,
      `to_ping longtext ${exact} NOT NULL`,
      `pinged longtext ${exact} NOT NULL`,
      `post_modified ${date}`,
      `post_modified_gmt ${date}`,
      `post_content_filtered longtext ${exact} NOT NULL`,
      `post_parent ${id}`,
      `guid varchar(255) ${exact} NOT NULL DEFAULT ''`,
      'menu_order int NOT NULL DEFAULT 0',
      `post_type varchar(${typeLength}) NOT NULL DEFAULT 'post'`,
      `post_mime_type varchar(100) ${exact} NOT NULL DEFAULT ''`,
      'comment_count bigint NOT NULL DEFAULT 0',
      'KEY post_name (post_name, post_type, post_status)',
      'KEY type_status_date (post_type, post_status, post_date, ID)',
      'KEY type_status_name (post_type, post_status, post_name, ID)',
      'KEY type_status_modified (post_type, post_status, post_modified, ID)',
      'KEY type_status_menu_order (post_type, post_status, menu_order, ID)',
      'KEY type_status_author (post_type, post_status, post_author)',
      'KEY post_parent (post_parent, post_type, post_status)',
      'KEY post_author (post_author)',
      'KEY status_date_gmt (post_status, post_date_gmt, ID)',
    ]),
    ...metadataTable(t.postmeta, 'meta_id', 'post_id'),
    table(t.users, [
      `ID ${automaticId}`,
      `user_login varchar(255) NOT NULL DEFAULT ''`,
      `user_pass varchar(255) ${exact} NOT NULL DEFAULT ''`,
      `user_nicename varchar(255) NOT NULL DEFAULT ''`,
      `user_email varchar(255) NOT NULL DEFAULT ''`,
      `user_url varchar(255) ${exact} NOT NULL DEFAULT ''`,
      `user_registered ${date}`,
      `user_activation_key varchar(255) ${exact} NOT NULL DEFAULT ''`,
      'user_status int NOT NULL DEFAULT 0',
      'display_name longtext NOT NULL',
      'KEY user_login_key (user_login)',
      'KEY user_nicename (user_nicename)',
      'KEY user_email (user_email)',
    ]),
    ...metadataTable(t.usermeta, 'umeta_id', 'user_id'),
    table(t.terms, [
      `term_id ${automaticId}`,
      `name varchar(200) NOT NULL DEFAULT ''`,
      `slug varchar(200) NOT NULL DEFAULT ''`,
      'term_group bigint NOT NULL DEFAULT 0',
      'KEY slug (slug)',
      'KEY name (name)',
    ]),
    ...metadataTable(t.termmeta, 'meta_id', 'term_id'),
    table(t.term_taxonomy, [
      `term_taxonomy_id ${automaticId}`,
      `term_id ${id}`,
      `taxonomy varchar(32) NOT NULL DEFAULT ''`,
      `description longtext ${exact} NOT NULL`,
      `parent ${id}`,
      'count bigint NOT NULL DEFAULT 0',
      'UNIQUE KEY term_id_taxonomy (term_id, taxonomy)',
      'KEY taxonomy (taxonomy)',
      'KEY parent (parent, taxonomy)',
    ]),
    table(t.term_relationships, [
      `object_id ${id}`,
      `term_taxonomy_id ${id}`,
      'term_order int NOT NULL DEFAULT 0',
      'PRIMARY KEY (object_id, term_taxonomy_id)',
      'KEY term_taxonomy_id (term_taxonomy_id, object_id)',
    ]),
    table(t.options, [
      `option_id ${automaticId}`,
      `option_name varchar(191) ${exact} NOT NULL DEFAULT ''`,
      `option_value longtext ${exact} NOT NULL`,
      `autoload varchar(20) ${exact} NOT NULL DEFAULT 'yes'`,
      'UNIQUE KEY option_name (option_name)',
      'KEY autoload (autoload)',
    ]),
    `${versionsTable(t, typeLength)} ${tableOptions}`,
    createLocksTable(t),
  ]
}

/** The statement that creates the table of locks if it is missing. */
export const createLocksTable = (t: TableNames): string =>
  table(locksTable(t), ['slot smallint unsigned NOT NULL PRIMARY KEY', 'n bigint unsigned NOT NULL'])

const attemptCounters = ({ attempts }: TableNames): Migration => [
  table(attempts, [
    `name varchar(43) ${exact} NOT NULL PRIMARY KEY`,
    `kind varchar(40) ${exact} NOT NULL`,
    'empty_at bigint NOT NULL',
    `networks varchar(255) ${exact} NOT NULL`,
    'KEY kind (kind, empty_at)',
  ]),
]

const waitingJobs = ({ jobs }: TableNames): Migration => [
  table(jobs, [
    `id ${automaticId}`,
    `name varchar(100) ${exact} NOT NULL`,
    `payload longtext ${exact} NOT NULL`,
    `state varchar(10) ${exact} NOT NULL`,
    'due_at bigint NOT NULL',
    `holder varchar(40) ${exact} NOT NULL`,
    'attempts int NOT NULL',
    `error text ${exact} NOT NULL`,
    `request_id varchar(200) ${exact} NOT NULL`,
    'created_at bigint NOT NULL',
    'KEY state (state, due_at)',
  ]),
]

const storedResponses = ({ storedResponses }: TableNames): Migration => [
  table(storedResponses, [
    `name varchar(43) ${exact} NOT NULL PRIMARY KEY`,
    `owner varchar(16) ${exact} NOT NULL`,
    `fingerprint varchar(43) ${exact} NOT NULL`,
    'expires_at bigint NOT NULL',
    'size bigint NOT NULL',
    `response longtext ${exact}`,
    'KEY expires_at (expires_at, size)',
  ]),
]

function metadataTable(name: string, idColumn: string, ownerColumn: string): Migration {
  return [
    table(name, [
      `${idColumn} ${automaticId}`,
      `${ownerColumn} ${id}`,
      'meta_key varchar(255) DEFAULT NULL',
      `meta_value longtext ${exact}`,
      `KEY ${ownerColumn} (${ownerColumn}, meta_key)`,
      'KEY meta_key (meta_key)',
    ]),
  ]
}

const table = (name: string, columns: readonly string[]): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (\n${columns.join(',\n')}) ${tableOptions}`
