import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { until } from '../../../test/support/until.js'
import { sqliteHasTables, openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'
import { SqliteChangeToken } from './sqlite-change-token.js'
import { SqliteConnection } from './sqlite-connection.js'
import { sqliteDatabase } from './sqlite-database.js'
import { sqliteLocation } from './sqlite-location.js'
import { typescriptArguments } from '../../../test/support/typescript.js'

const folder = mkdtempSync(join(tmpdir(), 'open-sqlite-'))
after(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string): string => join(folder, name)

const limits = { busyTimeout: 100, transactionTimeout: 1000 }

describe('opening', () => {
  it('opening creates a file that only its owner can read, and logs it once', async () => {
    const path = pathOf('shop.db')
    const storage = await openSqlite(`sqlite:${path}`)
    assert.equal(storage.created, true)
    await storage.posts.insert(aPost())
    if (process.platform !== 'win32') {
      for (const suffix of ['', '-wal', '-shm']) assert.equal(statSync(path + suffix).mode & 0o777, 0o600, suffix)
    }
    await storage.close()
    const again = await openSqlite(`sqlite:${path}`)
    assert.equal(again.created, false)
    await again.close()
  })

  it('a folder is created directly below the working folder only', async (context) => {
    const path = pathOf('deep/er/shop.db')
    await assert.rejects(openSqlite(`sqlite:${path}`), {
      fault: 'unavailable',
      message: /Create the folder .*deep\/er/,
    })
    assert.equal(existsSync(pathOf('deep')), false)
    context.mock.method(process, 'cwd', () => folder)
    await (await openSqlite('sqlite:data/shop.db')).close()
    assert.ok(existsSync(pathOf('data/shop.db')))
  })

  it('a reopened database has all its rows', async () => {
    const url = `sqlite:${pathOf('kept.db')}`
    const storage = await openSqlite(url)
    const id = await storage.posts.insert(aPost({ post_title: 'Kept' }))
    await storage.posts.meta.add(id, 'price', '1')
    await storage.options.write('blogname', 'Shop')
    await storage.close()
    const again = await openSqlite(url, { synchronous: 'NORMAL' })
    assert.deepEqual((await again.posts.findWithMeta([id])).rows[0]?.meta, [{ key: 'price', value: '1' }])
    assert.equal(await again.options.read('blogname'), 'Shop')
    await again.close()
  })

  it('tables with different prefixes are separate', async () => {
    const url = `sqlite:${pathOf('prefixes.db')}`
    const one = await openSqlite(url, { prefix: 'one_' })
    await one.options.write('blogname', 'One')
    const two = await openSqlite(url, { prefix: 'two_' })
    assert.equal(two.created, false, 'the database was there, although these tables were not')
    assert.equal(await two.options.read('blogname'), null)
    await Promise.all([one.close(), two.close()])
  })

  it('a database of a newer version is refused', async () => {
    const url = `sqlite:${pathOf('newer.db')}`
    const storage = await openSqlite(url)
    await storage.options.write('as_rest_route_db_version', '99')
    await storage.close()
    await assert.rejects(openSqlite(url), { fault: 'incompatible', message: /newer\.db cannot be used.*version 99/s })
  })

  it('the database of a WordPress site is refused and not changed', async () => {
    const file = pathOf('wordpress.db')
    const client = (await sqliteLibrary())(file)
    client
      .prepare('CREATE TABLE wp_options (option_id INTEGER PRIMARY KEY, option_name TEXT, option_value TEXT)')
      .run([])
    client.prepare(`INSERT INTO wp_options (option_name, option_value) VALUES ('db_version', '60717')`).run([])
    for (const purpose of ['start', 'change', 'read'] as const)
      await assert.rejects(openSqlite(`sqlite:${file}`, { purpose }), {
        fault: 'incompatible',
        message: /database of a WordPress site.*another table prefix/s,
      })
    const names = client.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all([])
    assert.deepEqual(names, [['wp_options']])
    client.close()

    const beside = await openSqlite(`sqlite:${file}`, { prefix: 'shop_' })
    assert.equal(beside.created, false)
    await beside.close()
  })

  it('a read-only opening creates and changes nothing', async () => {
    const missing = `sqlite:${pathOf('missing/shop.db')}`
    await assert.rejects(openSqlite(missing, { purpose: 'read' }), {
      fault: 'unavailable',
      message: /There is no database/,
    })
    assert.deepEqual([await sqliteHasTables(missing, 'wp_'), existsSync(pathOf('missing'))], [false, false])

    const url = `sqlite:${pathOf('read.db')}`
    writeFileSync(pathOf('read.db'), '')
    await assert.rejects(openSqlite(url, { purpose: 'read' }), {
      fault: 'incompatible',
      message: /Start the application/,
    })
    assert.deepEqual([await sqliteHasTables(url, 'wp_'), readFileSync(pathOf('read.db'), 'utf8')], [false, ''])

    await (await openSqlite(url)).close()
    assert.deepEqual([await sqliteHasTables(url, 'wp_'), await sqliteHasTables(url, 'other_')], [true, false])
    const storage = await openSqlite(url, { purpose: 'read' })
    assert.equal(await storage.options.read('blogname'), null)
    await assert.rejects(storage.options.write('blogname', 'Shop'), { fault: 'read-only' })
    await storage.close()

    const inMemory = await openSqlite('sqlite::memory:', { purpose: 'read' })
    assert.equal(inMemory.created, true)
    await inMemory.close()
  })

  it('a file that is not a database is refused', async () => {
    writeFileSync(pathOf('text.db'), 'This is a text, not a database. '.repeat(100))
    mkdirSync(pathOf('folder.db'))
    await assert.rejects(openSqlite(`sqlite:${pathOf('text.db')}`), { fault: 'incompatible', message: /not an SQLite/ })
    await assert.rejects(openSqlite(`sqlite:${pathOf('folder.db')}`), {
      fault: 'unavailable',
      message: /folder\.db is a folder\. Name a file, such as .*folder\.db\/site\.sqlite/,
    })
    await assert.rejects(openSqlite(`sqlite:${pathOf('text.db/shop.db')}`), { fault: 'unavailable' })
    await assert.rejects(openSqlite('sqlite::memory:', { prefix: 'wp-; DROP' }), RangeError)
  })

  it('a missing or replaced file is detected', async () => {
    const url = `sqlite:${pathOf('gone.db')}`
    const storage = await openSqlite(url)
    await storage.ping()
    for (const ending of ['', '-wal', '-shm']) rmSync(pathOf(`gone.db${ending}`), { force: true })
    const gone = { fault: 'unavailable', message: /gone\.db was removed or replaced/ }
    await assert.rejects(storage.ping(), gone)
    const another = await openSqlite(url)
    await another.ping()
    await assert.rejects(storage.ping(), gone)
    await another.close()
    await storage.close()
  })

  it('its own writes do not count as a replaced file on a file system without birth times', async (context) => {
    const { statSync: real } = fs
    // What Node says there: the time of the last change.
    const withoutBirth = (path: fs.PathLike): fs.BigIntStats | undefined => {
      const stats = real(path, { bigint: true, throwIfNoEntry: false })
      return stats && Object.assign(stats, { birthtimeNs: stats.ctimeNs })
    }
    context.mock.method(fs, 'statSync', withoutBirth as typeof fs.statSync)
    syncBuiltinESMExports()
    context.after(() => {
      context.mock.restoreAll()
      syncBuiltinESMExports()
    })
    const path = pathOf('birthless.db')
    const storage = await openSqlite(`sqlite:${path}`)
    await storage.options.write('blogname', 'x'.repeat(10_000))
    fs.utimesSync(path, 1, 1)
    await storage.ping()
    await storage.close()
  })

  it('addresses are parsed', () => {
    assert.equal(sqliteLocation('sqlite::memory:'), ':memory:')
    assert.equal(sqliteLocation('sqlite:data/shop.db'), join(process.cwd(), 'data/shop.db'))
    assert.equal(sqliteLocation('sqlite:file:shop.db?mode=memory'), join(process.cwd(), 'file:shop.db?mode=memory'))
    if (process.platform !== 'win32') {
      assert.equal(sqliteLocation('sqlite:/var/shop.db'), '/var/shop.db')
      assert.equal(sqliteLocation('sqlite:///var/shop.db'), '/var/shop.db')
    }
    for (const url of ['', 'sqlite:', 'shop.db', 'mysql://localhost', 'sqlite://host/shop.db', 'sqlite:a\0b']) {
      assert.throws(() => sqliteLocation(url), { fault: 'unavailable' }, url)
    }
  })

  it('opening prints nothing', () => {
    const module = new URL('./open-sqlite.ts', import.meta.url)
    const code = `const { openSqlite } = await import('${module}'); await (await openSqlite('sqlite::memory:')).close()`
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [...typescriptArguments, '--input-type=module', '--eval', code],
      { encoding: 'utf8' },
    )
    assert.deepEqual({ stdout, stderr, status }, { stdout: '', stderr: '', status: 0 })
  })

  it(
    'the error names the package to install when neither library is present',
    { skip: process.getBuiltinModule?.('node:sqlite') != null },
    () => {
      const hidden = `export function resolve(name, context, next) {
      if (name === 'libsql') throw new Error('There is no libsql')
      return next(name, context)
    }`
      const module = new URL('./open-sqlite.ts', import.meta.url)
      const code = `const { register } = await import('node:module')
      register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hidden)}`)})
      const { openSqlite } = await import('${module}')
      await openSqlite('sqlite::memory:').catch((error) => console.log(error.fault, error.message))`
      const { stdout } = spawnSync(process.execPath, [...typescriptArguments, '--input-type=module', '--eval', code], {
        encoding: 'utf8',
      })
      assert.match(stdout, /^unavailable Node 20.* libsql is missing.* npm install libsql/)
    },
  )

  it('other warnings are still printed', async () => {
    await sqliteLibrary()
    const warned = new Promise((resolve) => process.once('warning', resolve))
    process.emitWarning('heard', 'ExperimentalWarning')
    assert.equal(((await warned) as Error).message, 'heard')
  })
})

describe('an open database', () => {
  it('a transaction that waits for itself is rejected', async () => {
    for (const url of ['sqlite::memory:', `sqlite:${pathOf('waiting.db')}`]) {
      const storage = await openSqlite(url, { transactionTimeout: 50 })
      const stuck = storage.transaction(async (inside) => {
        await inside.options.write('a', '1')
        await storage.options.write('b', '1')
      })
      await assert.rejects(stuck, { fault: 'transaction', message: /longer than 50 ms/ })
      await until(async () => (await storage.options.read('b')) === '1')
      assert.deepEqual(await storage.options.readMany(['a', 'b']), new Map([['b', '1']]))
      await storage.close()
    }
  })

  it('a locked database is waited for up to a limit, without blocking, and the error names the lock', async () => {
    const url = `sqlite:${pathOf('busy.db')}`
    const [one, two] = [await openSqlite(url), await openSqlite(url, { busyTimeout: 500 })]
    let ticks = 0
    const ticking = setInterval(() => (ticks += 1), 5)
    await one.transaction(async (inside) => {
      await inside.options.write('a', 'one')
      await assert.rejects(two.options.write('a', 'two'), { fault: 'busy', message: /locked by another process/ })
    })
    clearInterval(ticking)
    // A process that stood still would have had none.
    assert.ok(ticks >= 2, `the process went on meanwhile: ${ticks} ticks`)
    let second = Promise.resolve()
    await one.transaction(async (inside) => {
      await inside.options.write('a', 'one')
      second = two.options.write('a', 'two')
      await sleep(30)
    })
    await second
    assert.equal(await one.options.read('a'), 'two')
    await Promise.all([one.close(), two.close()])
  })

  it('closing with waiting writes loses none of them, and later use is refused', async () => {
    const url = `sqlite:${pathOf('closing.db')}`
    const storage = await openSqlite(url)
    const writes = Array.from({ length: 100 }, () => storage.posts.insert(aPost()))
    await storage.close()
    await Promise.all(writes)
    await assert.rejects(storage.posts.insert(aPost()), { fault: 'unavailable' })
    await assert.rejects(storage.posts.find(1), { fault: 'unavailable' })
    await assert.rejects(storage.ping(), { fault: 'unavailable' })
    const again = await openSqlite(url)
    assert.equal(await again.posts.count({ order: [], limit: 1, offset: 0 }), 100)
    await again.close()
  })

  it('a full disk is reported, the write is rolled back, and later writes work', async () => {
    const open = await sqliteLibrary()
    const path = pathOf('full.db')
    const [writer, reader] = [new SqliteConnection(open(path), 100), new SqliteConnection(open(path), 100)]
    await writer.query('PRAGMA journal_mode = WAL')
    await writer.execute('CREATE TABLE filling (value TEXT)')
    await writer.query('PRAGMA max_page_count = 20')
    const database = sqliteDatabase({ writer, reader }, limits, new SqliteChangeToken(reader, false, () => {}))
    const fill = (size: number): Promise<number> =>
      database.write((connection) => connection.insert('INSERT INTO filling VALUES (?)', ['x'.repeat(size)], 'rowid'))
    await fill(1000)
    await assert.rejects(fill(1_000_000), { fault: 'full', message: /disk is full/ })
    await fill(1000)
    assert.deepEqual(await database.reader.query('SELECT COUNT(*) FROM filling'), [[2]])
    await database.close()
  })

  it('a read-only database is reported', async () => {
    const open = await sqliteLibrary()
    const connection = new SqliteConnection(open(pathOf('read-only.db')), 100)
    await connection.execute('CREATE TABLE filling (value TEXT)')
    await connection.query('PRAGMA query_only = ON')
    const database = sqliteDatabase(
      { writer: connection, reader: connection },
      limits,
      new SqliteChangeToken(connection, true, () => {}),
    )
    const write = database.write((own) => own.execute('INSERT INTO filling VALUES (1)'))
    await assert.rejects(write, { fault: 'read-only', message: /cannot be written/ })
    await database.close()
  })
})

it('one statement can read a row, rows, and a row again', async () => {
  const open = await sqliteLibrary()
  const client = open(':memory:')
  client.prepare(`CREATE TABLE numbers (name TEXT UNIQUE, value INTEGER)`).run([])
  for (const [index, name] of ['a', 'b', 'c'].entries())
    client.prepare('INSERT INTO numbers VALUES (?, ?)').run([name, index])
  const statement = client.prepare('SELECT value FROM numbers WHERE name = ? LIMIT 1')
  assert.deepEqual(statement.all(['a']), [[0]])
  assert.deepEqual(statement.get(['b']), [1])
  assert.deepEqual(statement.all(['c']), [[2]])
  assert.equal(statement.get(['d']), null)
  assert.deepEqual(statement.get(['a']), [0])
  client.close()
})
