import { columnNames, movedTables } from '../../src/database/maintenance/moved-table.js'
import { migrateDatabase } from '../../src/database/maintenance/database-status.js'
import type { SqlRow, SqlValue } from '../../src/database/sql/sql-connection.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import type { TableNames } from '../../src/database/sql/table-names.js'

const zeroDate = '0000-00-00 00:00:00'
/** The highest id that the metadata have ever had. */
export const lastMetaId = 77_777
/** An id close to the largest that a database may have. */
const maxId = Number.MAX_SAFE_INTEGER - 10

type Row = Readonly<Record<string, SqlValue>>

const post = (ID: number, row: Row = {}): Row => ({
  ID,
  post_author: 1,
  post_date: '2026-03-29 02:30:00',
  post_date_gmt: '2026-03-29 01:30:00',
  post_content: 'text',
  post_title: `Title ${ID}`,
  post_excerpt: '',
  post_status: 'publish',
  comment_status: 'open',
  ping_status: 'closed',
  post_password: '',
  post_name: `title-${ID}`,
  to_ping: '',
  pinged: '',
  post_modified: '2026-03-29 02:30:00',
  post_modified_gmt: '2026-03-29 01:30:00',
  post_content_filtered: '',
  post_parent: 0,
  guid: '',
  menu_order: 0,
  post_type: 'product',
  post_mime_type: '',
  comment_count: 0,
  ...row,
})

const user = (ID: number, user_login: string, row: Row = {}): Row => ({
  ID,
  user_login,
  user_pass: `$wp$2y$10$${'Aa.9'.repeat(12)}`,
  user_nicename: user_login.toLowerCase(),
  user_email: `${user_login}@example.org`,
  user_url: '',
  user_registered: zeroDate,
  user_activation_key: '',
  user_status: 0,
  display_name: user_login,
  ...row,
})

const job = (id: number, row: Row): Row => ({
  id,
  name: 'print',
  payload: '{"id":2003}',
  state: 'open',
  due_at: 4_102_444_800_000,
  holder: '',
  attempts: 0,
  error: '',
  request_id: '',
  created_at: 1_767_225_600_000,
  ...row,
})

/** More rows than a chunk has, several of them behind gaps of ids. */
const manyPosts = Array.from({ length: 1200 }, (_, index) => post(2000 + 3 * index))

const metadata = Array.from({ length: 5000 }, (_, index): Row => {
  const value = [`value ${index}`, '', null, 'a:1:{s:1:"k";s:4:"\0\u{1F600}"}', '0'][index % 5] ?? null
  return {
    meta_id: 10 + index * 7,
    post_id: 2000 + 3 * (index % 1200),
    meta_key: index % 11 === 0 ? null : `key ${index % 40}`,
    meta_value: value,
  }
})

const rows: Readonly<Partial<Record<keyof TableNames, readonly Row[]>>> = {
  options: [
    { option_id: 3, option_name: 'blogname', option_value: 'Shop \u{1F6D2} "quoted" \\ back', autoload: 'yes' },
    { option_id: 900, option_name: 'Blogname', option_value: '', autoload: 'no' },
  ],
  users: [user(1, 'admin'), user(7, 'Zoë'), user(40, 'tab\tand newline\n')],
  usermeta: [
    { umeta_id: 4, user_id: 1, meta_key: 'wp_capabilities', meta_value: 'a:1:{s:13:"administrator";b:1;}' },
    { umeta_id: 90, user_id: 7, meta_key: 'session_tokens', meta_value: null },
  ],
  terms: [1, 2, 30].map((term_id) => ({ term_id, name: `Té ${term_id}`, slug: `te-${term_id}`, term_group: 0 })),
  termmeta: [{ meta_id: 5, term_id: 30, meta_key: 'colour', meta_value: '\u{10FFFE}0 is not NUL' }],
  term_taxonomy: [1, 2, 30].map((term_id) => ({
    term_taxonomy_id: term_id + 100,
    term_id,
    taxonomy: 'category',
    description: '',
    parent: term_id === 30 ? 1 : 0,
    count: 0,
  })),
  posts: [
    post(1, {
      post_title: '\0NUL \0\0 and \u{10FFFE}',
      post_content: '\0',
      post_date: zeroDate,
      post_date_gmt: zeroDate,
    }),
    post(2, {
      post_title: '\u{1F468}\u200D\u{1F469}\u200D\u{1F467} e\u0301 \u05D0\u200F %_\\\'";--',
      menu_order: -2_147_483_648,
    }),
    post(1000, {
      post_content: `${'long \u00fc\u{1F600}\n'.repeat(150_000)}end`,
      post_modified: '9999-12-31 23:59:59',
    }),
    post(1001, { post_content: 'x'.repeat(1_500_000), post_excerpt: 'y'.repeat(1_200_000) }),
    ...manyPosts,
    post(maxId, { post_parent: maxId, post_name: '%e2%82%ac '.repeat(19), comment_count: 12 }),
  ],
  postmeta: metadata,
  term_relationships: [1, ...manyPosts.map(({ ID }) => Number(ID))].flatMap((object_id) =>
    [101, 130].map((term_taxonomy_id) => ({ object_id, term_taxonomy_id, term_order: object_id % 3 })),
  ),
  jobs: [
    job(5, { state: 'failed', attempts: 8, error: 'Error: \0 \u{1F4A5}', request_id: 'a-request' }),
    job(60, { payload: JSON.stringify({ text: 'x'.repeat(70_000) }), holder: 'a process' }),
  ],
}

/** The number of rows of `fillAwkwardly`. */
export const awkwardRows = Object.values(rows).reduce((sum, each) => sum + each.length, 0)

/** Fills a database with rows that are hard to copy: gaps between ids, long texts, NUL, zero dates, other scripts. */
export async function fillAwkwardly(store: SqlStore): Promise<void> {
  await createTables(store)
  const { database, tables } = store
  for (const table of movedTables) {
    const columns = columnNames(table)
    const values = (rows[table.name] ?? []).map((row) => columns.map((column) => row[column] ?? null))
    for (let start = 0; start < values.length; start += 200)
      await insert(store, tables[table.name], columns, values.slice(start, start + 200))
  }
  // As after the deletion of metadata with this id.
  await database.write(async (connection) => {
    for (const statement of database.dialect.maintenance.setLastId(tables.postmeta, 'meta_id', lastMetaId))
      await connection.execute(statement)
  })
}

/** Creates the tables, as a start does, without rows. */
export async function createTables(store: SqlStore): Promise<void> {
  await migrateDatabase(store)
}

export async function insert(
  { database }: SqlStore,
  table: string,
  columns: readonly string[],
  values: readonly (readonly SqlValue[])[],
): Promise<void> {
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  const statement = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.map(() => placeholders).join(', ')}`
  await database.write((connection) => connection.execute(statement, values.flat()))
}

/** All rows of all tables, as the database yields them, without the version of its schema. */
export async function allRows({ database, tables }: SqlStore): Promise<Readonly<Record<string, readonly SqlRow[]>>> {
  const all: Record<string, readonly SqlRow[]> = {}
  for (const table of movedTables) {
    const columns = columnNames(table)
    const order = columns.slice(0, table.keyLength).join(', ')
    const rows = await database.reader.query(
      `SELECT ${columns.join(', ')} FROM ${tables[table.name]} ORDER BY ${order}`,
    )
    all[table.name] = rows.filter((row) => row[1] !== 'as_rest_route_db_version')
  }
  return all
}
