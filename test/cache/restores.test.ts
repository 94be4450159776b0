import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { until } from '../support/until.js'
import { cachedService, type CachedService } from './cached-service.js'

const folder = mkdtempSync(join(tmpdir(), 'restores-'))
after(() => rmSync(folder, { recursive: true }))
const openClient = await sqliteLibrary()
let sites = 0

/** In another process: to open and close these files here would drop the locks of the service. */
function run(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  assert.equal(status, 0, `${command}: ${error?.message ?? stderr}`)
}

interface Restorable extends CachedService {
  readonly path: string
  /** A copy of the database from when it held one post, `Old`. It holds `New` as well now. */
  readonly copy: string
  titles(): Promise<unknown>
  insert(title: string): Promise<unknown>
}

/** @param isAhead whether the clock was an hour ahead when the last versions were written. `New` is then inserted by SQL. */
async function restorable(context: TestContext, isAhead = false): Promise<Restorable> {
  const path = join(folder, `${(sites += 1)}.db`)
  const copy = `${path}-copy`
  const site = await cachedService({ database: `sqlite:${path}` })
  context.after(() => site.close())
  const insert = (title: string) => site.service.records.insert({ type: 'post', status: 'publish', title })
  const titles = async () => ((await site.read('list')) as string[]).toSorted()
  await insert('Old')
  if (isAhead) sql(path, 'UPDATE wp_as_rest_route_versions SET version = version + 3600000000')
  sql(path, `VACUUM INTO '${copy}'`)
  if (isAhead) insertBySql(path, 'New')
  else await insert('New')
  for (let count = 0; count < 2; count += 1) assert.deepEqual(await titles(), ['New', 'Old'])
  return { ...site, path, copy, titles, insert }
}

const insertBySql = (path: string, title: string): void =>
  sql(
    path,
    `INSERT INTO wp_posts (post_title, post_type, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
    VALUES ('${title}', 'post', '', '', '', '', '')`,
  )

function sql(path: string, ...statements: readonly string[]): void {
  const client = openClient(path)
  try {
    for (const statement of statements) client.prepare(statement).run([])
  } finally {
    client.close()
  }
}

/** Writes a copy into the database as SQLite's backup does: every table as it was, in one transaction, without triggers. */
function restoreBySql(path: string, copy: string): void {
  const client = openClient(path)
  const texts = (query: string): string[] =>
    client
      .prepare(query)
      .all([])
      .map(([text]) => String(text))
  const master = (what: string, type: string) => `SELECT ${what} FROM sqlite_master WHERE type = '${type}'`
  const statements = [
    `ATTACH '${copy}' AS copy`,
    'BEGIN IMMEDIATE',
    ...texts(master('name', 'trigger')).map((name) => `DROP TRIGGER ${name}`),
    ...texts(master('name', 'table')).flatMap((name) => [
      `DELETE FROM main.${name}`,
      `INSERT INTO main.${name} SELECT * FROM copy.${name}`,
    ]),
    ...texts(master('sql', 'trigger')),
    'COMMIT',
  ]
  for (const statement of statements) client.prepare(statement).run([])
  client.close()
}

const shell = spawnSync('sqlite3', ['--version']).status === 0
const restores: [how: string, skip: string | false, restore: (path: string, copy: string) => void][] = [
  ['statements', false, restoreBySql],
  [
    'the .restore of the shell',
    shell ? false : 'there is no sqlite3 here',
    (path, copy) => run('sqlite3', path, `.restore ${copy}`),
  ],
]

describe('a backup that SQLite restores into a running database', () => {
  for (const [how, skip, restore] of restores) {
    it(`cached responses of before are not sent: ${how}`, { skip }, async (context) => {
      const site = await restorable(context)
      restore(site.path, site.copy)
      assert.deepEqual(await site.titles(), ['Old'])
      assert.equal((await fetch(`${site.url}/readyz`)).status, 200)
    })

    for (const isAhead of [false, true])
      it(
        `also not after as many writes as there were before${isAhead ? ', by a clock that was set back' : ''}: ${how}`,
        { skip },
        async (context) => {
          const site = await restorable(context, isAhead)
          restore(site.path, site.copy)
          // By another connection, so that this service reads no version in between.
          insertBySql(site.path, 'Other')
          assert.deepEqual(await site.titles(), ['Old', 'Other'])
          await site.insert('Third')
          assert.deepEqual(await site.titles(), ['Old', 'Other', 'Third'])
        },
      )
  }
})

const replacements: [how: string, replace: (site: Restorable) => void][] = [
  ['is overwritten', ({ path, copy }) => run('cp', copy, path)],
  ['is replaced by another', ({ path, copy }) => run('mv', copy, path)],
  ['is removed', ({ path }) => run('rm', path)],
  ['is removed with its log', ({ path }) => run('rm', path, `${path}-wal`, `${path}-shm`)],
  ['loses its log', ({ path }) => run('rm', `${path}-wal`)],
  ['loses its wal-index', ({ path }) => run('rm', `${path}-shm`)],
]
const replacedLines = ({ log }: Restorable) => log.filter(({ fields }) => fields['code'] === 'database-replaced')
const onLinux = { skip: process.platform === 'linux' ? false : 'the wal-index is read on Linux only' }

describe('a database file that is changed under a running service', onLinux, () => {
  for (const [how, replace] of replacements) {
    it(`a file that ${how} is noticed without a request to /readyz, and every request is refused`, async (context) => {
      const site = await restorable(context)
      replace(site)
      const statuses = async () => [(await site.get('list')).status, (await site.get('anew')).status]
      await until(async () => (await statuses()).every((status) => status === 503))
      assert.equal((await fetch(`${site.url}/readyz`)).status, 503)
      await assert.rejects(site.insert('Lost'), { fault: 'unavailable' })
      assert.equal(replacedLines(site).length, 1)
      assert.equal((await fetch(`${site.url}/healthz`)).status, 200)
    })

    it(`/readyz tells at once of a file that ${how}, and no cached response is sent after that`, async (context) => {
      const site = await restorable(context)
      replace(site)
      assert.equal((await fetch(`${site.url}/readyz`)).status, 503)
      assert.equal((await site.get('list')).status, 503)
    })
  }

  for (const [how, replace] of replacements.slice(1, 4))
    it(`no write is acknowledged to a file that ${how}`, async (context) => {
      const site = await restorable(context)
      replace(site)
      await assert.rejects(site.insert('Lost'), { fault: 'unavailable' })
    })

  it('a file that another start has made anew is not taken for the one that was removed', async (context) => {
    const site = await restorable(context)
    run('rm', site.path, `${site.path}-wal`, `${site.path}-shm`)
    const another = await openSqlite(`sqlite:${site.path}`)
    await assert.rejects(site.insert('Lost'), { fault: 'unavailable' })
    assert.equal((await fetch(`${site.url}/readyz`)).status, 503)
    await another.posts.list({ order: [], limit: 1, offset: 0 })
    await another.close()
  })

  it('a file that is moved away and back is served again', async (context) => {
    const site = await restorable(context)
    run('mv', site.path, `${site.path}-away`)
    assert.equal((await fetch(`${site.url}/readyz`)).status, 503)
    await assert.rejects(site.insert('Lost'), { fault: 'unavailable' })
    run('mv', `${site.path}-away`, site.path)
    assert.equal((await fetch(`${site.url}/readyz`)).status, 200)
    await site.insert('Third')
    assert.deepEqual(await site.titles(), ['New', 'Old', 'Third'])
  })

  it('ordinary work of other programs on the database file is not taken for a replacement', async (context) => {
    const site = await restorable(context)
    let tables = 0
    const harmless: [what: string, work: () => unknown][] = [
      ['touch', () => run('touch', site.path)],
      ['other permissions', () => run('chmod', '640', site.path)],
      ['a checkpoint', () => sql(site.path, 'PRAGMA wal_checkpoint(TRUNCATE)')],
      ['VACUUM', () => sql(site.path, 'VACUUM')],
      ['a write and a checkpoint', () => site.insert('More').then(() => sql(site.path, 'PRAGMA wal_checkpoint'))],
      ['a copy of the file', () => run('cp', site.path, `${site.path}-second-copy`)],
      ['other tables', () => sql(site.path, `CREATE TABLE others${(tables += 1)} (value)`)],
    ]
    for (const [what, work] of harmless)
      for (let count = 0; count < 3; count += 1) {
        await work()
        assert.equal((await fetch(`${site.url}/readyz`)).status, 200, what)
      }
    assert.deepEqual(replacedLines(site), [])
  })
})
