import assert from 'node:assert/strict'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { aPost } from '../contracts/storage/rows.js'
import { exchange } from '../support/raw-socket.js'
import { onlyOnSqlite, onlyWithOwnToken, openTestStorage, sharedDatabase } from '../support/test-database.js'
import { until } from '../support/until.js'
import { cachedService, gate, type CachedService } from './cached-service.js'
import { typescriptArguments } from '../support/typescript.js'
import { withoutResponseCache } from '../support/response-cache.js'

const folder = mkdtempSync(join(tmpdir(), 'cache-'))
after(() => rmSync(folder, { recursive: true }))

const shared = await sharedDatabase(join(folder, 'one.db'))
for (const database of onlyOnSqlite === false ? [shared, 'sqlite::memory:'] : [shared])
  describe(`no cached response is older than a write: ${database.startsWith('sqlite::') ? 'memory' : 'shared'}`, () => {
    let site: CachedService
    before(async () => (site = await cachedService({ database })))
    after(() => site.close())

    it(
      'a response stays cached until a record is inserted, changed or deleted',
      { skip: withoutResponseCache },
      async () => {
        const { records } = site.service
        assert.deepEqual(await site.read('list'), [])
        assert.deepEqual(await site.read('list'), [])
        assert.equal(site.runs.of('list'), 1)
        const { id } = await records.insert({ type: 'post', status: 'publish', title: 'First' })
        assert.deepEqual(await site.read('list'), ['First'])
        assert.deepEqual(await site.read(`one/${id}`), { title: 'First' })
        await records.update(id, { title: 'Changed' })
        assert.deepEqual(await site.read('list'), ['Changed'])
        assert.deepEqual(await site.read(`one/${id}`), { title: 'Changed' })
        await records.delete(id)
        assert.deepEqual(await site.read('list'), [])
        assert.equal((await site.get(`one/${id}`)).status, 404)
      },
    )

    it('a cached absence is dropped when the record is created', { skip: withoutResponseCache }, async () => {
      for (let count = 0; count < 2; count += 1) assert.equal(await site.read('title/4711'), 'nothing yet')
      assert.equal(site.runs.of('title'), 1)
      await site.service.records.insert({ id: 4711, type: 'page', status: 'publish', title: 'Here' })
      assert.equal(await site.read('title/4711'), 'Here')
      await site.service.records.delete(4711)
    })

    it('a response for a term is dropped when a record gets or loses the term', async () => {
      const { records } = site.service
      assert.equal(await site.read('in/news'), 0)
      const { id } = await records.insert({
        type: 'post',
        status: 'publish',
        title: 'N',
        terms: { category: ['news'] },
      })
      assert.equal(await site.read('in/news'), 1)
      await records.update(id, { terms: { category: ['other'] } })
      assert.equal(await site.read('in/news'), 0)
      await records.delete(id)
    })

    it(
      'a write to one record type leaves cached responses of other types in place',
      { skip: withoutResponseCache },
      async () => {
        await site.read('list')
        const runs = site.runs.of('list')
        await site.service.records.insert({ type: 'page', status: 'publish', title: 'About' })
        await site.read('list')
        assert.equal(site.runs.of('list'), runs)
      },
    )

    it('a write drops the responses with its declared tags and no others', { skip: withoutResponseCache }, async () => {
      await site.read('pages')
      const runs = site.runs.of('pages')
      await site.service.records.insert({ type: 'post', status: 'draft', title: 'x' })
      await site.read('pages')
      assert.equal(site.runs.of('pages'), runs)
      await site.service.records.insert({ type: 'page', status: 'draft', title: 'x' })
      await site.read('pages')
      assert.equal(site.runs.of('pages'), runs + 1)
    })

    it(
      'a request after a write never gets a response begun before it, and requests of one moment share one',
      { skip: withoutResponseCache },
      async (context) => {
        const { opened, open } = gate()
        context.after(open)
        site.runs.gate = opened
        const runs = site.runs.of('slow')
        const early = Array.from({ length: 20 }, () => site.read('slow'))
        await until(() => site.runs.of('slow') > runs)
        await new Promise((resolve) => setTimeout(resolve, 30))
        const before = await site.service.records.count({ type: 'post' })
        await site.service.records.insert({ type: 'post', status: 'publish', title: 'Between' })
        const late = Array.from({ length: 20 }, () => site.read('slow'))
        await new Promise((resolve) => setTimeout(resolve, 30))
        assert.equal(site.runs.of('slow'), runs + 1)
        open()
        // The first is on its way for certain; others may have come after the write.
        assert.deepEqual(await early[0], { count: before })
        await Promise.all(early)
        for (const response of await Promise.all(late)) assert.deepEqual(response, { count: before + 1 })
        // On a server, other tests change the token between requests of one moment.
        if (onlyWithOwnToken === false) assert.equal(site.runs.of('slow'), runs + 2)
      },
    )

    it('a client always sees its own writes', async () => {
      for (let round = 0; round < 40; round += 1) {
        const title = `Round ${round}`
        const noise = Array.from({ length: 4 }, () => site.read('list'))
        await site.service.records.insert({ type: 'post', status: 'publish', title, slug: `round-${round}` })
        const seen = (await site.read('list')) as string[]
        assert.ok(seen.includes(title), title)
        await Promise.all(noise)
      }
    })
  })

/** Another process, which runs this. */
function anotherProcess(code: string): ChildProcessByStdio<Writable, Readable, null> {
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url))
  const imports = `
    const { storeAdapterOf } = await import(${here('../../src/app/stores.ts')})
    const openStorage = (url) => storeAdapterOf(url).open(url, {})
    const { aPost } = await import(${here('../contracts/storage/rows.ts')})
    const { createInterface } = await import('node:readline')`
  const args = [...typescriptArguments, '--input-type=module', '--eval', imports + code]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

describe('writes of other processes', () => {
  it('they are visible as soon as the other process is told that they succeeded', async (context) => {
    const url = await sharedDatabase(join(folder, 'processes.db'))
    const site = await cachedService({ database: url })
    context.after(() => site.close())
    const child = anotherProcess(`
      const storage = await openStorage(${JSON.stringify(url)})
      console.log('ready')
      let id = 0
      for await (const line of createInterface(process.stdin)) {
        const [what, title] = line.split(' ')
        if (what === 'insert') id = await storage.posts.insert(aPost({ post_title: title, post_type: 'post', post_status: 'publish' }))
        if (what === 'update') await storage.posts.update(id, { post_title: title })
        if (what === 'delete') await storage.posts.delete(id)
        console.log('done')
      }
      await storage.close()`)
    context.after(() => child.kill())
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const told = async (order: string): Promise<void> => {
      if (order !== '') child.stdin.write(`${order}\n`)
      await lines.next()
    }
    await told('')
    assert.deepEqual(await site.read('list'), [])
    for (let round = 0; round < 10; round += 1) {
      await told(`insert Made${round}`)
      assert.deepEqual(await site.read('list'), [`Made${round}`])
      await told(`update Changed${round}`)
      assert.deepEqual(await site.read('list'), [`Changed${round}`])
      const runs = site.runs.of('list')
      assert.deepEqual(await site.read('list'), [`Changed${round}`])
      if (withoutResponseCache === false) assert.equal(site.runs.of('list'), runs)
      await told(`delete`)
      assert.deepEqual(await site.read('list'), [])
    }
    child.stdin.end()
    await once(child, 'exit')
  })

  for (const route of ['list', 'anew'])
    it(`every concurrent request that begins after them sees them: ${route}`, async (context) => {
      const url = await sharedDatabase(join(folder, `crowd-${route}.db`))
      const site = await cachedService({ database: url })
      context.after(() => site.close())
      const child = anotherProcess(`
      const storage = await openStorage(${JSON.stringify(url)})
      const id = await storage.posts.insert(aPost({ post_title: '0', post_type: 'post', post_status: 'publish' }))
      let written = 0, reads = 0, stale = 0
      const isOver = () => written >= 150 && reads > 150
      const reader = async () => {
        while (!isOver()) {
          const writtenBefore = written
          const [title] = await (await fetch(${JSON.stringify(`${site.rest}test/v1/${route}`)})).json()
          reads += 1
          if (Number(title) < writtenBefore) stale += 1
        }
      }
      const readers = Array.from({ length: 30 }, reader)
      while (!isOver()) {
        await storage.posts.update(id, { post_title: String(written + 1) })
        written += 1
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await Promise.all(readers)
      await storage.close()
      console.log(JSON.stringify({ stale }))`)
      const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
      assert.deepEqual(JSON.parse(String(value)), { stale: 0 })
    })

  it('they are visible to two services of one process, each with its own cache', async (context) => {
    const url = await sharedDatabase(join(folder, 'services.db'))
    const one = await cachedService({ database: url })
    const two = await cachedService({ database: url })
    const another = await cachedService()
    context.after(() => Promise.all([one, two, another].map((site) => site.close())))
    for (const site of [one, two, another]) assert.deepEqual(await site.read('list'), [])
    await one.service.records.insert({ type: 'post', status: 'publish', title: 'Shared' })
    for (const site of [one, two]) assert.deepEqual(await site.read('list'), ['Shared'])
    assert.deepEqual(await another.read('list'), [])
    if (withoutResponseCache === false) assert.equal(another.runs.of('list'), 1)
  })

  it('they count when another program makes them', async (context) => {
    const url = await sharedDatabase(join(folder, 'foreign.db'))
    const site = await cachedService({ database: url })
    context.after(() => site.close())
    assert.deepEqual(await site.read('list'), [])
    const storage = await openTestStorage(url)
    const id = await storage.posts.insert(aPost({ post_title: 'T', post_type: 'post', post_status: 'publish' }))
    assert.deepEqual(await site.read('list'), ['T'])
    await storage.posts.update(id, { post_type: 'page' })
    assert.deepEqual(await site.read('list'), [])
    await storage.close()
  })

  it('REPLACE counts for the old and the new type of a record', { skip: onlyOnSqlite }, async (context) => {
    const path = join(folder, 'replaced.db')
    const site = await cachedService({ database: `sqlite:${path}` })
    context.after(() => site.close())
    const { id } = await site.service.records.insert({ type: 'post', status: 'publish', title: 'T' })
    assert.deepEqual(await site.read('list'), ['T'])
    const another = (await sqliteLibrary())(path)
    const columns = 'ID, post_type, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
    another.prepare(`REPLACE INTO wp_posts (${columns}) VALUES (?, 'page', '', 'T', '', '', '', '')`).run([id])
    another.close()
    assert.deepEqual(await site.read('list'), [])
  })

  it(
    'versions that can no longer be read fail the request and nothing else',
    { skip: withoutResponseCache || onlyOnSqlite },
    async (context) => {
      const path = join(folder, 'uncounted.db')
      const site = await cachedService({ database: `sqlite:${path}` })
      context.after(() => site.close())
      for (let time = 0; time < 2; time += 1) assert.deepEqual(await site.read('list'), [])
      const another = (await sqliteLibrary())(path)
      another.prepare('DROP TABLE wp_as_rest_route_versions').run([])
      another.close()
      // Spelt so that node:http reads it.
      const request = 'GET /wp-json/test/v1/list HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n\r\n'
      assert.equal((await exchange(site.port, request)).status, 500)
      await new Promise((resolve) => setTimeout(resolve, 10))
    },
  )
})
