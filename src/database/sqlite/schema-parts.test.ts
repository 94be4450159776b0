import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startService } from '../../../test/support/start-service.js'
import { CountedApi, Runs } from '../../../test/cache/counted-api.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'

const folder = mkdtempSync(join(tmpdir(), 'schema-parts-'))
after(() => rmSync(folder, { recursive: true }))
const openClient = await sqliteLibrary()
let files = 0

/** The path of a database that was started once. */
async function startedDatabase(): Promise<string> {
  const path = join(folder, `${(files += 1)}.sqlite`)
  await (await openSqlite(`sqlite:${path}`)).close()
  return path
}

/** Runs a statement as another program. */
function change(path: string, statement: string): void {
  const client = openClient(path)
  client.prepare(statement).run([])
  client.close()
}

const start = (path: string) =>
  startService([CountedApi], { database: `sqlite:${path}`, provide: [[Runs, new Runs()]] })

const losses: [part: string, drop: string, restore: string][] = [
  ['the table wp_terms', 'ALTER TABLE wp_terms RENAME TO moved', 'ALTER TABLE moved RENAME TO wp_terms'],
  [
    'the trigger wp_users_insert_raises',
    'DROP TRIGGER wp_users_insert_raises',
    'CREATE TRIGGER wp_users_insert_raises AFTER INSERT ON wp_users BEGIN SELECT 1; END',
  ],
]

describe('a database that lacks a part', () => {
  for (const [part, drop, restore] of losses)
    it(`/readyz tells that ${part} is missing, until it is there again`, async () => {
      const path = await startedDatabase()
      const site = await start(path)
      const status = async () => (await fetch(`${site.url}/readyz`)).status
      assert.equal(await status(), 200)
      change(path, drop)
      assert.equal(await status(), 503)
      assert.equal(site.log.at(-1)?.fields['code'], 'database-unreachable')
      assert.match(String(site.log.at(-1)?.fields['err']), new RegExp(`The database lacks ${part}`))
      change(path, restore)
      assert.equal(await status(), 200)
      await site.close()
    })

  it('the start refuses a missing table by its name', async () => {
    const path = await startedDatabase()
    change(path, 'ALTER TABLE wp_terms RENAME TO moved')
    await assert.rejects(start(path), { fault: 'incompatible', message: /lacks the table wp_terms/ })
  })

  it('the start creates missing triggers, and names them in the log', async () => {
    const path = await startedDatabase()
    for (const kind of ['insert', 'update']) change(path, `DROP TRIGGER wp_users_${kind}_raises`)
    const site = await start(path)
    const [line] = site.log
    assert.equal(line?.fields['code'], 'database-triggers-created')
    assert.match(
      String(line?.fields['detail']),
      /lacked the trigger wp_users_insert_raises, the trigger wp_users_update_raises\./,
    )
    assert.equal((await fetch(`${site.url}/readyz`)).status, 200)
    await site.close()
    const again = await start(path)
    assert.deepEqual(again.log, [])
    await again.close()
  })
})
