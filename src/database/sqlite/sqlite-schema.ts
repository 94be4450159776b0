import type { Migration } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import {
  versionsByClock,
  versionsByClockOrChance,
  versionsOfOverwrittenRows,
  versionsOfRows,
} from './sqlite-versions.js'

/** Rows whose text SQLite's NOCASE, which knows ASCII only, cannot compare. Indexes and queries use the same condition. */
export const notAscii = (column: string): string => `${column} GLOB '*[^ -~]*'`

/**
 * WordPress's tables with its keys (docs/wire.md#tables), and further columns of keys for our queries. `AUTOINCREMENT`,
 * as in MySQL, never gives the id of a deleted row to a new one. Keys begin with WordPress's columns and continue with
 * those of our queries: without statistics, SQLite uses the index with the most columns of the condition. Texts that WordPress's
 * collation compares without case are `NOCASE`.
 */
export function sqliteMigrations(t: TableNames): readonly Migration[] {
  return [
    firstVersion(t),
    versionsOfRows(t),
    versionsOfOverwrittenRows(t),
    termsByParent(t),
    scheduledPosts(t),
    versionsByClock(t),
    attemptCounters(t),
    waitingJobs(t),
    storedResponses(t),
    versionsByClockOrChance(t),
  ]
}

const attemptCounters = ({ attempts }: TableNames): Migration => [
  `CREATE TABLE IF NOT EXISTS ${attempts} (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    empty_at INTEGER NOT NULL,
    networks TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS ${attempts}_kind ON ${attempts} (kind, empty_at)`,
]

const waitingJobs = ({ jobs }: TableNames): Migration => [
  `CREATE TABLE IF NOT EXISTS ${jobs} (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    holder TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    request_id TEXT NOT NULL,
    created_at INTEGER NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS ${jobs}_state ON ${jobs} (state, due_at)`,
]

const storedResponses = ({ storedResponses }: TableNames): Migration => [
  `CREATE TABLE IF NOT EXISTS ${storedResponses} (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    response TEXT)`,
  `CREATE INDEX IF NOT EXISTS ${storedResponses}_expires_at ON ${storedResponses} (expires_at, size)`,
]

const termsByParent = (t: TableNames): Migration => [
  `CREATE INDEX IF NOT EXISTS ${t.term_taxonomy}_parent ON ${t.term_taxonomy} (parent, taxonomy)`,
]

/** Few posts are scheduled, so the index is small, and a write of any other post does not change it. */
const scheduledPosts = (t: TableNames): Migration => [
  `CREATE INDEX IF NOT EXISTS ${t.posts}_scheduled ON ${t.posts} (post_date_gmt) WHERE post_status = 'future'`,
]

function firstVersion(t: TableNames): Migration {
  return [
    `CREATE TABLE ${t.posts} (
      ID INTEGER PRIMARY KEY AUTOINCREMENT,
      post_author INTEGER NOT NULL DEFAULT 0,
      post_date TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
      post_date_gmt TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
      post_content TEXT NOT NULL,
      post_title TEXT NOT NULL COLLATE NOCASE,
      post_excerpt TEXT NOT NULL,
      post_status TEXT NOT NULL DEFAULT 'publish' COLLATE NOCASE,
      comment_status TEXT NOT NULL DEFAULT 'open',
      ping_status TEXT NOT NULL DEFAULT 'open',
      post_password TEXT NOT NULL DEFAULT '',
      post_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      to_ping TEXT NOT NULL,
      pinged TEXT NOT NULL,
      post_modified TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
      post_modified_gmt TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
      post_content_filtered TEXT NOT NULL,
      post_parent INTEGER NOT NULL DEFAULT 0,
      guid TEXT NOT NULL DEFAULT '',
      menu_order INTEGER NOT NULL DEFAULT 0,
      post_type TEXT NOT NULL DEFAULT 'post' COLLATE NOCASE,
      post_mime_type TEXT NOT NULL DEFAULT '',
      comment_count INTEGER NOT NULL DEFAULT 0)`,
    `CREATE INDEX ${t.posts}_post_name ON ${t.posts} (post_name, post_type, post_status)`,
    `CREATE INDEX ${t.posts}_type_status_date ON ${t.posts} (post_type, post_status, post_date, ID)`,
    `CREATE INDEX ${t.posts}_post_parent ON ${t.posts} (post_parent, post_type, post_status)`,
    `CREATE INDEX ${t.posts}_post_author ON ${t.posts} (post_author)`,
    `CREATE INDEX ${t.posts}_type_status_author ON ${t.posts} (post_type, post_status, post_author)`,
    `CREATE INDEX ${t.posts}_type_status_title ON ${t.posts} (post_type, post_status, post_title, ID)`,
    `CREATE INDEX ${t.posts}_post_name_not_ascii ON ${t.posts} (post_type, post_name) WHERE ${notAscii('post_name')}`,
    ...metadataTable(t.postmeta, 'meta_id', 'post_id'),

    `CREATE TABLE ${t.users} (
      ID INTEGER PRIMARY KEY AUTOINCREMENT,
      user_login TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      user_pass TEXT NOT NULL DEFAULT '',
      user_nicename TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      user_email TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      user_url TEXT NOT NULL DEFAULT '',
      user_registered TEXT NOT NULL DEFAULT '0000-00-00 00:00:00',
      user_activation_key TEXT NOT NULL DEFAULT '',
      user_status INTEGER NOT NULL DEFAULT 0,
      display_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE)`,
    `CREATE INDEX ${t.users}_user_login ON ${t.users} (user_login)`,
    `CREATE INDEX ${t.users}_user_nicename ON ${t.users} (user_nicename)`,
    `CREATE INDEX ${t.users}_user_email ON ${t.users} (user_email)`,
    `CREATE INDEX ${t.users}_user_login_not_ascii ON ${t.users} (user_login) WHERE ${notAscii('user_login')}`,
    `CREATE INDEX ${t.users}_user_email_not_ascii ON ${t.users} (user_email) WHERE ${notAscii('user_email')}`,
    ...metadataTable(t.usermeta, 'umeta_id', 'user_id'),

    `CREATE TABLE ${t.terms} (
      term_id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      slug TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      term_group INTEGER NOT NULL DEFAULT 0)`,
    `CREATE INDEX ${t.terms}_slug ON ${t.terms} (slug)`,
    `CREATE INDEX ${t.terms}_name ON ${t.terms} (name)`,
    ...metadataTable(t.termmeta, 'meta_id', 'term_id'),
    `CREATE TABLE ${t.term_taxonomy} (
      term_taxonomy_id INTEGER PRIMARY KEY AUTOINCREMENT,
      term_id INTEGER NOT NULL DEFAULT 0,
      taxonomy TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      description TEXT NOT NULL,
      parent INTEGER NOT NULL DEFAULT 0,
      count INTEGER NOT NULL DEFAULT 0,
      UNIQUE (term_id, taxonomy))`,
    `CREATE INDEX ${t.term_taxonomy}_taxonomy ON ${t.term_taxonomy} (taxonomy)`,
    `CREATE TABLE ${t.term_relationships} (
      object_id INTEGER NOT NULL DEFAULT 0,
      term_taxonomy_id INTEGER NOT NULL DEFAULT 0,
      term_order INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (object_id, term_taxonomy_id)) WITHOUT ROWID`,
    `CREATE INDEX ${t.term_relationships}_term_taxonomy ON ${t.term_relationships} (term_taxonomy_id, object_id)`,

    `CREATE TABLE ${t.options} (
      option_id INTEGER PRIMARY KEY AUTOINCREMENT,
      option_name TEXT NOT NULL DEFAULT '' UNIQUE,
      option_value TEXT NOT NULL,
      autoload TEXT NOT NULL DEFAULT 'yes')`,
    `CREATE INDEX ${t.options}_autoload ON ${t.options} (autoload)`,
  ]
}

function metadataTable(table: string, idColumn: string, ownerColumn: string): Migration {
  return [
    `CREATE TABLE ${table} (
      ${idColumn} INTEGER PRIMARY KEY AUTOINCREMENT,
      ${ownerColumn} INTEGER NOT NULL DEFAULT 0,
      meta_key TEXT DEFAULT NULL COLLATE NOCASE,
      meta_value TEXT)`,
    `CREATE INDEX ${table}_${ownerColumn} ON ${table} (${ownerColumn}, meta_key)`,
    `CREATE INDEX ${table}_meta_key ON ${table} (meta_key)`,
  ]
}
