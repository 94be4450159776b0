import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { scheduledStatements } from '../sql/scheduled-rows.js'
import { tableNames } from '../sql/table-names.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'

test('scheduled posts are found by their index, in its order', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'scheduled-plan-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.sqlite')
  await (await openSqlite(`sqlite:${file}`)).close()
  const client = (await sqliteLibrary())(file)
  const planOf = (statement: string, ...values: (string | number)[]) =>
    client
      .prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .all(values)
      .map((row) => String(row.at(-1)).replace('COVERING INDEX', 'INDEX'))
  const { due, dueAfter, publish } = scheduledStatements(tableNames('wp_'))
  const date = '2026-05-01 12:00:00'
  assert.deepEqual(planOf(due, date, 50), ['SEARCH wp_posts USING INDEX wp_posts_scheduled (post_date_gmt<?)'])
  for (const step of planOf(dueAfter, date, date, 1, 50))
    assert.match(step, /^SEARCH wp_posts USING INDEX wp_posts_scheduled \(.*post_date_gmt/)
  assert.deepEqual(planOf(publish, 1, date), ['SEARCH wp_posts USING INTEGER PRIMARY KEY (rowid=?)'])
  client.close()
})
