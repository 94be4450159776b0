import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AsRestRoute, currentUser, inject, RecordStore, RestResponse } from 'as-rest-route'
import { runHere } from '../cli/command-line.js'
import { withoutRowCache } from '../support/row-cache.js'
import { statementsOf } from '../support/counted-statements.js'
import { startService, type StartedService } from '../support/start-service.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import {
  siteUsers,
  skipWithoutWordPress,
  startWordPressSite,
  type WordPressSite,
} from '../support/wordpress/wordpress-site.js'
import { withoutResponseCache } from '../support/response-cache.js'

class Books {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'shop/v1', route: '/books', permission: 'public' })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'title', order: 'asc' })
    return new RestResponse(books.map(({ title, meta }) => [title, meta['pages']]))
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/cached', permission: 'public', cache: 600 })
  cached() {
    return this.list()
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/all', permission: 'public', cache: 600 })
  async all() {
    const books = await this.records.list({ type: 'book', per_page: -1 })
    return new RestResponse(books.map(({ id, title, meta }) => [id, title, meta['pages']]))
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse({ roles: currentUser().roles, publishes: currentUser().capabilities.has('publish_posts') })
  }
}

/** Registers books. With `?write`, a request writes one, and answers its id once that is committed. */
const plugin = `<?php
add_action( 'init', function () {
  register_post_type( 'book', array( 'public' => true ) );
  if ( ! isset( $_GET['write'] ) ) return;
  $id = (int) ( $_GET['id'] ?? 0 );
  $text = $_GET['text'] ?? '';
  switch ( $_GET['write'] ) {
    case 'insert': $id = wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => $text ) ); break;
    case 'update': wp_update_post( array( 'ID' => $id, 'post_title' => $text ) ); break;
    case 'meta': update_post_meta( $id, 'pages', (int) $text ); break;
    case 'sql': $GLOBALS['wpdb']->update( $GLOBALS['wpdb']->posts, array( 'post_title' => $text ), array( 'ID' => $id ) ); break;
    case 'delete': wp_delete_post( $id, true ); break;
  }
  echo $id;
  exit;
} );`

describe('tracking of the writes of WordPress', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  const services: StartedService[] = []
  let skipped: string | false = false
  before(async () => {
    site = await startWordPressSite({ prefix: 'Wp3_', plugins: { 'books.php': plugin }, phpProcesses: 4 })
    await site.php(
      "wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Emma', 'meta_input' => array( 'pages' => 400 ) ) );",
    )
    await install()
    const service = await start()
    skipped = await withoutRowCache(() => titles(service))
  })
  after(async () => {
    for (const service of services) await service.close()
    await site?.stop()
  })
  beforeEach(async () => {
    await command('remove-tracking')
  })

  const command = (name: string, ...words: string[]) =>
    runHere(['wordpress', name, '--wordpress', site.configPath, '--yes', ...words])
  const install = async () => {
    const { code, stderr } = await command('install-tracking')
    assert.equal(code, 0, stderr)
  }
  const start = async () => {
    const service = await startService([Books], {
      wordpress: { config: site.configPath },
      record_types: { book: { public: true, meta: { pages: { type: 'integer', default: 0 } } } },
    })
    services.push(service)
    return service
  }
  const read = async ({ rest }: StartedService, route: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${rest}shop/v1/${route}`, { headers })
    return (await response.json()) as unknown
  }
  const titles = async (service: StartedService, route = 'books') =>
    ((await read(service, route)) as [string, number][]).map(([title]) => title)
  /** The statements about records that a request needs. */
  const readsOf = async (service: StartedService, route = 'books') =>
    (await statementsOf(() => titles(service, route))).filter((text) => /Wp3_post/.test(text))
  const freshness = async (): Promise<string> => {
    const { stdout } = await runHere(['wordpress', 'check', '--wordpress', site.configPath, '--json'])
    return (JSON.parse(stdout) as { found: Record<string, string> }).found['freshness'] ?? ''
  }
  const warnings = ({ log }: StartedService) =>
    log.map(({ fields }) => fields['code']).filter((code) => code !== undefined)

  it('prints its SQL, and runs none of it without a confirmation', async () => {
    const { schema } = await site.dump()
    const { code, stdout, stderr } = await runHere(['wordpress', 'install-tracking', '--wordpress', site.configPath])
    assert.equal(code, 2)
    assert.match(stderr, /Nothing was changed.*\[wordpress-tracking-unconfirmed\]/)
    assert.match(stdout, /^CREATE TABLE IF NOT EXISTS Wp3_as_rest_route_versions/)
    assert.equal(stdout.match(/^CREATE TRIGGER Wp3_as_rest_route_\w+ AFTER/gm)?.length, 27)
    assert.deepEqual((await site.dump()).schema, schema)
  })

  it('the printed SQL does the same in a client of the server', async () => {
    const { stdout } = await runHere(['wordpress', 'install-tracking', '--wordpress', site.configPath])
    await foreignSql(site.database, ...stdout.split(/;\n+/).filter((statement) => statement.trim() !== ''))
    assert.match(await freshness(), /^tracking: triggers count each write/)
  })

  it('after remove-tracking the schema is what it was', async () => {
    const { schema } = await site.dump()
    await install()
    assert.equal(Object.keys((await site.dump()).schema).length, Object.keys(schema).length + 28)
    const { code, stdout } = await command('remove-tracking')
    assert.equal(code, 0)
    assert.match(stdout, /DROP TABLE Wp3_as_rest_route_versions/)
    assert.deepEqual((await site.dump()).schema, schema)
    assert.match((await command('remove-tracking')).stdout, /Nothing is installed/)
  })

  it('a request reads nothing again while nothing is written', async (context) => {
    if (skipped !== false) return context.skip(skipped)
    const untracked = await start()
    for (let count = 0; count < 3; count += 1) await titles(untracked)
    const without = await readsOf(untracked)
    assert.ok(without.length > 0)
    await untracked.close()
    await install()
    const service = await start()
    for (let count = 0; count < 3; count += 1) await titles(service)
    assert.deepEqual(await readsOf(service), [])
  })

  const writes: readonly [what: string, code: string, expected: string[]][] = [
    [
      'a new record',
      "wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Ada' ) );",
      ['Ada', 'Emma'],
    ],
    [
      'a changed title',
      "wp_update_post( array( 'ID' => get_page_by_title( 'Ada', OBJECT, 'book' )->ID, 'post_title' => 'Ida' ) );",
      ['Emma', 'Ida'],
    ],
    ['a record in the trash', "wp_trash_post( get_page_by_title( 'Ida', OBJECT, 'book' )->ID );", ['Emma']],
  ]
  it('each write of PHP is seen by the next request, also by one that is cached', async () => {
    await install()
    const service = await start()
    for (const [what, code, expected] of writes) {
      for (let count = 0; count < 3; count += 1) await Promise.all([titles(service), titles(service, 'cached')])
      await site.php(code)
      assert.deepEqual([await titles(service), await titles(service, 'cached')], [expected, expected], what)
    }
    const pages = async (count: number) => {
      await site.php("update_post_meta( get_page_by_title( 'Emma', OBJECT, 'book' )->ID, 'pages', $argument );", count)
      assert.deepEqual(await read(service, 'cached'), [['Emma', count]])
    }
    for (const count of [401, 402, 400]) await pages(count)
  })

  it('no write that PHP has acknowledged is missing, while others write and the table is altered', async () => {
    await install()
    const service = await start()
    const write = async (parameters: Record<string, string>) => {
      const response = await fetch(`${site.url}/?${new URLSearchParams(parameters)}`)
      return response.text()
    }
    const bookOf = async (id: string) =>
      ((await read(service, 'all')) as [number, string, number][]).find(([number]) => number === Number(id))
    const writer = async (name: string) => {
      for (let count = 1; count <= 6; count += 1) {
        const id = await write({ write: 'insert', text: `${name} ${count}` })
        assert.deepEqual(await bookOf(id), [Number(id), `${name} ${count}`, 0])
        await write({ write: 'update', id, text: `${name} updated` })
        assert.deepEqual(await bookOf(id), [Number(id), `${name} updated`, 0])
        await write({ write: 'meta', id, text: String(count) })
        assert.deepEqual(await bookOf(id), [Number(id), `${name} updated`, count])
        await write({ write: 'sql', id, text: `${name} by SQL` })
        assert.deepEqual(await bookOf(id), [Number(id), `${name} by SQL`, count])
        await write({ write: 'delete', id })
        assert.equal(await bookOf(id), undefined)
      }
    }
    const altering = async () => {
      for (const change of ['ADD COLUMN extra INT DEFAULT 7', 'DROP COLUMN extra', 'ENGINE=InnoDB'])
        await foreignSql(site.database, `ALTER TABLE Wp3_posts ${change}`)
    }
    await Promise.all([writer('one'), writer('two'), writer('three'), altering()])
  })

  it('a write of another type leaves a cached response in place', { skip: withoutResponseCache }, async () => {
    await install()
    const service = await start()
    for (let count = 0; count < 3; count += 1) await titles(service, 'cached')
    await site.php("wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'News' ) );")
    assert.deepEqual(await readsOf(service, 'cached'), [])
  })

  it('a role and a session that PHP ends count with the next request', async () => {
    await install()
    const service = await start()
    const cookie = await site.logIn(siteUsers.author)
    const headers = { cookie, 'x-wp-nonce': await site.restNonce(cookie) }
    for (let count = 0; count < 3; count += 1)
      assert.deepEqual(await read(service, 'me', headers), { roles: ['author'], publishes: true })
    await site.php("get_user_by( 'login', 'author' )->add_cap( 'publish_posts', false );")
    assert.deepEqual(await read(service, 'me', headers), { roles: ['author'], publishes: false })
    await site.php("get_user_by( 'login', 'author' )->remove_cap( 'publish_posts' );")
    await site.php("WP_Session_Tokens::get_instance( get_user_by( 'login', 'author' )->ID )->destroy_all();")
    const ended = (await read(service, 'me', headers)) as { publishes?: boolean }
    assert.notEqual(ended.publishes, true)
  })

  it('a write of a transaction that is rolled back changes nothing', async () => {
    await install()
    const service = await start()
    for (let count = 0; count < 3; count += 1) await titles(service, 'cached')
    await foreignSql(site.database, 'START TRANSACTION', "UPDATE Wp3_posts SET post_title = 'No'", 'ROLLBACK')
    assert.deepEqual(await readsOf(service, 'cached'), [])
  })

  it('a running service notices remove-tracking, and keeps nothing from then on', async (context) => {
    if (skipped !== false) return context.skip(skipped)
    await install()
    const service = await start()
    for (let count = 0; count < 3; count += 1) await titles(service)
    await command('remove-tracking')
    await foreignSql(site.database, "UPDATE Wp3_posts SET post_title = 'Sofia' WHERE post_title = 'Emma'")
    assert.deepEqual(await titles(service), ['Sofia'])
    await foreignSql(site.database, "UPDATE Wp3_posts SET post_title = 'Emma' WHERE post_title = 'Sofia'")
    assert.deepEqual(await titles(service), ['Emma'])
    assert.deepEqual(warnings(service), ['wordpress-tracking-gone'])
  })

  it('a running service notices within a second that another program has dropped a trigger', async (context) => {
    if (skipped !== false) return context.skip(skipped)
    await install()
    const service = await start()
    for (let count = 0; count < 3; count += 1) await titles(service)
    await foreignSql(site.database, 'DROP TRIGGER Wp3_as_rest_route_posts_update')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await foreignSql(site.database, "UPDATE Wp3_posts SET post_title = 'Sofia' WHERE post_title = 'Emma'")
    assert.deepEqual(await titles(service), ['Sofia'])
    assert.deepEqual(warnings(service), ['wordpress-tracking-gone'])
    await foreignSql(site.database, "UPDATE Wp3_posts SET post_title = 'Emma' WHERE post_title = 'Sofia'")
  })

  it('a start keeps nothing while a trigger is missing, and check says so until it is installed again', async () => {
    await install()
    await foreignSql(site.database, 'DROP TRIGGER Wp3_as_rest_route_usermeta_delete')
    const service = await start()
    assert.deepEqual(warnings(service), ['wordpress-tracking-incomplete'])
    for (let count = 0; count < 3; count += 1) await titles(service)
    assert.notDeepEqual(await readsOf(service), [])
    const { stdout } = await runHere(['wordpress', 'check', '--wordpress', site.configPath])
    assert.match(
      stdout,
      /warning: Tracking is incomplete: not every write .* missing.*: Wp3_as_rest_route_usermeta_delete\./,
    )
    await install()
    assert.match(await freshness(), /^tracking: /)
  })

  it('a trigger that another program has changed or moved is noticed, and install-tracking creates it again', async (context) => {
    if (skipped !== false) return context.skip(skipped)
    const name = 'Wp3_as_rest_route_posts_update'
    const spoilings: readonly (readonly [what: string, ...statements: string[]])[] = [
      [
        'another body',
        `DROP TRIGGER ${name}`,
        `CREATE TRIGGER ${name} AFTER UPDATE ON Wp3_posts FOR EACH ROW SET @a = 1`,
      ],
      [
        'another event',
        `DROP TRIGGER ${name}`,
        `CREATE TRIGGER ${name} AFTER INSERT ON Wp3_posts FOR EACH ROW SET @a = 1`,
      ],
      [
        'another table, after the table was replaced by a copy',
        'RENAME TABLE Wp3_posts TO Wp3_old',
        'CREATE TABLE Wp3_posts LIKE Wp3_old',
        'INSERT INTO Wp3_posts SELECT * FROM Wp3_old',
      ],
    ]
    for (const [what, ...statements] of spoilings) {
      await install()
      const running = await start()
      for (let count = 0; count < 3; count += 1) await titles(running)
      await foreignSql(site.database, ...statements)
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await foreignSql(site.database, "UPDATE Wp3_posts SET post_title = 'Sofia' WHERE post_title = 'Emma'")
      assert.deepEqual(await titles(running), ['Sofia'], what)
      assert.deepEqual(warnings(running), ['wordpress-tracking-gone'], what)
      assert.deepEqual(warnings(await start()), ['wordpress-tracking-incomplete'], what)
      const { stdout } = await runHere(['wordpress', 'check', '--wordpress', site.configPath])
      assert.match(
        stdout,
        /warning: Tracking is incomplete: not every write .* not those that install-tracking creates: .*posts_update/,
        what,
      )
      await install()
      assert.match(await freshness(), /^tracking: /, what)
      const service = await start()
      for (let count = 0; count < 3; count += 1) await titles(service)
      await foreignSql(site.database, "UPDATE Wp3_posts SET post_title = 'Emma' WHERE post_title = 'Sofia'")
      assert.deepEqual(await titles(service), ['Emma'], what)
      assert.deepEqual(warnings(service), [], what)
      await foreignSql(site.database, 'DROP TABLE IF EXISTS Wp3_old')
    }
    await foreignSql(site.database, ...(spoilings[0]?.slice(1) ?? []))
    assert.equal((await command('remove-tracking')).code, 0)
    assert.ok(!JSON.stringify((await site.dump()).schema).includes('as_rest_route'))
  })

  it('names the rights that are missing in one line, and leaves nothing behind', async () => {
    const name = new URL(site.database).pathname.slice(1)
    const user = `limited_${name.slice(-8)}`
    const { schema } = await site.dump()
    await foreignSql(
      site.database,
      `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'limited'`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON \`${name}\`.* TO ${user}@'127.0.0.1'`,
    )
    const variables = { WORDPRESS_DB_USER: user, WORDPRESS_DB_PASSWORD: 'limited' }
    Object.assign(process.env, variables)
    try {
      const refused = await command('install-tracking')
      assert.equal(refused.code, 1)
      assert.ok(
        refused.stderr.includes(`GRANT CREATE, TRIGGER, DROP ON \`${name}\`.* TO '${user}'@'127.0.0.1'`),
        refused.stderr,
      )
      await foreignSql(site.database, `GRANT CREATE, DROP ON \`${name}\`.* TO ${user}@'127.0.0.1'`)
      const half = await command('install-tracking')
      assert.ok(half.stderr.includes(`GRANT TRIGGER ON \`${name}\`.* TO '${user}'@'127.0.0.1'`), half.stderr)
      assert.deepEqual((await site.dump()).schema, schema)
      await foreignSql(site.database, `GRANT TRIGGER ON \`${name}\`.* TO ${user}@'127.0.0.1'`)
      assert.equal((await command('install-tracking')).code, 0)
      assert.match(await freshness(), /^tracking: /)
      assert.equal((await command('remove-tracking')).code, 0)
      assert.deepEqual((await site.dump()).schema, schema)
    } finally {
      for (const variable of Object.keys(variables)) delete process.env[variable]
      await foreignSql(site.database, `DROP USER ${user}@'127.0.0.1'`)
    }
  })

  it('refuses a table without transactions', async () => {
    await foreignSql(site.database, 'ALTER TABLE Wp3_termmeta ENGINE=MyISAM')
    try {
      const { code, stderr } = await command('install-tracking')
      assert.equal(code, 1)
      assert.match(stderr, /Wp3_termmeta \(MyISAM\) have no transactions.*ALTER TABLE Wp3_termmeta ENGINE=InnoDB/)
    } finally {
      await foreignSql(site.database, 'ALTER TABLE Wp3_termmeta ENGINE=InnoDB')
    }
  })

  it('counts writes to tables of three bytes a character and of another collation', async () => {
    for (const charset of ['utf8mb3 COLLATE utf8mb3_general_ci', 'utf8mb4 COLLATE utf8mb4_unicode_ci']) {
      await command('remove-tracking')
      for (const table of ['posts', 'postmeta', 'terms', 'term_taxonomy', 'options', 'users', 'usermeta'])
        await foreignSql(site.database, `ALTER TABLE Wp3_${table} CONVERT TO CHARACTER SET ${charset}`)
      await install()
      const service = await start()
      for (let count = 0; count < 3; count += 1) await titles(service, 'cached')
      await site.php(
        "wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Ada' ) );",
      )
      assert.deepEqual(await titles(service, 'cached'), ['Ada', 'Emma'])
      await site.php("wp_delete_post( get_page_by_title( 'Ada', OBJECT, 'book' )->ID, true );")
      assert.deepEqual(await titles(service, 'cached'), ['Emma'])
    }
  })
})
