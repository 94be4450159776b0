import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { storeAdapterOf } from '../../../src/app/stores.js'
import { aPost, aUser } from '../../contracts/storage/rows.js'
import { freshDatabase, type FreshDatabase } from './fresh-database.js'
import { skipWithoutProgram, skipWithoutServer } from './missing-server.js'
import type { DatabaseKind } from './server-programs.js'
import { startServer } from './start-server.js'

type Run = (url: string, ...statements: readonly string[]) => Promise<readonly (readonly unknown[])[]>

/** The rows of the last statement. */
const onPostgres: Run = async (url, ...statements) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const schema = new URL(url).searchParams.get('schema')
    if (schema !== null) await client.query(`SET search_path TO ${schema}`)
    let rows: unknown[][] = []
    for (const text of statements) ({ rows } = await client.query({ text, rowMode: 'array' }))
    return rows
  } finally {
    await client.end()
  }
}

const onMariadb: Run = async (url, ...statements) => {
  const connection = await createConnection(url.replace(/^mariadb:/, 'mysql:'))
  try {
    let rows: unknown = []
    for (const sql of statements) [rows] = await connection.query({ sql, rowsAsArray: true })
    return rows as unknown[][]
  } finally {
    await connection.end()
  }
}

const kinds: readonly [kind: DatabaseKind, run: Run][] = [
  ['postgres', onPostgres],
  ['mariadb', onMariadb],
]
const making = 'CREATE TABLE words (word VARCHAR(20))'

for (const [kind, run] of kinds) {
  describe(`databases for tests on ${kind}`, { skip: skipWithoutServer(kind) }, () => {
    const fresh = async (): Promise<FreshDatabase> => (await freshDatabase(kind)) ?? assert.fail('no server')

    test('each is empty, and apart from the others', async () => {
      const [one, other] = await Promise.all([fresh(), fresh()])
      await run(one.url, making, "INSERT INTO words VALUES ('one')")
      await run(other.url, making)
      assert.deepEqual(await run(one.url, 'SELECT word FROM words'), [['one']])
      assert.deepEqual(await run(other.url, 'SELECT word FROM words'), [])
      await Promise.all([one.drop(), other.drop()])
    })

    test('one that was emptied has no rows, keeps its tables, and gives the first ids again', async () => {
      const database = await fresh()
      const storage = await storeAdapterOf(database.url).open(database.url, {})
      const everything = { types: ['product'], order: [], limit: 10, offset: 0 } as const
      const write = async () => {
        await storage.options.write('written', 'yes')
        const term = await storage.terms.insert({ name: 'Tea', slug: 'tea', taxonomy: 'category' })
        const post = await storage.posts.insert(aPost())
        await storage.posts.setTerms(post, 'category', [term])
        return [term, post, await storage.users.insert(aUser())]
      }
      const ids = await write()
      assert.equal((await storage.posts.list(everything)).rows.length, 1)
      await database.empty()
      assert.equal(await storage.options.read('written'), null)
      assert.equal(await storage.terms.find('category', { slug: 'tea' }), null)
      assert.deepEqual((await storage.posts.list(everything)).rows, [])
      assert.equal(await storage.posts.count(everything), 0)
      assert.deepEqual(await write(), ids)
      assert.equal(await storage.posts.count(everything), 1)
      await storage.close()
      const again = await storeAdapterOf(database.url).open(database.url, {})
      assert.equal((await again.posts.list(everything)).rows.length, 1)
      await again.close()
      await database.drop()
    })

    test('one that was dropped is gone, and may be dropped again', async () => {
      const database = await fresh()
      await run(database.url, making)
      await database.drop()
      await database.drop()
      await assert.rejects(run(database.url, 'SELECT word FROM words'))
    })
  })

  test(
    `a ${kind} of the test's own keeps data and port when it ends and starts again`,
    {
      skip: skipWithoutProgram(kind),
    },
    async () => {
      const setting = kind === 'postgres' ? 'max_connections=7' : 'max_connections=17'
      const server = (await startServer(kind, [setting])) ?? assert.fail('not installed')
      try {
        await run(server.url, making, "INSERT INTO words VALUES ('kept')")
        for (const end of [server.stop, server.kill]) {
          await end()
          await assert.rejects(run(server.url, 'SELECT word FROM words'), { code: 'ECONNREFUSED' })
          await server.start()
          assert.deepEqual(await run(server.url, 'SELECT word FROM words'), [['kept']])
        }
        const shown = kind === 'postgres' ? 'SHOW max_connections' : 'SELECT @@max_connections'
        assert.equal(`max_connections=${String((await run(server.url, shown))[0]?.[0])}`, setting)
      } finally {
        await server.drop()
      }
      await assert.rejects(run(server.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
    },
  )
}
