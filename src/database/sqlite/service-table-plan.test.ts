import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { tableNames } from '../sql/table-names.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'
import { sqliteDialect } from './sqlite-dialect.js'

test('the stored responses and the counters that a sweep deletes are found by an index, in its order', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'service-table-plan-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.sqlite')
  await (await openSqlite(`sqlite:${file}`)).close()
  const client = (await sqliteLibrary())(file)
  const tables = tableNames('wp_')
  const expired = { text: `expires_at <= ${sqliteDialect.now}`, values: [] }
  const deletions = [
    sqliteDialect.deleteFirst(tables.storedResponses, expired, 'expires_at', 100),
    sqliteDialect.deleteFirst(tables.storedResponses, { text: 'response IS NOT NULL', values: [] }, 'expires_at', 100),
    sqliteDialect.deleteFirst(tables.attempts, { text: 'kind = ?', values: ['requests'] }, 'kind, empty_at', 100),
  ]
  for (const { text, values } of deletions) {
    const steps = client.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values)
    const plan = steps.map((row) => String(row.at(-1))).join('\n')
    assert.match(plan, /^SEARCH \w+ USING (?:COVERING INDEX|PRIMARY KEY) .*\(name=\?\)$/m, plan)
    assert.doesNotMatch(plan, /SCAN \w+$|TEMP B-TREE FOR ORDER/m, plan)
  }
  client.close()
})
