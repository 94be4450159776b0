import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import type { NewRecord } from '../../src/content/record.js'
import { onlyOnSqlite, sharedDatabase } from '../support/test-database.js'
import { until } from '../support/until.js'
import { cachedService, type CachedService } from './cached-service.js'
import { withoutResponseCache } from '../support/response-cache.js'

const folder = mkdtempSync(join(tmpdir(), 'scheduled-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = (): string => join(folder, `${(files += 1)}.sqlite`)

const noon = Date.parse('2026-05-01T12:00:00Z')
const minute = 60_000
/** An address of a record that is due `milliseconds` after noon. */
const due = (milliseconds: number, fields: NewRecord = {}): NewRecord => ({
  type: 'post',
  status: 'publish',
  title: 'Due',
  date_gmt: new Date(noon + milliseconds).toISOString().slice(0, 19),
  ...fields,
})

/** A service whose clock shows noon until the test sets it. */
async function serviceAtNoon(context: TestContext, database?: string) {
  const clock = { now: noon }
  const site = await cachedService({ clock: () => clock.now, ...(database !== undefined && { database }) })
  context.after(() => site.close())
  return { site, clock }
}

const titles = (site: CachedService) => site.read('list') as Promise<string[]>
const isListed = (site: CachedService) => async () => (await titles(site)).length > 0

test('a list, a single record and the cache show a scheduled record when its time has come', async (context) => {
  const { site, clock } = await serviceAtNoon(context)
  const { id, link } = await site.service.records.insert(due(90 * minute))
  const scheduled = await site.service.records.get(id)
  assert.equal(scheduled?.status, 'future')
  assert.equal(link, `${site.url}/?p=${id}`)
  assert.deepEqual(await titles(site), [])
  clock.now = noon + 90 * minute - 1
  await sleep(1100)
  assert.deepEqual(await titles(site), [])
  clock.now += 1
  await until(isListed(site))
  assert.deepEqual(await titles(site), ['Due'])
  const record = await site.service.records.get(id)
  assert.deepEqual(
    { ...record, meta: { ...record?.meta } },
    {
      ...scheduled,
      status: 'publish',
      link: `${site.url}/due/`,
      meta: { _pingme: '1', _encloseme: '1' },
    },
  )
  assert.equal((await fetch(`${site.url}/due/`)).status, 200)
  assert.deepEqual(site.log, [])
})

test('a record that became due while no service ran is published before the first request', async (context) => {
  const database = await sharedDatabase(newFile())
  const { site, clock } = await serviceAtNoon(context, database)
  await site.service.records.insert(due(2 * minute))
  await site.close()
  const later = await cachedService({ clock: () => clock.now + 2 * minute, database })
  context.after(() => later.close())
  assert.deepEqual(await titles(later), ['Due'])
})

test('records that are due long after are published no earlier', async (context) => {
  const { site, clock } = await serviceAtNoon(context)
  await site.service.records.insert(due(2 ** 31 + minute))
  await site.service.records.insert(due(3 * minute, { title: 'Soon' }))
  clock.now = noon + 3 * minute
  await until(isListed(site))
  assert.deepEqual(await titles(site), ['Soon'])
})

test('many records of one moment are published, each with its own slug and category', async (context) => {
  const { site, clock } = await serviceAtNoon(context)
  const records = await Promise.all(Array.from({ length: 120 }, () => site.service.records.insert(due(2 * minute))))
  clock.now = noon + 2 * minute
  const published = { type: 'post', status: 'publish' }
  await until(async () => (await site.service.records.count(published)) === 120)
  const slugs = await Promise.all(records.map(async ({ id }) => (await site.service.records.get(id))?.slug))
  assert.equal(new Set(slugs).size, 120)
})

test(
  'processes on one database publish a record once, and all of them show it',
  { skip: onlyOnSqlite },
  async (context) => {
    const file = newFile()
    const { site, clock } = await serviceAtNoon(context, `sqlite:${file}`)
    const others = await Promise.all(
      [1, 2, 3].map(() => cachedService({ clock: () => clock.now, database: `sqlite:${file}` })),
    )
    const services = [site, ...others]
    context.after(() => Promise.all(others.map((other) => other.close())))
    const { id } = await site.service.records.insert(due(2 * minute, { type: 'page' }))
    const other = (await sqliteLibrary())(file)
    other.prepare('CREATE TABLE publications (id INTEGER)').run([])
    other
      .prepare(
        `CREATE TRIGGER counting AFTER UPDATE OF post_status ON wp_posts
      BEGIN INSERT INTO publications VALUES (NEW.ID); END`,
      )
      .run([])
    clock.now = noon + 2 * minute
    for (const each of services) await until(async () => (await each.service.records.get(id))?.status === 'publish')
    assert.deepEqual(other.prepare('SELECT id FROM publications').all([]), [[id]])
    other.close()
    assert.deepEqual(
      services.flatMap(({ log }) => log),
      [],
    )
  },
)

test(
  'a record that another program schedules is published too, and gets the slug and the guid that it lacks',
  { skip: onlyOnSqlite },
  async (context) => {
    const file = newFile()
    const { site, clock } = await serviceAtNoon(context, `sqlite:${file}`)
    const { id } = await site.service.records.insert({ type: 'post', status: 'draft', title: 'Foreign' })
    const other = (await sqliteLibrary())(file)
    context.after(() => other.close())
    other
      .prepare(
        `UPDATE wp_posts SET post_status = 'future', post_date_gmt = '2026-05-01 12:00:00', guid = '' WHERE ID = ?`,
      )
      .run([id])
    assert.equal(clock.now, noon)
    await until(isListed(site))
    const row = other.prepare('SELECT post_name, guid FROM wp_posts WHERE ID = ?').get([id])
    assert.deepEqual(row, ['foreign', `${site.url}/foreign/`])
  },
)

test(
  'a record that the database refuses to publish is logged and tried again, and holds no other back',
  { skip: onlyOnSqlite },
  async (context) => {
    const file = newFile()
    const { site, clock } = await serviceAtNoon(context, `sqlite:${file}`)
    const { id } = await site.service.records.insert(due(2 * minute, { title: 'Refused' }))
    await site.service.records.insert(due(2 * minute, { title: 'Other' }))
    const other = (await sqliteLibrary())(file)
    context.after(() => other.close())
    other
      .prepare(
        `CREATE TRIGGER refusing BEFORE UPDATE ON wp_posts WHEN OLD.ID = ${id} BEGIN SELECT RAISE(ABORT, 'not yet'); END`,
      )
      .run([])
    clock.now = noon + 2 * minute
    await until(isListed(site))
    assert.deepEqual(await titles(site), ['Other'])
    await until(() => site.log.length > 0)
    const [line] = site.log
    assert.equal(line?.level, 'error')
    assert.equal(line?.fields['code'], 'scheduled-not-published')
    assert.equal(line?.fields['delay'], 1000)
    assert.match(String(line?.fields['err']), /not yet/)
    other.prepare('DROP TRIGGER refusing').run([])
    await until(async () => (await titles(site)).length === 2)
  },
)

test(
  'a record that cannot be published leaves all responses in the cache, is tried again less and less often, and is logged once',
  { skip: withoutResponseCache },
  async (context) => {
    const file = newFile()
    const { site, clock } = await serviceAtNoon(context, `sqlite:${file}`)
    const { id } = await site.service.records.insert(due(2 * minute, { title: 'Refused' }))
    const other = (await sqliteLibrary())(file)
    context.after(() => other.close())
    const refuse = (reason: string) => {
      other.prepare('DROP TRIGGER IF EXISTS refusing').run([])
      other
        .prepare(
          `CREATE TRIGGER refusing BEFORE UPDATE ON wp_posts WHEN OLD.ID = ${id} BEGIN SELECT RAISE(ABORT, '${reason}'); END`,
        )
        .run([])
    }
    refuse('never')
    clock.now = noon + 2 * minute
    await until(() => site.log.length > 0)
    const delays = () => site.log.map(({ fields }) => Number(fields['delay']))
    const maxAge = async (path: string) => (await site.get(path)).headers.get('cache-control')
    assert.equal(await maxAge('named/x'), 'public, max-age=60')
    assert.equal(await maxAge('named/x'), 'public, max-age=60')
    assert.equal(site.runs.of('named'), 1)
    // Other records are published when they are due.
    await site.service.records.insert(due(4 * minute, { title: 'Later' }))
    clock.now = noon + 4 * minute
    await until(isListed(site))
    assert.deepEqual(await titles(site), ['Later'])
    // At least one more attempt fails for the same reason, which the log has already.
    await sleep(2_500)
    assert.deepEqual(delays(), [1000])
    refuse('for another reason')
    await until(() => site.log.length > 1)
    assert.ok((delays()[1] ?? 0) >= 4000, String(delays()))
    other.prepare('DROP TRIGGER refusing').run([])
    await until(async () => (await titles(site)).length === 2)
    assert.equal(await maxAge('named/y'), 'public, max-age=60')
  },
)

test('no copy of a cached response outlives the next publication', { skip: withoutResponseCache }, async (context) => {
  const { site, clock } = await serviceAtNoon(context)
  const lifetime = async () =>
    Number(/max-age=(\d+)/.exec((await site.get('list')).headers.get('cache-control') ?? '')?.[1])
  assert.equal(await lifetime(), 60)
  await site.service.records.insert(due(100_000))
  const moments = [0, 30_000, 49_000, 50_000, 80_000, 95_000, 98_000, 98_001, 99_000, 99_999]
  for (const moment of moments) {
    clock.now = noon + moment
    assert.ok(moment + 1000 * (await lifetime()) <= 100_000, `${moment}`)
  }
  clock.now = noon + 100_000
  await until(isListed(site))
  assert.equal(await lifetime(), 60)
})
