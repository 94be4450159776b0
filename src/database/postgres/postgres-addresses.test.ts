import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql } from '../../../test/support/servers/open-fresh-postgres.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { StorageError } from '../storage-error.js'
import { requireUsableServer } from './connect.js'
import { openPostgres } from './open-postgres.js'
import { parsePostgresAddress } from './postgres-address.js'
import { postgresAdapter } from './postgres-adapter.js'

const parsed: [address: string, hosts: string[], user: string | null, database: string, rest?: object][] = [
  ['postgres://ann:pw@db.example/shop', ['db.example:5432'], 'ann', 'shop', { tls: 'none', schema: null }],
  ['postgresql://db.example:6000/shop', ['db.example:6000'], null, 'shop'],
  ['postgres://a%40b:p%2Fw@h/s%20p', ['h:5432'], 'a@b', 's p'],
  ['postgres://ann@h1,h2:5433/shop', ['h1:5432', 'h2:5433'], 'ann', 'shop'],
  ['postgres://[::1]:7000/shop', ['::1:7000'], null, 'shop'],
  ['postgres://ann@%2Fvar%2Frun%2Fpostgresql/shop', ['/var/run/postgresql:5432'], 'ann', 'shop'],
  ['postgres:///shop?socket=/var/run/postgresql', ['/var/run/postgresql:5432'], null, 'shop'],
  ['postgres://h/shop?schema=own&sslmode=verify-full', ['h:5432'], null, 'shop', { tls: 'full', schema: 'own' }],
  ['postgres://h/shop?sslmode=require', ['h:5432'], null, 'shop', { tls: 'full' }],
  [
    'postgres://h/shop?sslmode=verify-ca&sslrootcert=/ca.pem',
    ['h:5432'],
    null,
    'shop',
    { tls: 'chain', caFile: '/ca.pem' },
  ],
  ['postgres://h/shop?sslmode=no-verify', ['h:5432'], null, 'shop', { tls: 'unverified' }],
]
for (const [address, hosts, user, database, rest = {}] of parsed)
  it(`${address} is an address`, () => {
    const { server, ...others } = parsePostgresAddress(address)
    assert.deepEqual(
      [server.hosts.map(({ host, port }) => `${host}:${port}`), server.user, server.database],
      [hosts, user, database],
    )
    assert.deepEqual({ ...others, ...rest }, others)
  })

const invalid: [address: string, message: RegExp][] = [
  ['postgres://ann:secret@h', /names no database/],
  ['postgres://ann:secret@/shop', /names no host/],
  ['postgres:shop:secret', /is malformed/],
  ['postgres://ann:sec/ret@h/shop', /is malformed|password/],
  ['postgres://ann:secret%@h/shop', /has a % that begins no escape/],
  ['postgres://ann:secret@h:99999/shop', /invalid host or port/],
  ['postgres://ann:secret@h/shop?sslmode=prefer', /sslmode 'prefer'/],
  ['postgres://ann:secret@h/shop?ssl=true', /unknown parameter 'ssl'. Use one of: schema, sslmode/],
  ['postgres://ann:pass?secret@h/shop', /a password with a \?, which is written %3F/],
  ['postgres://ann:pass?secret=x@h/shop', /a password with a \?, which is written %3F/],
  ['postgres://ann:secret@h,/shop', /names no host/],
  ['postgres://ann:secret@h/shop?schema=a&schema=b', /parameter 'schema' twice/],
  ['postgres://ann:secret@h/shop?schema=a-b', /has the schema 'a-b'/],
  ['postgres://ann:secret@h/shop?socket=here', /not an absolute path/],
]
for (const [address, message] of invalid)
  it(`${address} is refused`, () =>
    assert.throws(
      () => parsePostgresAddress(address),
      (error) => error instanceof StorageError && message.test(error.message) && !/secret|ret@/.test(error.message),
    ))

const versions: [number: number, version: string, refused: RegExp | null][] = [
  [90624, '9.6.24', /PostgreSQL 9\.6\.24\. Version 15 or later/],
  [140019, '14.19 (Debian 14.19-1.pgdg12+1)', /PostgreSQL 14\.19 .*\. Version 15 or later/],
  [150000, '15.0', null],
  [180004, '18.4', null],
]
for (const [number, version, refused] of versions)
  it(`the server ${version} is ${refused === null ? 'used' : 'refused as too old'}`, () => {
    const check = () => requireUsableServer([number, version, 'UTF8', 0, 7, 1], 7, false)
    if (refused === null) check()
    else assert.throws(check, { fault: 'incompatible', message: refused })
  })

describe('a PostgreSQL server that refuses', { skip: skipWithoutProgram('postgres') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  let server: TestServer
  before(async () => {
    const started = await startServer('postgres')
    if (started === null) throw new Error('There is no server.')
    server = started
    await foreignSql(
      server.url,
      `CREATE ROLE shop LOGIN PASSWORD 'hunter2'; CREATE ROLE reader LOGIN PASSWORD 'hunter2'; CREATE ROLE resting NOLOGIN PASSWORD 'hunter2';
      CREATE ROLE readonly LOGIN PASSWORD 'hunter2'; ALTER ROLE readonly SET default_transaction_read_only = on; SELECT 1`,
    )
    await foreignSql(server.url, `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    await foreignSql(server.url, `CREATE DATABASE shop TEMPLATE template0`)
    await foreignSql(
      address({ database: 'shop' }),
      `CREATE SCHEMA theirs; REVOKE CREATE ON DATABASE shop FROM PUBLIC; SELECT 1`,
    )
  })
  after(async () => {
    await server.drop()
    rmSync(folder, { recursive: true })
    delete process.env['DATABASE_PASSWORD']
    delete process.env['DATABASE_PASSWORD_FILE']
  })

  /** The address of the server with other parts. */
  function address({
    user,
    password,
    database = 'shop',
    query = '',
  }: {
    user?: string
    password?: string
    database?: string
    query?: string
  }): string {
    const url = new URL(server.url)
    if (user !== undefined) url.username = user
    if (password !== undefined) url.password = password
    url.pathname = `/${database}`
    return `${url}${query}`
  }

  const refusals: [what: string, parts: Parameters<typeof address>[0], message: RegExp][] = [
    [
      'a wrong password',
      { password: 'wrong-secret' },
      /The server refuses the password .*Correct the user or the password/,
    ],
    ['no password', { password: '' }, /The server asks for a password .*Set DATABASE_PASSWORD/],
    [
      'an unknown user',
      { user: 'nobody', password: 'secret' },
      /The server refuses the password|role "nobody" does not exist/,
    ],
    [
      'a user without the right to log in',
      { user: 'resting', password: 'hunter2' },
      /role "resting" is not permitted to log in\)\. Correct the user of the address, or run: CREATE ROLE "resting" LOGIN, or ALTER ROLE "resting" LOGIN$/,
    ],
    [
      'an unknown database',
      { database: 'missing' },
      /has no such database .*CREATE DATABASE "missing" ENCODING 'UTF8'/,
    ],
    ['another encoding', { database: 'latin' }, /has the encoding LATIN1\. Create it with ENCODING 'UTF8'/],
    ['TLS that the server lacks', { query: '?sslmode=verify-full' }, /does not support SSL.*sslmode=disable/],
    [
      'a missing right to create a schema',
      { user: 'shop', password: 'hunter2', query: '?schema=fresh' },
      /schema "fresh" cannot be created.*GRANT CREATE ON DATABASE "shop"/,
    ],
    [
      'a schema of somebody else',
      { user: 'shop', password: 'hunter2', query: '?schema=theirs' },
      /lacks a right|no schema/,
    ],
    [
      'a schema in which nothing may be created',
      { user: 'shop', password: 'hunter2', query: '?schema=public' },
      /GRANT USAGE, CREATE ON SCHEMA "public"/,
    ],
    [
      'a session that may not write',
      { user: 'readonly', password: 'hunter2', query: '?schema=public' },
      /default_transaction_read_only is on\. Switch it off/,
    ],
  ]
  for (const [what, parts, message] of refusals)
    it(`${what} is one readable error without the password`, async () => {
      const url = address(parts)
      const secrets = [new URL(url).password, new URL(server.url).password].filter((text) => text !== '')
      await assert.rejects(openPostgres(url, { purpose: 'start', wait: 5000 }), (error) => {
        assert.ok(error instanceof StorageError)
        assert.match(error.message, message)
        assert.match(error.message, /^postgres:\/\/\w+@127\.0\.0\.1:\d+\//)
        for (const secret of secrets)
          assert.ok(!error.message.includes(secret) && !String(error.stack).includes(secret))
        return true
      })
    })

  it('an unknown host is one readable error', () =>
    assert.rejects(openPostgres('postgres://ann:secret@db.invalid/shop'), {
      fault: 'unavailable',
      message:
        /^postgres:\/\/ann@db\.invalid:5432\/shop: The database cannot be reached \(getaddrinfo .*\)\. Correct the host of the address\b.*\.$/,
    }))

  it('the password comes from the environment or a file, for each new connection', async () => {
    const { password } = new URL(server.url)
    const url = address({ password: '' })
    process.env['DATABASE_PASSWORD'] = decodeURIComponent(password)
    await (await openPostgres(url)).close()
    delete process.env['DATABASE_PASSWORD']
    const file = join(folder, 'password')
    writeFileSync(file, `${decodeURIComponent(password)}\n`)
    process.env['DATABASE_PASSWORD_FILE'] = file
    await (await openPostgres(url)).close()
    rmSync(file)
    await assert.rejects(openPostgres(url), { message: /The password file of DATABASE_PASSWORD_FILE cannot be read/ })
    delete process.env['DATABASE_PASSWORD_FILE']
  })

  it('a password that was changed while a service runs is read for its next connection', async () => {
    const file = join(folder, 'changed')
    writeFileSync(file, 'before')
    process.env['DATABASE_PASSWORD_FILE'] = file
    await foreignSql(server.url, `ALTER ROLE reader PASSWORD 'before'; SELECT 1`)
    await foreignSql(address({}), `CREATE SCHEMA rotated AUTHORIZATION reader; SELECT 1`)
    const storage = await openPostgres(address({ user: 'reader', password: '', query: '?schema=rotated' }))
    try {
      await storage.options.write('password', 'before')
      await foreignSql(server.url, `ALTER ROLE reader PASSWORD 'after'; SELECT 1`)
      writeFileSync(file, 'after')
      await foreignSql(
        server.url,
        `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'reader'`,
      )
      assert.equal(await storage.options.read('password'), 'before')
      await storage.options.write('password', 'after')
    } finally {
      await storage.close()
      delete process.env['DATABASE_PASSWORD_FILE']
    }
  })

  it('a socket works as a host does', async () => {
    const [[folder] = []] = await foreignSql(server.url, 'SHOW unix_socket_directories')
    const { username, password, port } = new URL(server.url)
    const storage = await openPostgres(`postgres://${username}:${password}@:${port}/shop?socket=${folder}`)
    await storage.ping()
    await storage.close()
  })

  it('the documented rights are enough', async () => {
    await foreignSql(address({}), `CREATE SCHEMA granted; GRANT USAGE, CREATE ON SCHEMA granted TO shop; SELECT 1`)
    const storage = await openPostgres(address({ user: 'shop', password: 'hunter2', query: '?schema=granted' }), {
      purpose: 'start',
    })
    await storage.finishFirstStart()
    await storage.options.write('blogname', 'Shop')
    await storage.ping()
    await storage.close()
  })

  it('a backup is refused with the command of PostgreSQL', () =>
    assert.rejects(postgresAdapter.backUp(server.url, '/tmp/copy'), {
      message: /pg_dump --format=custom --file=\S+ "postgres:\/\/test@127\.0\.0\.1:\d+\/postgres"$/,
    }))
})
