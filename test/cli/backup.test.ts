import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import { CountedApi, Runs } from '../cache/counted-api.js'
import { startService } from '../support/start-service.js'
import { emptyFolder, removeFolders, run } from './command-line.js'

after(removeFolders)

async function serviceIn(context: TestContext, cwd: string) {
  const site = await startService([CountedApi], {
    database: `sqlite:${join(cwd, 'site.sqlite')}`,
    provide: [[Runs, new Runs()]],
  })
  context.after(() => site.close())
  return site.service
}

const backup = (cwd: string, ...words: string[]) =>
  run(['db', 'backup', ...words, '--database', 'sqlite:site.sqlite'], { cwd })

test('a backup under concurrent writes is a complete state of the database that can be served', async (context) => {
  const cwd = emptyFolder()
  const { records } = await serviceIn(context, cwd)
  const insert = (title: string) =>
    records.insert({ type: 'post', status: 'publish', title, content: 'x'.repeat(2000), meta: { title } })
  await Promise.all(Array.from({ length: 500 }, (_, index) => insert(`before ${index}`)))
  const progress = { isOver: false, writes: 0 }
  const writers = [1, 2, 3].map(async () => {
    while (!progress.isOver) await insert(`during ${(progress.writes += 1)}`)
  })
  const { code, stdout, stderr } = await backup(cwd, 'copy.sqlite')
  progress.isOver = true
  await Promise.all(writers)
  assert.deepEqual([code, stderr], [0, ''])
  assert.ok(progress.writes > 3)
  const copy = join(cwd, 'copy.sqlite')
  assert.equal(stdout, `${copy}: ${statSync(copy).size} bytes.\n`)
  assert.equal(statSync(copy).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(cwd).filter((name) => !name.startsWith('site.sqlite')),
    ['copy.sqlite'],
  )

  const client = (await sqliteLibrary())(copy)
  const one = (query: string) => client.prepare(query).get([])?.[0]
  assert.equal(one('PRAGMA integrity_check'), 'ok')
  assert.equal(one(`SELECT COUNT(*) FROM wp_posts WHERE post_title LIKE 'before %'`), 500)
  // A record and its metadata are written in one transaction.
  assert.equal(
    one(`SELECT COUNT(*) FROM wp_posts p WHERE NOT EXISTS
      (SELECT 1 FROM wp_postmeta m WHERE m.post_id = p.ID AND m.meta_value = p.post_title)`),
    0,
  )
  client.close()
  const restored = await openSqlite(`sqlite:${copy}`, { purpose: 'start' })
  await restored.ping()
  await restored.options.write('blogname', 'Restored')
  await restored.close()
})

test('a backup replaces no file, and leaves none behind when it fails', async (context) => {
  const cwd = emptyFolder()
  await serviceIn(context, cwd)
  const path = (name: string) => join(cwd, name)
  writeFileSync(path('taken.sqlite'), 'taken')
  writeFileSync(path('log.sqlite-wal'), 'taken')
  const before = readdirSync(cwd)
  const refusals: [words: string[], code: number, message: RegExp][] = [
    [['taken.sqlite'], 1, /taken\.sqlite exists already\. Name a new file\./],
    [['site.sqlite'], 1, /site\.sqlite exists already/],
    [['log.sqlite'], 1, /log\.sqlite-wal exists already/],
    [['missing/copy.sqlite'], 1, /missing\/copy\.sqlite cannot be written: ENOENT/],
    [[], 2, /missing required argument 'file'/],
  ]
  for (const [words, code, message] of refusals) {
    const finished = await backup(cwd, ...words)
    assert.equal(finished.code, code, finished.stderr)
    assert.match(finished.stderr, message)
    assert.ok(finished.stderr.length < 600, finished.stderr)
  }
  assert.deepEqual(readdirSync(cwd), before)
  assert.equal(readFileSync(path('taken.sqlite'), 'utf8'), 'taken')
})

test('a backup needs a database that exists', async () => {
  const cwd = emptyFolder()
  const missing = await backup(cwd, 'copy.sqlite')
  assert.deepEqual([missing.code, existsSync(join(cwd, 'site.sqlite'))], [1, false])
  assert.match(missing.stderr, /There is no database/)
  const inMemory = await run(['db', 'backup', 'copy.sqlite', '--database', 'sqlite::memory:'], { cwd })
  assert.equal(inMemory.code, 2)
  const help = await run(['db', 'backup', '--help'], { cwd })
  assert.equal(help.code, 0)
  assert.match(help.stdout, /copy the database into a new file, also while a service uses it/)
})
