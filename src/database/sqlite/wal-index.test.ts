import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { openSqlite } from './open-sqlite.js'
import { SqliteChangeToken } from './sqlite-change-token.js'
import { sqliteLibrary } from './sqlite-client.js'
import { SqliteConnection } from './sqlite-connection.js'
import { WalIndex } from './wal-index.js'
import { typescriptArguments } from '../../../test/support/typescript.js'

const folder = mkdtempSync(join(tmpdir(), 'wal-index-'))
after(() => rmSync(folder, { recursive: true }))
const open = await sqliteLibrary()
let files = 0
const newPath = (): string => join(folder, `${(files += 1)}.sqlite`)

/** Runs statements in another process. @returns what it prints. */
function elsewhere(path: string, statements: readonly string[]): string {
  const client = JSON.stringify(new URL('./sqlite-client.ts', import.meta.url).href)
  const code = `
    const { sqliteLibrary } = await import(${client})
    const database = (await sqliteLibrary())(${JSON.stringify(path)})
    database.prepare('PRAGMA busy_timeout = 0').all([])
    for (const statement of ${JSON.stringify(statements)}) {
      try { console.log(JSON.stringify(database.prepare(statement).all([]))) } catch (error) { console.log(String(error.message)) }
    }
    database.close()`
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...typescriptArguments, '--input-type=module', '--eval', code],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stderr)
  return stdout
}

const isLinux = process.platform === 'linux'
const onLinux = { skip: isLinux ? false : 'the wal-index is read on Linux only' }

describe('the header of the wal-index', onLinux, () => {
  it('it changes with every commit of any connection and process, and only then', async () => {
    const path = newPath()
    const [writer, reader] = [open(path), open(path)]
    writer.prepare('PRAGMA journal_mode = WAL').all([])
    writer.prepare('CREATE TABLE numbers (value INTEGER)').run([])
    reader.prepare('SELECT COUNT(*) FROM numbers').all([])
    const walIndex = WalIndex.open(path)
    assert.ok(walIndex)
    let last = walIndex.changes()
    const assertChanged = (isExpected: boolean, what: string): void => {
      const now = walIndex.changes()
      assert.equal(now !== last, isExpected, what)
      last = now
    }
    for (let count = 0; count < 500; count += 1) {
      writer.prepare('INSERT INTO numbers VALUES (1)').run([])
      assertChanged(true, `insert ${count}`)
    }
    reader.prepare('SELECT COUNT(*) FROM numbers').all([])
    assertChanged(false, 'a read')
    writer.prepare('BEGIN IMMEDIATE').run([])
    writer.prepare('INSERT INTO numbers VALUES (2)').run([])
    assertChanged(false, 'an open transaction')
    writer.prepare('ROLLBACK').run([])
    assertChanged(false, 'a transaction that was rolled back')
    elsewhere(path, ['INSERT INTO numbers VALUES (3)'])
    assertChanged(true, 'a commit of another process')
    writer.prepare('VACUUM').run([])
    assertChanged(true, 'VACUUM')
    for (let count = 0; count < 20; count += 1) {
      writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([])
      walIndex.changes()
      last = walIndex.changes()
      writer.prepare('INSERT INTO numbers VALUES (4)').run([])
      assertChanged(true, 'the first commit after a checkpoint')
    }
    writer.close()
    reader.close()
  })

  it('one descriptor reads it, and closing a service leaves the locks of another in place', async () => {
    const path = newPath()
    const [one, two] = [await openSqlite(`sqlite:${path}`), await openSqlite(`sqlite:${path}`)]
    await one.options.write('counter', '0')
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    let isOpen = (): void => undefined
    const opened = new Promise<void>((resolve) => (isOpen = resolve))
    const transaction = one.transaction(async (storage) => {
      await storage.options.write('counter', '1')
      isOpen()
      await ended
    })
    await opened
    assert.equal(typeof (await two.changeToken()), 'number')
    await two.close()
    const printed = elsewhere(path, [`UPDATE wp_options SET option_value = '2' WHERE option_name = 'counter'`])
    assert.match(printed, /locked|busy/i)
    end()
    await transaction
    assert.equal(await one.options.read('counter'), '1')
    await one.close()
  })

  it('reading it does not disturb an open snapshot while another process truncates the log', async () => {
    const path = newPath()
    const [one, two] = [await openSqlite(`sqlite:${path}`), await openSqlite(`sqlite:${path}`)]
    for (let count = 0; count < 20; count += 1) await one.posts.insert(aPost({ post_content: 'x'.repeat(4000) }))
    const snapshot = open(path)
    snapshot.prepare('BEGIN').run([])
    assert.deepEqual(snapshot.prepare('SELECT COUNT(*) FROM wp_posts').all([]), [[20]])
    for (let count = 0; count < 20; count += 1) await one.posts.insert(aPost({ post_content: 'y'.repeat(4000) }))
    await two.changeToken()
    await two.close()
    assert.match(elsewhere(path, ['PRAGMA wal_checkpoint(TRUNCATE)']), /^\[\[1,/)
    assert.deepEqual(snapshot.prepare('SELECT COUNT(*), SUM(length(post_content)) FROM wp_posts').all([]), [
      [20, 80_000],
    ])
    snapshot.prepare('ROLLBACK').run([])
    snapshot.close()
    await one.close()
  })

  it('it is found beside the target of a symbolic link', () => {
    const path = newPath()
    const link = newPath()
    symlinkSync(path, link)
    const client = open(link)
    client.prepare('PRAGMA journal_mode = WAL').all([])
    client.prepare('CREATE TABLE numbers (value INTEGER)').run([])
    assert.ok(WalIndex.open(link))
    client.close()
  })

  it('its descriptor is closed when the file is gone', async () => {
    const path = newPath()
    const storage = await openSqlite(`sqlite:${path}`)
    const descriptors = (): number => openFiles().filter((file) => file.startsWith(`${path}-shm`)).length
    assert.equal(descriptors(), 2, "SQLite's own, and that of the token")
    await storage.close()
    // libsql closes its files later than it says, so that the last one to close may not remove them.
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    await (await openSqlite(`sqlite:${newPath()}`)).close()
    assert.ok(descriptors() <= 1)
  })
})

/** What this process has open, as Linux lists it. */
function openFiles(): string[] {
  const { stdout } = spawnSync('ls', ['-l', `/proc/${process.pid}/fd`], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => line.split(' -> ')[1] ?? [])
}

describe('the change token', () => {
  it('it differs after every commit and is the same otherwise', async () => {
    for (const url of [`sqlite:${newPath()}`, 'sqlite::memory:']) {
      const storage = await openSqlite(url)
      let last = await storage.changeToken()
      for (let count = 0; count < 50; count += 1) {
        await storage.options.write('counter', String(count))
        const token = await storage.changeToken()
        assert.notEqual(token, last)
        assert.equal(await storage.changeToken(), token)
        last = token
      }
      await storage.close()
    }
  })

  it(
    'comes from a statement where a commit did not change the wal-index, with one warning',
    onLinux,
    async (context) => {
      let now = 0
      context.mock.method(performance, 'now', () => now)
      const [path, other] = [newPath(), newPath()]
      const [writer, reader] = [open(path), new SqliteConnection(open(path), 100)]
      writer.prepare('PRAGMA journal_mode = WAL').all([])
      writer.prepare('CREATE TABLE numbers (value INTEGER)').run([])
      const stranger = open(other)
      stranger.prepare('PRAGMA journal_mode = WAL').all([])
      stranger.prepare('CREATE TABLE numbers (value INTEGER)').run([])
      const warnings: string[] = []
      const changeToken = new SqliteChangeToken(reader, false, (reason) => warnings.push(reason))
      // The wal-index of another database, which follows this one only while both are written.
      await changeToken.useWalIndex(other, async () => {
        stranger.prepare('INSERT INTO numbers VALUES (1)').run([])
      })
      const first = await changeToken.read()
      assert.equal(await changeToken.read(), first)
      writer.prepare('INSERT INTO numbers VALUES (1)').run([])
      assert.equal(await changeToken.read(), first)
      now += 1000
      const second = await changeToken.read()
      assert.notEqual(second, first)
      assert.deepEqual(warnings, ['a commit did not change it'])
      for (let count = 0; count < 5; count += 1) {
        const before = await changeToken.read()
        writer.prepare('INSERT INTO numbers VALUES (1)').run([])
        now += 1000
        assert.notEqual(await changeToken.read(), before)
      }
      assert.equal(warnings.length, 1)
      for (const client of [writer, stranger]) client.close()
      reader.close()
    },
  )

  it('it is read from the wal-index as long as the checks succeed', onLinux, async (context) => {
    let now = 0
    context.mock.method(performance, 'now', () => now)
    const path = newPath()
    const warnings: string[] = []
    const storage = await openSqlite(`sqlite:${path}`, { onWarning: (code) => warnings.push(code) })
    for (let count = 0; count < 20; count += 1) {
      const before = await storage.changeToken()
      await storage.options.write('counter', String(count))
      now += count % 3 === 0 ? 1500 : 100
      assert.notEqual(await storage.changeToken(), before)
    }
    assert.deepEqual(warnings, [])
    assert.ok(statSync(`${path}-shm`).size > 0)
    await storage.close()
  })
})
