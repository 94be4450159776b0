import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { serverTransactionContract } from '../../../test/contracts/server-transactions.js'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { OpenedStorage } from '../store-adapter.js'

serverTransactionContract('PostgreSQL', skipWithoutServer('postgres'), freshPostgres)

describe('transactions on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshPostgres
  /** Two services of 10 connections for writes each. */
  let storages: OpenedStorage[]
  before(async () => {
    database = await freshPostgres()
    storages = [await database.open({ poolSize: 14 }), await database.open({ poolSize: 14 })]
  })
  after(() => database.drop())

  const first = (): OpenedStorage => storages[0] as OpenedStorage

  it('a session holds no lock after its transaction', async (context) => {
    // Other tests use the same database at the same time. This one counts the locks of a database of its own.
    const name = `locks_${randomBytes(8).toString('hex')}`
    await database.foreign(`CREATE DATABASE ${name}`)
    const own = await freshPostgres(Object.assign(new URL(database.url), { pathname: name, search: '' }).href)
    context.after(async () => {
      await own.drop()
      await database.foreign(`DROP DATABASE ${name}`)
    })
    const [storage, other] = [await own.open(), await own.open()]
    await storage.write((inside) => inside.lock(['slug:held', 'slug:tight']))
    await assert.rejects(
      storage.write(async (inside) => {
        await inside.lock(['slug:held'])
        throw new Error('no')
      }),
    )
    await storage.options.write('afterwards', 'yes')
    await other.write((inside) => inside.lock(['slug:held', 'slug:tight']))
    const [[count] = []] = await own.foreign(
      `SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE locktype = 'advisory' AND datname = current_database()`,
    )
    assert.equal(count, '0')
  })

  it('a write that goes on after a failed statement runs again, and keeps the rest', async () => {
    const { posts, options } = first()
    const taken = await posts.insert(aPost())
    let attempts = 0
    await first().write(async (inside) => {
      attempts += 1
      await inside.options.write('rest', String(attempts))
      await assert.rejects(inside.posts.insert(aPost({ ID: taken })), { fault: 'constraint' })
      await inside.options.write('after', String(attempts))
    })
    assert.deepEqual([attempts, await options.read('rest'), await options.read('after')], [2, '2', '2'])
  })

  it('a write that a failed statement ends runs once', async () => {
    const taken = await first().posts.insert(aPost())
    let attempts = 0
    const work = first().write(async (inside) => {
      attempts += 1
      await inside.options.write('never', 'yes')
      await inside.posts.insert(aPost({ ID: taken }))
    })
    await assert.rejects(work, { fault: 'constraint' })
    assert.deepEqual([attempts, await first().options.read('never')], [1, null])
  })

  it('a writer that holds a lock does not wait for another one: it begins again and takes all of them first', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let hold = (): void => undefined
    const held = new Promise<void>((resolve) => (hold = resolve))
    const holder = first().transaction(async (inside) => {
      await inside.lock(['post:2'])
      hold()
      await released
    })
    await held
    const steps: string[] = []
    await storages[1]?.write(async (inside) => {
      steps.push('begun')
      // This attempt locks both before it begins.
      if (steps.length > 1) setImmediate(release)
      await inside.lock(['post:1'])
      await inside.options.read('blogname')
      await inside.lock(['post:2'])
      steps.push('has both')
    })
    await holder
    assert.deepEqual(steps, ['begun', 'begun', 'has both'])
  })

  it('a conflict that does not end is refused as busy, with the number of attempts bounded', async () => {
    const { options } = first()
    await options.write('contended', '0')
    let attempts = 0
    const work = first().transaction(async (inside) => {
      attempts += 1
      await inside.options.read('contended')
      await storages[1]?.options.write('contended', String(attempts))
      await inside.options.write('contended', 'mine')
    })
    await assert.rejects(work, { name: 'StorageError', fault: 'busy' })
    assert.equal(attempts, 10)
    assert.equal(await options.read('contended'), '10')
  })

  it('work that catches the conflict of a statement cannot commit the rest', async () => {
    const { options } = first()
    await options.write('caught', '0')
    let attempts = 0
    await first().transaction(async (inside) => {
      attempts += 1
      await inside.options.write(`part ${attempts}`, 'yes')
      await inside.options.read('caught')
      if (attempts === 1) await storages[1]?.options.write('caught', 'theirs')
      await inside.options.write('caught', 'mine').catch(() => undefined)
    })
    assert.equal(attempts, 2)
    assert.deepEqual(
      [await options.read('part 1'), await options.read('part 2'), await options.read('caught')],
      [null, 'yes', 'mine'],
    )
  })

  it('an inserted id raises the next ids, also when another program inserts it', async () => {
    const table = database.table('posts')
    const columns = 'post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
    await database.foreign(`INSERT INTO ${table} (id, ${columns}) VALUES (5000, '', '', '', '', '', '')`)
    assert.equal(await first().posts.insert(aPost()), 5001)
  })
})
