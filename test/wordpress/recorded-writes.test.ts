import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createConnection } from 'mysql2/promise'
import { AsRestRoute, currentUser, inject, RestResponse, SiteOptions, Terms } from 'as-rest-route'
import { callerOfRole } from '../../src/auth/capabilities.js'
import { runAs } from '../../src/auth/current-user.js'
import { defaultRoles } from '../../src/auth/default-roles.js'
import { mapOf } from '../../src/auth/grants.js'
import { Sessions } from '../../src/auth/sessions.js'
import { openStorage } from '../../src/app/stores.js'
import { resolveOptions } from '../../src/app/resolve-options.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { serialize } from '../../src/php/serialize.js'
import { connectionOptions, foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { freshDatabase, type FreshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { startService, type StartedService } from '../support/start-service.js'
import { comparableRows, differingRows } from '../support/wordpress/comparable-rows.js'
import { dumpDatabase } from '../support/wordpress/database-dump.js'
import { siteConfig } from '../support/wordpress/site-config.js'
import { until } from '../support/until.js'

/** The statements of each operation, by its name. */
const recorded = new Map(
  readFileSync(new URL('recorded-writes.sql', import.meta.url), 'utf8')
    .split(/^--- /m)
    .slice(1)
    .map((section): [string, readonly string[]] => {
      const [name = '', ...lines] = section.split('\n')
      const statements = lines.join('\n').split(/;$/m)
      return [name, statements.map((statement) => statement.trim()).filter(Boolean)]
    }),
)

const home = 'https://site.example'
const today = (): string => new Date().toISOString().slice(0, 19).replace('T', ' ')

/** A statement with values of now. The times in it ascend, because WordPress has tasks by time. */
function withValues(statement: string): string {
  let time = Math.floor(Date.now() / 1000)
  return statement
    .replaceAll('<now>', today)
    .replaceAll('<time>', () => String((time += 1)))
    .replaceAll('<uuid>', () => randomUUID())
    .replaceAll('<sha256>', () => randomBytes(32).toString('hex'))
    .replaceAll('$generic$<hash>', () => `$generic$${randomBytes(30).toString('base64url')}`)
    .replaceAll('$wp$2y$<hash>', () => `$wp$2y$10$${randomBytes(40).toString('hex').slice(0, 53)}`)
}

/** A site after its installation, as far as a service reads it: with the ids that the recording has. */
function installed(): readonly string[] {
  const roles = mapOf(
    [...defaultRoles].map(([name, { label, capabilities }]) => [
      name,
      { name: label, capabilities: mapOf(capabilities) },
    ]),
  )
  const tasks = {
    1900000000: {
      wp_version_check: { '40cd750bba9870f18aada2478b24840a': { schedule: 'daily', args: [], interval: 86_400 } },
    },
  }
  const options: Readonly<Record<string, readonly [value: string, autoload: string]>> = {
    siteurl: [home, 'on'],
    home: [home, 'on'],
    blogname: ['A', 'on'],
    permalink_structure: ['/%postname%/', 'on'],
    gmt_offset: ['0', 'on'],
    default_category: ['1', 'on'],
    default_comment_status: ['open', 'on'],
    default_ping_status: ['open', 'on'],
    default_pingback_flag: ['1', 'on'],
    sticky_posts: ['a:0:{}', 'on'],
    db_version: ['61833', 'on'],
    wp_user_roles: [serialize(roles), 'on'],
    cron: [serialize({ ...tasks, version: 2 }), 'on'],
    fresh_site: ['1', 'off'],
    user_count: ['1', 'off'],
  }
  const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`
  const rows = Object.entries(options).map(
    ([name, [value, autoload]]) => `(${[name, value, autoload].map(text).join()})`,
  )
  const meta = [
    ['wp_capabilities', 'a:1:{s:13:"administrator";b:1;}'],
    // By it a service knows a WordPress 7.1.
    ['infinite_scrolling', 'true'],
    ...Array.from({ length: 14 }, (_, at) => [`k${at}`, '']),
  ]
  const posts = [1, 2, 3].map(
    (id) => `(${id}, 1, '${id === 1 ? 'post' : 'page'}', 'p${id}', '', '', '', '', '', '', 'publish')`,
  )
  return [
    ...(recorded.get('Tables, of comments and links only the columns that are used') ?? []),
    `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ${rows.join()}`,
    `INSERT INTO wp_users (user_login, user_pass, user_nicename, user_email, display_name) VALUES ('admin', '', 'admin', 'admin@site.example', 'admin')`,
    `INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES ${meta.map(([key = '', value = '']) => `(1, ${text(key)}, ${text(value)})`).join()}`,
    `INSERT INTO wp_posts (ID, post_author, post_type, post_name, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_status) VALUES ${posts.join()}`,
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (2, '_wp_page_template', 'default'), (3, '_wp_page_template', 'default')`,
    `INSERT INTO wp_terms (name, slug) VALUES ('Uncategorized', 'uncategorized')`,
    `INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, count) VALUES (1, 'category', '', 1)`,
    `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1, 1)`,
    `INSERT INTO wp_links (link_owner) VALUES (1)`,
  ]
}

/** What the handlers of the service inject. */
let injected: { readonly terms: Terms; readonly options: SiteOptions }
class Tools {
  constructor(terms = inject(Terms), options = inject(SiteOptions)) {
    injected = { terms, options }
  }

  @AsRestRoute({ namespace: 'own/v1', route: '/user', permission: 'public' })
  user() {
    return new RestResponse(currentUser().login)
  }
}

describe('the writes that are recorded of WordPress 7.1', { skip: skipWithoutServer('mariadb') }, () => {
  /** In the one the recorded statements are carried out, in the other the service does the same. */
  let theirs: FreshDatabase
  let ours: FreshDatabase
  let service: StartedService
  let storage: OpenedStorage
  const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-recorded-'))
  const done = new Set(['Tables, of comments and links only the columns that are used'])
  before(async () => {
    const databases = await Promise.all([freshDatabase('mariadb'), freshDatabase('mariadb')])
    for (const database of databases) assert.ok(database)
    ;[theirs, ours] = databases as [FreshDatabase, FreshDatabase]
    for (const { url } of [theirs, ours]) await foreignSql(url, ...installed())
    const config = join(folder, 'wp-config.php')
    writeFileSync(config, siteConfig({ database: ours.url, prefix: 'wp_', charset: 'utf8mb4', lines: [] }))
    const supports = ['title', 'editor', 'excerpt'] as const
    service = await startService([Tools], {
      trusted_proxies: ['127.0.0.1'],
      wordpress: { config },
      record_types: {
        product: {
          public: true,
          supports,
          taxonomies: ['category'],
          meta: { price: { type: 'number' }, sizes: { type: 'array' } },
        },
        book: { public: true, supports: [...supports, 'revisions'] },
      },
      site_options: {
        blogname: { type: 'string' },
        sticky_posts: { type: 'array', items: { type: 'integer' } },
        my_option: { type: 'object' },
      },
    })
    const { options } = resolveOptions({ wordpress: { config } }, { file: null, options: {} })
    storage = await openStorage(options, 'change')
  })
  after(async () => {
    await storage?.close()
    await service?.close()
    await theirs?.drop()
    await ours?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  // A row of metadata of users that only one of them has takes an id, see `wp_insert_user`.
  const rowsOf = async ({ url }: FreshDatabase) => comparableRows(await dumpDatabase(url), home, ['umeta_id'])
  const compare = async () => assert.deepEqual(differingRows(await rowsOf(ours), await rowsOf(theirs)), [])
  const statementsOf = (name: string): readonly string[] => {
    const statements = recorded.get(name)
    assert.ok(statements, `There is no operation '${name}'.`)
    done.add(name)
    return statements.map(withValues)
  }
  const administrator = { caller: { ...callerOfRole('administrator', defaultRoles), id: 1 }, can: async () => true }

  /**
   * Carries out the statements of an operation in one database, and does the same by the service in the other.
   * @param differences statements after which another version of WordPress would have written what the service writes.
   */
  const same = (name: string, here: () => Promise<unknown>, differences: readonly string[] = []) =>
    it(name, async () => {
      await foreignSql(theirs.url, ...statementsOf(name), ...differences)
      await runAs(administrator, here)
      await compare()
    })
  /** What the service does not do is done in both by SQL. */
  const onlyThere = (name: string, reason: string, statements = () => statementsOf(name)) =>
    it(`${name}: ${reason}`, async () => {
      const carriedOut = statements()
      for (const { url } of [theirs, ours]) await foreignSql(url, ...carriedOut)
      await compare()
    })

  const records = () => service.service.records
  const users = () => service.service.users
  const passwords = () => service.service.applicationPasswords
  const own = { author: 1, content: 'x' } as const

  it('both begin equal', compare)

  same('Insert a published product with metadata: wp_insert_post with meta_input', () =>
    records().insert({ ...own, type: 'product', status: 'publish', title: 'Hello Wörld', meta: { price: 3 } }),
  )
  same('Insert a draft product', () => records().insert({ ...own, type: 'product', title: 'Draft title' }))
  same('Publish that draft: wp_update_post with post_status', () => records().update(5, { status: 'publish' }))
  same('Insert a scheduled product (date in the future)', () =>
    records().insert({ ...own, type: 'product', status: 'publish', title: 'Later', date: '2030-01-01 00:00:00' }),
  )
  same('Insert a second product of the same title (slug with a number)', () =>
    records().insert({ ...own, type: 'product', status: 'publish', title: 'Hello Wörld' }),
  )
  same('Update a title', () => records().update(4, { title: 'New' }))
  // Here metadata are changed with their record, whose time of change WordPress leaves alone: both times are of this run.
  same('Update metadata: update_post_meta, value changes', () => records().update(4, { meta: { price: 4 } }))
  same('Update metadata: same value again', () => records().update(4, { meta: { price: 4 } }))
  same('Update metadata: an array', () =>
    records().update(4, { meta: { sizes: ['s', 'm', { x: 1.5, y: true, z: null }] } }),
  )
  same('Delete metadata: delete_post_meta', () => records().update(4, { remove_meta: ['sizes'] }))
  same('Set terms by name, one new: wp_set_object_terms', async () => {
    for (const name of ['Shoes', 'Hats']) await injected.terms.create({ name })
    await records().update(4, { terms: { category: ['shoes', 'hats'] } })
  })
  same('Replace terms by one of them', () => records().update(4, { terms: { category: ['shoes'] } }))
  same('Change a slug of a published product', () => records().update(4, { slug: 'other' }))
  same('Change the slug back', () => records().update(4, { slug: 'hello-world' }))
  same('Trash: wp_trash_post', () => records().update(4, { status: 'trash' }))
  same('Untrash: wp_untrash_post', () => records().update(4, { status: 'draft' }))
  same('Delete for good: wp_delete_post with force', () => records().delete(4))

  same('Insert a book (a type with revisions)', () =>
    records().insert({ ...own, type: 'book', status: 'publish', title: 'B' }),
  )
  same('Update the content of the book', () => records().update(8, { content: 'y' }))
  same('Update only its status (publish to private)', () => records().update(8, { status: 'private' }))
  same('Delete the book with its revisions', () => records().delete(8))

  same('Insert a post (type post, with default category)', () =>
    records().insert({ ...own, type: 'post', status: 'publish', title: 'P' }),
  )
  same('Make it sticky: stick_post', () => injected.options.set('sticky_posts', [10]))
  same('Delete the post', () => records().delete(10))

  same('Insert a term: wp_insert_term with a parent', () => injected.terms.create({ name: 'Boots', parent: 2 }))
  onlyThere('Update a term', 'the service changes no term')
  onlyThere('Delete a term that has products', 'the service deletes no term')

  let password = ''
  same('Create an application password (first of the site)', async () => {
    ;({ password } = await passwords().create(1, { name: 'n' }))
  })
  same('Create a second one', () => passwords().create(1, { name: 'second' }))
  const uuidOf = async (name: string) => (await passwords().list(1)).find((each) => each.name === name)?.uuid ?? ''
  same('Rename one', async () => passwords().rename(1, await uuidOf('n'), 'renamed'))
  const use = async () => {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
    const request = new Request(`${home}/wp-json/own/v1/user`, { headers: { authorization } })
    const response = await service.service.fetch(request, { address: '192.0.2.7', secure: true })
    assert.equal(await response.json(), 'admin')
  }
  same('Record a use', use)
  same('Record a use again within 24 hours', use)
  same('Delete one application password', async () => passwords().revoke(1, await uuidOf('renamed')))
  same('Delete all application passwords', () => passwords().revokeAll(1))

  const sessions = () => new Sessions(storage, Date.now)
  const logIn = () =>
    sessions().create(1, {
      expiration: Math.floor(Date.now() / 1000) + 172_800,
      address: '192.0.2.7',
      userAgent: 'agent',
    })
  same('Log in: wp_signon', logIn)
  same('Log in a second time', logIn)
  // The recording begins with a third login.
  same('End all other sessions: destroy_others', async () => sessions().endOthers(1, await logIn()))
  same('End all sessions: destroy_all', () => sessions().endAll(1))

  same('Create a user: wp_insert_user', () =>
    users().create({ login: 'Bob Smith', email: 'Bob@Site.example', password: 'a password', role: 'author' }),
  )
  same('Change the role: set_role', () => users().update(2, { role: 'editor' }))
  onlyThere('Add a capability: add_cap', 'the service adds no capability to a single user')
  same('Change e-mail and display name: wp_update_user', () =>
    users().update(2, { email: 'b2@site.example', displayName: 'B' }),
  )
  same('Change the password: wp_update_user with user_pass', () => users().update(2, { password: 'another' }))
  same('Set a password: wp_set_password', () => users().update(2, { password: 'a third' }))
  same('Ask for a reset: get_password_reset_key', async () => {
    const body = new URLSearchParams({ user_login: 'Bob Smith' })
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.1' }
    const options = { method: 'POST', body, headers, redirect: 'manual' } as const
    const { headers: sent } = await fetch(`${service.url}/wp-login.php?action=lostpassword`, options)
    assert.match(sent.get('location') ?? '', /checkemail=confirm/)
    // The link is made after the response.
    await until(async () => (await storage.users.find({ id: 2 }))?.user_activation_key !== '')
  })
  const post = `INSERT INTO wp_posts (post_author, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered) VALUES (2, 'Of Bob', '', '', '', '', '')`
  const link = 'UPDATE wp_links SET link_owner = 2'
  onlyThere('A post and a link of the user', 'the recording begins with them', () => [post, link])
  same('Delete a user who has a post, and give it to user 1: wp_delete_user', () => users().delete(2, { reassign: 1 }))
  onlyThere('Another user', 'the recording begins with this user', () =>
    statementsOf('Create a user: wp_insert_user').map((statement) => statement.replaceAll('(2, ', '(3, ')),
  )
  same('Delete a user without posts', () => users().delete(3))

  same('Change an autoloaded option', () => injected.options.set('blogname', 'Z'))
  same('Add an option', () => injected.options.set('my_option', { a: 1 }), [
    // The recording asks for an option that is not loaded with every request. By default WordPress decides.
    "UPDATE wp_options SET autoload = 'auto' WHERE option_name = 'my_option'",
  ])
  same('Delete an option', () => injected.options.delete('my_option'))
  it('Register a role: add_role: the service declares its roles at its start, and has none of its own here', () =>
    void done.add('Register a role: add_role'))

  it('writes of other users do not wait for a row of the preferences of user 1', async () => {
    const [[id] = []] = await foreignSql(
      ours.url,
      // With few users, the server would find the rows of one of them by the key, and lock those of all.
      `INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT seq, 'infinite_scrolling', 'true' FROM seq_1000_to_1200`,
      `SELECT umeta_id FROM wp_usermeta WHERE user_id = 1 AND meta_key = 'infinite_scrolling'`,
    )
    const connection = await createConnection(connectionOptions(ours.url))
    try {
      await connection.query('START TRANSACTION')
      await connection.query(`SELECT umeta_id FROM wp_usermeta WHERE umeta_id = ${id} FOR UPDATE`)
      const user = await users().create({ login: 'cleo', email: 'cleo@site.example', password: 'a password' })
      await users().update(user.id, { displayName: 'Cleo' })
    } finally {
      connection.destroy()
    }
  })

  it('no operation is left out', () =>
    assert.deepEqual(
      [...recorded.keys()].filter((name) => !done.has(name)),
      [],
    ))
})
