import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { statementsWithValues } from '../../../test/support/counted-statements.js'
import { Terms } from '../../content/terms.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'

test('a term whose name makes no slug is found and created by indexes', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'term-name-plan-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.sqlite')
  const storage = await openSqlite(`sqlite:${file}`)
  const statements = await statementsWithValues(() => new Terms(storage).findOrCreate({ name: '!!!' }))
  await storage.close()
  const client = (await sqliteLibrary())(file)
  context.after(() => client.close())
  const reads = statements.filter(({ text }) => /^SELECT\b[^]*\bFROM wp_terms\b/.test(text))
  assert.ok(
    reads.some(({ values }) => values.includes('!!!')),
    JSON.stringify(statements),
  )
  for (const { text, values } of reads) {
    const plan = client.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values as readonly (string | number)[])
    const [first = '', second = ''] = plan.map((row) => String(row.at(-1)))
    assert.match(first, /^SEARCH t USING (?:(?:COVERING )?INDEX wp_terms_(?:name|slug) |INTEGER PRIMARY KEY )/, text)
    assert.match(second, /^SEARCH x USING .*INDEX .*\(term_id=\? AND taxonomy=\?\)/, text)
  }
})
