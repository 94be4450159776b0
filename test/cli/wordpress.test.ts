import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openWordPress } from '../../src/database/mysql/open-wordpress.js'
import { rightsIn } from '../../src/database/mysql/wordpress-rights.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { startServer } from '../support/servers/start-server.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'
import { emptyFolder, endAll, removeFolders, run, runHere } from './command-line.js'

after(() => {
  endAll()
  removeFolders()
})

interface Report {
  readonly found: Readonly<Record<string, string>>
  readonly problems: readonly { readonly severity: string; readonly message: string }[]
}

describe('commands for a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  before(async () => {
    site = await startWordPressSite({ prefix: 'Wp1_' })
  })
  after(() => site?.stop())

  const check = async (env: Readonly<Record<string, string>> = {}) => {
    const words = ['wordpress', 'check', '--wordpress', site.configPath, '--json']
    const { code, stdout, stderr } = await run(words, { cwd: emptyFolder(), env })
    return { code, stderr, ...(JSON.parse(stdout || '{"found":{},"problems":[]}') as Report) }
  }
  const changed = async (statement: string, undo: string, work: () => Promise<void>) => {
    await foreignSql(site.database, statement)
    try {
      await work()
    } finally {
      await foreignSql(site.database, undo)
    }
  }

  it('check shows what the site is, and finds no problem in it', async () => {
    const { code, found, problems } = await check()
    assert.equal(code, 0)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      [found['siteurl'], found['prefix'], found['permalinks'], found['db_version'], found['keys and salts']],
      [site.url, 'Wp1_', '/%postname%/', String(site.dbVersion), '8 wp-config.php'],
    )
    assert.match(found['roles'] ?? '', /^administrator, editor, author/)
    assert.match(found['record types'] ?? '', /page \(2\), post \(1\)/)
  })

  it('check changes nothing', async () => {
    const dump = await site.dump()
    await check()
    assert.deepEqual(await site.dump(), dump)
  })

  it('check prints no secret', async () => {
    const { stdout } = await runHere(['wordpress', 'check', '--wordpress', site.configPath])
    const secrets = (await site.php('return array( DB_PASSWORD, AUTH_KEY, NONCE_SALT );')) as string[]
    for (const secret of secrets) assert.ok(!stdout.includes(secret))
    assert.match(stdout, /No problem was found\./)
  })

  const faults: readonly [what: string, statement: string, undo: string, message: RegExp][] = [
    [
      'roles that cannot be read',
      `UPDATE Wp1_options SET option_value = CONCAT(option_value, 'x') WHERE option_name = 'Wp1_user_roles'`,
      `UPDATE Wp1_options SET option_value = LEFT(option_value, CHAR_LENGTH(option_value) - 1) WHERE option_name = 'Wp1_user_roles'`,
      /Wp1_user_roles cannot be read/,
    ],
    [
      'an old version',
      `UPDATE Wp1_options SET option_value = option_value - 30000 WHERE option_name = 'db_version'`,
      `UPDATE Wp1_options SET option_value = option_value + 30000 WHERE option_name = 'db_version'`,
      /WordPress 5\.6 .* is needed/,
    ],
    [
      'a table in latin1',
      'ALTER TABLE Wp1_terms CONVERT TO CHARACTER SET latin1',
      'ALTER TABLE Wp1_terms CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      /Wp1_terms \(latin1\) is not in Unicode/,
    ],
    [
      'a column in latin1',
      'ALTER TABLE Wp1_posts MODIFY post_title text CHARACTER SET latin1 NOT NULL',
      'ALTER TABLE Wp1_posts CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      /Wp1_posts \(latin1\) is not in Unicode/,
    ],
    [
      'a missing table',
      'RENAME TABLE Wp1_terms TO Wp1_away',
      'RENAME TABLE Wp1_away TO Wp1_terms',
      /no tables Wp1_terms/,
    ],
    [
      'a missing table of metadata',
      'RENAME TABLE Wp1_termmeta TO Wp1_away',
      'RENAME TABLE Wp1_away TO Wp1_termmeta',
      /no tables Wp1_termmeta/,
    ],
  ]
  for (const [what, statement, undo, message] of faults)
    it(`check ends with 1 for ${what}`, () =>
      changed(statement, undo, async () => {
        const { code, problems, stderr } = await check()
        assert.equal(code, 1)
        assert.deepEqual(problems.filter(({ severity }) => severity === 'error').length, 1)
        assert.match(problems[0]?.message ?? '', message)
        assert.match(stderr, /\[wordpress-unusable\]/)
      }))

  it('check finds nothing in a table whose columns are in Unicode, whatever charset new columns would have', () =>
    changed(
      'ALTER TABLE Wp1_posts DEFAULT CHARACTER SET latin1',
      'ALTER TABLE Wp1_posts DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      async () => {
        const { code, problems } = await check()
        assert.deepEqual([code, problems], [0, []])
      },
    ))

  it('check ends with 1 for a network', async () => {
    const { code, problems } = await check({ WORDPRESS_MULTISITE: 'true' })
    assert.equal(code, 1)
    assert.match(problems[0]?.message ?? '', /network \(MULTISITE\)/)
  })

  it('check ends with 1 for keys that are nowhere, and counts those of old names', async () => {
    const missing = await check({ WORDPRESS_NONCE_SALT: '' })
    assert.equal(missing.code, 1)
    assert.deepEqual(
      missing.problems.map(({ severity }) => severity),
      ['error'],
    )
    assert.match(missing.problems[0]?.message ?? '', /^NONCE_SALT are neither in wp-config\.php nor in the options/)
    const old = await check({ WORDPRESS_NONCE_KEY: '', WORDPRESS_SECRET_KEY: 'of WordPress 2.6' })
    assert.deepEqual([old.code, old.problems, old.found['keys and salts']], [0, [], '8 wp-config.php'])
  })

  it('check ends with 1 for a server that is read-only, on which no service starts', async () => {
    const server = await startServer('mariadb', ['read-only=1'])
    assert.ok(server)
    try {
      const { host, username, password, pathname } = new URL(server.url)
      const env = {
        WORDPRESS_DB_HOST: host,
        WORDPRESS_DB_USER: decodeURIComponent(username),
        WORDPRESS_DB_PASSWORD: decodeURIComponent(password),
        WORDPRESS_DB_NAME: pathname.slice(1),
      }
      const { code, problems } = await check(env)
      assert.equal(code, 1)
      const [problem] = problems.filter(({ message }) => /The server is read-only/.test(message))
      assert.equal(problem?.severity, 'error')
      await assert.rejects(openWordPress(server.url, { prefix: 'Wp1_', users: null, usermeta: null }), /read-only/)
    } finally {
      await server.drop()
    }
  })

  it('check says what the companion plugin means for the age of responses', async () => {
    const plugin = join(site.folder, 'wp-content/mu-plugins/as-rest-route.php')
    const freshness = async (env: Readonly<Record<string, string>> = {}) => (await check(env)).found['freshness'] ?? ''
    assert.doesNotMatch(await freshness({ WORDPRESS_AS_REST_ROUTE_URL: 'http://127.0.0.1:8080' }), /companion/)
    writeFileSync(plugin, '<?php')
    try {
      assert.match(await freshness(), /companion plugin reports no write.*AS_REST_ROUTE_URL/)
      assert.match(
        await freshness({ WORDPRESS_AS_REST_ROUTE_URL: 'http://127.0.0.1:8080' }),
        /companion plugin reports writes of PHP to http:\/\/127\.0\.0\.1:8080, .* if a report is lost, they end after their declared seconds/,
      )
    } finally {
      rmSync(plugin)
    }
  })

  it('check warns of what works in part: rights, an engine, an object cache, plain permalinks, another charset of pages', async () => {
    const cache = join(site.folder, 'wp-content/object-cache.php')
    const { pathname } = new URL(site.database)
    const user = `reader_${pathname.slice(-8)}`
    await foreignSql(
      site.database,
      `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'reader'`,
      `GRANT SELECT ON \`${pathname.slice(1)}\`.* TO ${user}@'127.0.0.1'`,
      'ALTER TABLE Wp1_postmeta ENGINE=MyISAM, CONVERT TO CHARACTER SET utf8mb3',
      "UPDATE Wp1_options SET option_value = '' WHERE option_name = 'permalink_structure'",
      "UPDATE Wp1_options SET option_value = 'ISO-8859-1' WHERE option_name = 'blog_charset'",
    )
    try {
      writeFileSync(cache, '<?php')
      const env = { WORDPRESS_DB_USER: user, WORDPRESS_DB_PASSWORD: 'reader' }
      const { code, problems } = await check(env)
      assert.equal(code, 0)
      const messages = problems.map(({ severity, message }) => `${severity}: ${message}`).join('\n')
      for (const part of [
        /warning: Permalinks are plain/,
        /warning: The option blog_charset is 'ISO-8859-1'/,
        /warning: The user of the database has no right to INSERT, UPDATE, DELETE/,
        /warning: The table Wp1_postmeta has the engine MyISAM/,
        /warning: Some tables cannot store every character, such as emoji: .*Wp1_postmeta \(utf8mb3/,
        /warning: WordPress has a persistent object cache/,
      ])
        assert.match(messages, part)
    } finally {
      rmSync(cache, { force: true })
      await foreignSql(
        site.database,
        `DROP USER ${user}@'127.0.0.1'`,
        'ALTER TABLE Wp1_postmeta ENGINE=InnoDB, CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
        "UPDATE Wp1_options SET option_value = '/%postname%/' WHERE option_name = 'permalink_structure'",
        "UPDATE Wp1_options SET option_value = 'UTF-8' WHERE option_name = 'blog_charset'",
      )
    }
  })

  it('check names what it cannot read, and a database that it cannot reach', async () => {
    const { code, stderr } = await run(['wordpress', 'check'], { cwd: emptyFolder() })
    assert.equal(code, 2)
    assert.match(stderr, /\[wordpress-config-missing\]/)
    const missing = await runHere(['wordpress', 'check', '--wordpress', '/nowhere/wp-config.php'])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /there is no such file\. \[wordpress-config-unreadable\]/)
    await changed('CREATE TABLE `Wp1-people` LIKE Wp1_users', 'DROP TABLE `Wp1-people`', async () => {
      const named = await check({ WORDPRESS_CUSTOM_USER_TABLE: 'Wp1-people' })
      assert.equal(named.code, 1)
      assert.match(named.stderr, /The table 'Wp1-people' of CUSTOM_USER_TABLE.*\[wordpress-database-unreadable\]/)
    })
    const unreachable = await check({ WORDPRESS_DB_HOST: '127.0.0.1:1' })
    assert.equal(unreachable.code, 1)
    assert.match(unreachable.stderr, /\[wordpress-database-unreadable\]/)
  })

  it('routes prints declarations that the service accepts, except what only their author can decide', async () => {
    const undecided = ['default-invalid', 'pattern-slow', 'route-reserved']
    // In some versions, one route of WordPress hides another.
    if (site.version < 6.8) undecided.push('route-shadowed')
    for (const [namespace, expected] of [
      ['shop/v1', []],
      ['wp/v2', undecided],
    ] as const) {
      const { code, stdout, stderr } = await runHere([
        'wordpress',
        'routes',
        `${site.url}/wp-json/`,
        '--namespace',
        namespace,
      ])
      assert.equal(code, 0, stderr)
      const folder = join(emptyFolder(), 'app')
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      writeFileSync(join(folder, 'api.ts'), stdout)
      const checked = await run(['check', folder, '--json'], { cwd: folder })
      const codes = new Set((JSON.parse(checked.stdout) as { code: string }[]).map((fault) => fault.code))
      assert.deepEqual([...codes].sort(), expected)
    }
  })

  it('routes keeps arguments and marks handlers that are not written', async () => {
    const { stdout } = await runHere(['wordpress', 'routes', site.url, '--namespace', 'shop/v1'])
    assert.match(stdout, /per_page: \{ type: 'integer', default: 10, minimum: 1, maximum: 100 \}/)
    assert.equal(stdout.match(/Not written yet\./g)?.length, 5)
    assert.doesNotMatch(stdout, /permission:/)
  })

  it('routes lists the namespaces when it is given none, or a wrong one', async () => {
    for (const words of [[], ['--namespace', 'shop/v2']]) {
      const { code, stderr } = await runHere(['wordpress', 'routes', site.url, ...words])
      assert.equal(code, 2)
      assert.match(stderr, /shop\/v1, wp\/v2.*\[wordpress-namespace-unknown\]/)
    }
  })
})

describe('wordpress routes and an address that is not a WordPress site', () => {
  let server: Server
  let prepared: { readonly status: number; readonly body: string }
  const index = (namespaces: unknown, routes: unknown) => JSON.stringify({ namespaces, routes })
  before(async () => {
    server = createServer((_, response) => response.writeHead(prepared.status).end(prepared.body)).listen(
      0,
      '127.0.0.1',
    )
    await new Promise((resolve) => server.once('listening', resolve))
  })
  after(() => server?.close())
  const routes = (body: string, status = 200) => {
    prepared = { status, body }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return runHere(['wordpress', 'routes', url, '--namespace', 'a/v1'])
  }

  it('is refused with the reason', async () => {
    const table: [body: string, status: number, reason: RegExp][] = [
      ['', 404, /status 404/],
      ['<html>', 200, /Syntax error/],
      ['{}', 200, /not the index of a REST API/],
      ['['.repeat(2000), 200, /depth/],
      [`{"a":"${'x'.repeat(9_000_000)}"}`, 200, /more than 8388608 bytes/],
    ]
    for (const [body, status, reason] of table) {
      const { code, stderr } = await routes(body, status)
      assert.equal(code, 1)
      assert.match(stderr, reason)
      assert.match(stderr, /\[wordpress-site-unreadable\]/)
    }
    assert.match((await runHere(['wordpress', 'routes', 'ftp://a'])).stderr, /\[site-address-unusable\]/)
    assert.match((await runHere(['wordpress', 'routes', 'http://127.0.0.1:65535'])).stderr, /ECONNREFUSED/)
  })

  it('cannot write code into the declarations', async () => {
    const hostile = `x'); process.exit(9); ('\n*/ \u2028`
    const { stdout } = await routes(
      index(['a/v1'], {
        [`/a/v1/${hostile}`]: {
          endpoints: [
            {
              methods: ['GET', hostile],
              args: { [hostile]: { type: 'string', default: hostile, [hostile]: 1 }, __proto__x: {} },
            },
          ],
        },
      }),
    )
    const folder = join(emptyFolder(), 'app')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'api.ts'), stdout)
    const checked = await run(['check', folder], { cwd: folder })
    assert.notEqual(checked.code, 9)
    assert.doesNotMatch(checked.stderr + checked.stdout, /module-failed/)
  })

  it('cannot send control sequences to a terminal, or text that an editor shows in another order', async () => {
    const hostile = '\u009b31m\u202e\x7f\x1b[31m'
    const odd = /[\x1b\x7f-\x9f\u202e]/
    const { stdout } = await routes(
      index(['a/v1'], {
        '/a/v1/b': { endpoints: [{ methods: ['GET'], args: { [hostile]: { type: 'string', default: hostile } } }] },
      }),
    )
    assert.doesNotMatch(stdout, odd)
    assert.match(stdout, /default: '\\u009b31m\\u202e\\u007f\\u001b\[31m'/)
    const { stderr } = await routes(index([hostile], {}))
    assert.match(stderr, /\[wordpress-namespace-unknown\]/)
    assert.doesNotMatch(stderr, odd)
  })
})

describe('the rights that SHOW GRANTS lists', () => {
  const table: [grant: string, rights: string[]][] = [
    ['GRANT SELECT, INSERT ON `shop`.* TO `wp`@`%`', ['INSERT', 'SELECT']],
    ['GRANT SELECT ON `other`.* TO `wp`@`%`', []],
    ['GRANT SELECT ON `sho_`.* TO `wp`@`%`', ['SELECT']],
    ['GRANT SELECT ON `sho\\_`.* TO `wp`@`%`', []],
    ['GRANT SELECT ON `s%`.* TO `wp`@`%`', ['SELECT']],
    ['GRANT SELECT ON `shop`.`wp_posts` TO `wp`@`%`', []],
    ["GRANT USAGE ON *.* TO `wp`@`%` IDENTIFIED BY PASSWORD '*ABC'", []],
    ['GRANT ALL PRIVILEGES ON *.* TO `wp`@`%`', ['CREATE', 'DELETE', 'DROP', 'INSERT', 'SELECT', 'TRIGGER', 'UPDATE']],
  ]
  it('rights on each table count as rights on all', () => {
    const grants = ['a', 'b`c'].map(
      (name) => `GRANT SELECT, INSERT ON \`shop\`.\`${name.replace('`', '``')}\` TO \`u\`@\`%\``,
    )
    assert.deepEqual([...rightsIn(grants, 'shop', ['a', 'b`c'])].sort(), ['INSERT', 'SELECT'])
    assert.deepEqual([...rightsIn(grants, 'shop', ['a', 'b`c', 'd'])], [])
    assert.deepEqual([...rightsIn(grants, 'other', ['a'])], [])
    const columns = ['GRANT SELECT (`x`, `y`), INSERT, UPDATE (`x`) ON `shop`.`a` TO `u`@`%`']
    assert.deepEqual([...rightsIn(columns, 'shop', ['a'])], ['INSERT'])
  })
  for (const [grant, rights] of table) it(grant, () => assert.deepEqual([...rightsIn([grant], 'shop')].sort(), rights))
})
