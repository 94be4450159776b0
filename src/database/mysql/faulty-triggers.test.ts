import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql } from '../../../test/support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { parseMysqlAddress } from './mysql-address.js'
import { connectionsOf, openMysql } from './open-mysql.js'
import { readTriggers } from './triggered-tables.js'

describe('triggers that MariaDB keeps as faulty', { skip: skipWithoutProgram('mariadb') }, () => {
  let server: TestServer
  before(async () => {
    server = (await startServer('mariadb')) ?? assert.fail('MariaDB is gone')
  })
  after(() => server.drop())

  /** Runs something while the file of the triggers of a table is damaged. */
  async function whileDamaged<T>(table: string, run: () => Promise<T>): Promise<T> {
    const [[folder] = []] = await foreignSql(server.url, 'SELECT @@datadir')
    const file = join(folder ?? '', 'test', `${table}.TRG`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll('INSERT INTO', 'INSER INTO'))
    try {
      return await run()
    } finally {
      writeFileSync(file, text)
    }
  }

  /** Lets the server read the triggers of a table while their file is damaged, as when the session that reads them is ended. */
  async function damage(table: string): Promise<void> {
    const write = () => foreignSql(server.url, `DELETE FROM ${table}`)
    await whileDamaged(table, async () => {
      await foreignSql(server.url, 'FLUSH TABLES')
      await assert.rejects(write(), /has an error in its body/)
    })
    await assert.rejects(write(), /has an error in its body/)
  }

  /** The address of the server for a user of its own. */
  async function addressFor(user: string, grants: string): Promise<string> {
    await foreignSql(
      server.url,
      `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'secret'`,
      `GRANT ${grants} TO ${user}@'127.0.0.1'`,
    )
    return Object.assign(new URL(server.url), { username: user, password: 'secret' }).href
  }

  it('are read again once by a user who may, and the writes are stored', async () => {
    const warnings: string[] = []
    const storage = await openMysql(await addressFor('owner', 'ALL ON *.*'), {
      onWarning: (code, sentence) => warnings.push(`${code}: ${sentence}`),
    })
    try {
      await storage.options.write('before', 'yes')
      await damage('wp_options')
      await storage.options.write('single', 'yes')
      assert.equal(await storage.options.read('single'), 'yes')
      await storage.posts.insert(aPost())
      await damage('wp_posts')
      const ids = await Promise.all(
        Array.from({ length: 4 }, () => storage.write((inside) => inside.posts.insert(aPost()))),
      )
      for (const id of ids) assert.notEqual(await storage.posts.find(id), null)
      assert.equal(warnings.length, 2)
      for (const [index, table] of ['wp_options', 'wp_posts'].entries())
        assert.match(
          warnings[index] ?? '',
          new RegExp(`^database-trigger-unread: ${table}_\\w+: the service has run FLUSH LOCAL TABLES ${table}\\.$`),
        )
    } finally {
      await storage.close()
    }
  })

  it('are read again each time when they are left unread several times in a row', async () => {
    const storage = await openMysql(server.url)
    try {
      for (const value of 'abcdefgh') {
        await damage('wp_options')
        await storage.options.write('again', value)
        assert.equal(await storage.options.read('again'), value)
      }
    } finally {
      await storage.close()
    }
  })

  it('are not read again by writers at the same time that find the table open', async () => {
    const warnings: string[] = []
    const connections = await connectionsOf(parseMysqlAddress(server.url), {})
    const storage = await openMysql(server.url, { poolSize: 20, onWarning: (code) => warnings.push(code) })
    try {
      await foreignSql(server.url, 'FLUSH TABLES')
      await readTriggers(connections, ['wp_options'])
      const outcomes = await whileDamaged('wp_options', async () => {
        const { writes } = await storage.transaction(async (inside) => {
          await inside.options.write('held', 'yes')
          // Those that wait for the row have the table open at the same time.
          const waiting = Array.from({ length: 8 }, (_, index) => storage.options.write('held', String(index)))
          await foreignSql(server.url, 'SELECT SLEEP(0.5)')
          return { writes: Promise.allSettled(waiting) }
        })
        return writes
      })
      assert.deepEqual(
        outcomes.filter(({ status }) => status === 'rejected'),
        [],
      )
      assert.deepEqual(warnings, [])
    } finally {
      await storage.close()
      await connections.close()
    }
  })

  it('fail the writes of a user who may not, with one line that says what to do', async () => {
    const warnings: string[] = []
    const rights = 'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, TRIGGER ON test.*'
    const storage = await openMysql(await addressFor('service', rights), {
      onWarning: (code, sentence) => warnings.push(`${code}: ${sentence}`),
    })
    try {
      await foreignSql(server.url, `ALTER TABLE wp_options COMMENT = 'of the administrator'`)
      await damage('wp_options')
      let attempts = 0
      const write = () =>
        storage.transaction(async (inside) => {
          attempts += 1
          await inside.options.write('refused', 'yes')
        })
      await assert.rejects(write())
      await assert.rejects(write())
      assert.equal(attempts, 2)
      assert.equal(warnings.length, 1)
      assert.match(warnings[0] ?? '', /: FLUSH LOCAL TABLES wp_options was refused \(.*RELOAD.*\)\.$/)
      const [[comment] = []] = await foreignSql(
        server.url,
        'FLUSH TABLES',
        `SELECT table_comment FROM information_schema.tables WHERE table_schema = 'test' AND table_name = 'wp_options'`,
      )
      assert.equal(comment, 'of the administrator')
      await storage.options.write('afterwards', 'yes')
    } finally {
      await storage.close()
    }
  })
})
