import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql } from '../../../test/support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { openMysql } from './open-mysql.js'

describe('triggers that MariaDB keeps as faulty', { skip: skipWithoutProgram('mariadb') }, () => {
  let server: TestServer
  before(async () => {
    server = (await startServer('mariadb')) ?? assert.fail('MariaDB is gone')
  })
  after(() => server.drop())

  /** Lets the server read the triggers of a table while their file is damaged, as when the session that reads them is ended. */
  async function damage(table: string): Promise<void> {
    const [[folder] = []] = await foreignSql(server.url, 'SELECT @@datadir')
    const file = join(folder ?? '', 'test', `${table}.TRG`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll('INSERT INTO', 'INSER INTO'))
    const write = () => foreignSql(server.url, `DELETE FROM ${table}`)
    await foreignSql(server.url, 'FLUSH TABLES')
    await assert.rejects(write(), /has an error in its body/)
    writeFileSync(file, text)
    await assert.rejects(write(), /has an error in its body/)
  }

  for (const rights of ['ALL', 'SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, TRIGGER'])
    it(`are read again by a user with the rights ${rights}, and the write is stored`, async () => {
      const [user, host] = [`u${rights.length}`, "'127.0.0.1'"]
      const on = rights === 'ALL' ? '*.*' : 'test.*'
      await foreignSql(
        server.url,
        `CREATE USER ${user}@${host} IDENTIFIED BY 'secret'`,
        `GRANT ${rights} ON ${on} TO ${user}@${host}`,
      )
      const url = Object.assign(new URL(server.url), { username: user, password: 'secret' })
      const storage = await openMysql(String(url))
      try {
        await storage.options.write('before', 'yes')
        await damage('wp_options')
        await storage.options.write('single', rights)
        assert.equal(await storage.options.read('single'), rights)
      } finally {
        await storage.close()
      }
      const other = await openMysql(String(url))
      try {
        await other.posts.insert(aPost())
        await damage('wp_posts')
        const ids = await Promise.all(
          Array.from({ length: 4 }, () => other.write((inside) => inside.posts.insert(aPost()))),
        )
        for (const id of ids) assert.notEqual(await other.posts.find(id), null)
      } finally {
        await other.close()
      }
    })
})
