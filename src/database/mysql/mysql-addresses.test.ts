import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql } from '../../../test/support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { StorageError } from '../storage-error.js'
import { parseMysqlAddress } from './mysql-address.js'
import { mysqlAdapter } from './mysql-adapter.js'
import { mysqlHasTables, openMysql } from './open-mysql.js'
import { oldestServers, requireUsableServer, serverFacts } from './server-facts.js'

const parsed: [address: string, hosts: string[], user: string | null, database: string, rest?: object][] = [
  ['mysql://ann:pw@db.example/shop', ['db.example:3306'], 'ann', 'shop', { tls: 'none' }],
  ['mariadb://ann@h1,h2:3307/shop', ['h1:3306', 'h2:3307'], 'ann', 'shop'],
  ['mariadb:///shop?socket=/run/mysqld/mysqld.sock', ['/run/mysqld/mysqld.sock:3306'], null, 'shop'],
  ['mysql://h/shop?ssl-mode=VERIFY_IDENTITY', ['h:3306'], null, 'shop', { tls: 'full' }],
  ['mysql://h/shop?ssl-ca=/ca.pem', ['h:3306'], null, 'shop', { tls: 'full', caFile: '/ca.pem' }],
  ['mysql://h/shop?ssl-mode=verify-ca&ssl-ca=/ca.pem', ['h:3306'], null, 'shop', { tls: 'chain', caFile: '/ca.pem' }],
  ['mysql://h/shop?ssl-mode=required', ['h:3306'], null, 'shop', { tls: 'unverified' }],
]
for (const [address, hosts, user, database, rest = {}] of parsed)
  it(`${address} is an address`, () => {
    const { server, ...others } = parseMysqlAddress(address)
    assert.deepEqual(
      [server.hosts.map(({ host, port }) => `${host}:${port}`), server.user, server.database],
      [hosts, user, database],
    )
    assert.deepEqual({ ...others, ...rest }, others)
  })

const invalid: [address: string, message: RegExp][] = [
  ['mysql://ann:secret@h', /names no database/],
  ['mysql:shop:secret', /is malformed/],
  ['mysql://ann:secret@h/shop?ssl-mode=preferred', /ssl-mode 'preferred'\. Use one of: disabled, required/],
  ['mysql://ann:secret@h/shop?sslmode=full', /unknown parameter 'sslmode'/],
  ['mysql://ann:secret@h/shop?socket=here', /not an absolute path/],
]
for (const [address, message] of invalid)
  it(`${address} is refused`, () =>
    assert.throws(
      () => parseMysqlAddress(address),
      (error) => error instanceof StorageError && message.test(error.message) && !error.message.includes('secret'),
    ))

const versions: [version: string, refused: RegExp | null][] = [
  ['10.11.19-MariaDB-0+deb12u1', null],
  ['11.4.2-MariaDB', null],
  ['10.6.18-MariaDB', /MariaDB 10\.6\. Version 10\.11 or later/],
  ['8.4.3', null],
  ['8.0.40', /MySQL 8\.0\. Version 8\.4 or later/],
]
for (const [version, refused] of versions)
  it(`the server ${version} is ${refused === null ? 'used' : 'refused as too old'}`, () => {
    const check = () => requireUsableServer(serverFacts.of([['version', version]]), false, oldestServers)
    if (refused === null) check()
    else assert.throws(check, { fault: 'incompatible', message: refused })
  })

describe('a MariaDB server that refuses', { skip: skipWithoutProgram('mariadb') }, () => {
  let server: TestServer
  before(async () => {
    const started = await startServer('mariadb', ['log-bin=binary-log', 'server-id=1'])
    if (started === null) throw new Error('There is no server.')
    server = started
    await foreignSql(
      server.url,
      'CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
      'CREATE DATABASE wordpress',
      'CREATE TABLE wordpress.wp_options (option_id int, option_name varchar(191), option_value longtext)',
      `INSERT INTO wordpress.wp_options VALUES (1, 'db_version', '60717')`,
      ...['reader', 'maker', 'shop'].map((user) => `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'hunter2'`),
      `GRANT SELECT ON shop.* TO reader@'127.0.0.1'`,
      `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP ON shop.* TO maker@'127.0.0.1'`,
      `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, TRIGGER ON shop.* TO shop@'127.0.0.1'`,
    )
  })
  after(() => server.drop())

  interface Parts {
    readonly user?: string
    readonly password?: string
    readonly database?: string
    readonly query?: string
  }

  /** The address of the server with other parts. */
  function address({ user, password = 'hunter2', database = 'shop', query = '' }: Parts): string {
    const url = new URL(server.url)
    if (user !== undefined) [url.username, url.password] = [user, password]
    url.pathname = `/${database}`
    return `${url}${query}`
  }

  const refusals: [what: string, parts: Parts, message: RegExp][] = [
    ['a wrong password', { user: 'shop', password: 'wrong-secret' }, /refuses the user or the password.*Correct/],
    ['an unknown user', { user: 'nobody' }, /refuses the user or the password.*Correct/],
    ['an unknown database', { database: 'missing' }, /has no such database.*CREATE DATABASE `missing` CHARACTER SET/],
    [
      'a database of somebody else',
      { user: 'shop', database: 'wordpress' },
      /may not use this database(?!.*GRANT.*GRANT).*GRANT ALL ON `wordpress`/,
    ],
    ['TLS that the server lacks', { query: '?ssl-mode=verify_ca' }, /TLS|SSL/],
    ['an IP address to verify', { query: '?ssl-mode=verify_identity' }, /names an IP address.*verify_ca/],
    ['a missing right CREATE', { user: 'reader' }, /lacks a right.*GRANT CREATE ON `shop`/],
    [
      'a missing right TRIGGER',
      { user: 'maker' },
      /lacks a right.*GRANT TRIGGER ON `shop`|log_bin_trust_function_creators/,
    ],
    ['triggers under a binary log', { user: 'shop' }, /SET GLOBAL log_bin_trust_function_creators = 1/],
    ['a WordPress site', { database: 'wordpress' }, /database of a WordPress site.*another table prefix/],
  ]
  for (const [what, parts, message] of refusals)
    it(`${what} is one readable error without the password`, async () => {
      const url = address(parts)
      await assert.rejects(openMysql(url, { purpose: 'start', wait: 5000 }), (error) => {
        assert.ok(error instanceof StorageError)
        assert.match(error.message, message)
        for (const secret of [new URL(url).password, new URL(server.url).password])
          assert.ok(!`${error.message} ${error.stack}`.includes(secret))
        return true
      })
    })

  it('an unknown host is one readable error', () =>
    assert.rejects(openMysql('mariadb://ann:secret@db.invalid/shop'), {
      fault: 'unavailable',
      message:
        /^mariadb:\/\/ann@db\.invalid:3306\/shop: The database cannot be reached \(getaddrinfo .*\)\. Correct the host of the address\b.*\.$/,
    }))

  it('a missing right TRIGGER is named where the binary log allows triggers', async () => {
    await foreignSql(server.url, 'CREATE DATABASE made', `GRANT ALL ON made.* TO maker@'127.0.0.1'`)
    await foreignSql(server.url, `REVOKE TRIGGER ON made.* FROM maker@'127.0.0.1'`)
    await foreignSql(server.url, 'SET GLOBAL log_bin_trust_function_creators = 1')
    try {
      await assert.rejects(openMysql(address({ user: 'maker', database: 'made' }), { purpose: 'start' }), {
        message: /lacks a right.*An administrator allows it: GRANT TRIGGER ON `made`\.\* TO 'maker'@'…'$/,
      })
    } finally {
      await foreignSql(server.url, 'SET GLOBAL log_bin_trust_function_creators = 0')
    }
  })

  it('the database of a WordPress site is not changed', async () => {
    assert.deepEqual(await foreignSql(server.url, 'SHOW TABLES FROM wordpress'), [['wp_options']])
  })

  it('the documented rights are enough', async () => {
    await foreignSql(server.url, 'SET GLOBAL log_bin_trust_function_creators = 1')
    const url = address({ user: 'shop' })
    const storage = await openMysql(url, { purpose: 'start' })
    await storage.finishFirstStart()
    await storage.write(async (inside) => {
      await inside.lock(['slug:a'])
      await inside.options.write('blogname', 'Shop')
    })
    await storage.ping()
    await storage.close()
    assert.equal(await mysqlHasTables(url, 'wp_'), true)
    const again = await openMysql(url, { purpose: 'read' })
    assert.equal(await again.options.read('blogname'), 'Shop')
    await again.close()
  })

  it('a backup is refused with the command of the server', () =>
    assert.rejects(mysqlAdapter.backUp(server.url, '/tmp/copy'), (error: Error) => {
      assert.match(
        error.message,
        /mariadb-dump --single-transaction --triggers .*--user=test --password test > copy\.sql/,
      )
      assert.ok(!error.message.includes(new URL(server.url).password))
      return true
    }))
})
