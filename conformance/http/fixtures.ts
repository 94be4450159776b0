import { serialize } from '../../src/php/serialize.js'
import type { PostRow, Storage } from '../../src/database/storage.js'
import { readJson } from './read-json.js'

export interface FixtureUser {
  readonly id: number
  readonly login: string
  readonly email: string
  readonly password: string
  readonly role: string | null
  readonly display_name: string
  readonly application_passwords: readonly { readonly uuid: string; readonly name: string; readonly password: string }[]
  readonly revoked_application_passwords: readonly string[]
}

interface FixtureRecord {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly content: string
  readonly status: string
  readonly author: number
  readonly date: string
  readonly meta?: Readonly<Record<string, string>>
  readonly categories?: readonly string[]
}

/** `fixtures.json`: what the recorded site held. */
export interface Fixtures {
  readonly site: {
    readonly name: string
    readonly description: string
    readonly timezone: string
    readonly permalink_structure: string
    readonly rest_prefix: string
  }
  readonly keys: Readonly<Record<string, string>>
  readonly users: readonly FixtureUser[]
  readonly categories: readonly { readonly id: number; readonly name: string; readonly slug: string }[]
  readonly products: readonly FixtureRecord[]
  readonly posts: readonly FixtureRecord[]
  readonly pages: readonly FixtureRecord[]
}

/** @throws Error when the folder has no `fixtures.json`. */
export function readFixtures(folder: string): Fixtures {
  return readJson(folder, 'fixtures.json') as Fixtures
}

/** Hashes that take time are made once for a whole run. */
export interface Hashes {
  readonly password: (password: string) => Promise<string>
  readonly applicationPassword: (password: string) => string
}

/**
 * Fills an empty database with the fixtures, row by row, with their fixed ids and dates.
 * @param prefix of the table names.
 */
export async function loadFixtures(
  fixtures: Fixtures,
  storage: Storage,
  prefix: string,
  hashes: Hashes,
): Promise<void> {
  const passwords = new Map(
    await Promise.all(fixtures.users.map(async (user) => [user.login, await hashes.password(user.password)] as const)),
  )
  await storage.transaction(async (rows) => {
    await rows.options.write('using_application_passwords', '1')
    for (const user of fixtures.users) await insertUser(rows, user, prefix, passwords.get(user.login) ?? '', hashes)
    for (const { id, name, slug } of fixtures.categories)
      await rows.terms.insert({ term_id: id, name, slug, taxonomy: 'category' })
    for (const record of fixtures.products) await insertRecord(rows, record, 'product')
    for (const record of fixtures.posts) await insertRecord(rows, record, 'post')
    for (const record of fixtures.pages) await insertRecord(rows, record, 'page')
  })
}

async function insertUser(
  rows: Storage,
  user: FixtureUser,
  prefix: string,
  hash: string,
  hashes: Hashes,
): Promise<void> {
  const id = await rows.users.insert({
    ID: user.id,
    user_login: user.login,
    user_pass: hash,
    user_nicename: user.login,
    user_email: user.email,
    user_url: '',
    user_registered: '2024-01-01 00:00:00',
    user_activation_key: '',
    user_status: 0,
    display_name: user.display_name,
  })
  await rows.users.meta.add(id, 'nickname', user.login)
  await rows.users.meta.add(id, `${prefix}capabilities`, serialize(user.role === null ? {} : { [user.role]: true }))
  const list = user.application_passwords.map(({ uuid, name, password }) => ({
    uuid,
    app_id: '',
    name,
    password: hashes.applicationPassword(password),
    created: 1_704_067_200,
    last_used: null,
    last_ip: null,
  }))
  if (list.length > 0) await rows.users.meta.add(id, '_application_passwords', serialize(list))
}

async function insertRecord(rows: Storage, record: FixtureRecord, type: string): Promise<void> {
  const date = record.date.replace('T', ' ')
  const row: PostRow = {
    ID: record.id,
    post_author: record.author,
    post_date: date,
    post_date_gmt: date,
    post_content: record.content,
    post_title: record.title,
    post_excerpt: '',
    post_status: record.status,
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    post_name: record.slug,
    to_ping: '',
    pinged: '',
    post_modified: date,
    post_modified_gmt: date,
    post_content_filtered: '',
    post_parent: 0,
    guid: '',
    menu_order: 0,
    post_type: type,
    post_mime_type: '',
    comment_count: 0,
  }
  await rows.posts.insert(row)
  for (const [key, value] of Object.entries(record.meta ?? {})) await rows.posts.meta.add(record.id, key, value)
  const terms = await Promise.all((record.categories ?? []).map((slug) => rows.terms.find('category', { slug })))
  const ids = terms.flatMap((term) => (term ? [term.term_id] : []))
  if (ids.length > 0) await rows.posts.setTerms(record.id, 'category', ids)
}
