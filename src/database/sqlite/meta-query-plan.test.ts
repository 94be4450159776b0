import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { metaFilters } from '../../../test/contracts/meta-filters.js'
import { postSql } from '../sql/post-query.js'
import { tableNames } from '../sql/table-names.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'
import { sqliteDialect } from './sqlite-dialect.js'

test('a condition on metadata reads posts in the order of an index, and the metadata of each by an index', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'meta-query-plan-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.sqlite')
  await (await openSqlite(`sqlite:${file}`)).close()
  const client = (await sqliteLibrary())(file)
  context.after(() => client.close())
  for (const [what, meta] of metaFilters) {
    const query = { types: ['product'], statuses: ['publish'], meta, limit: 10, offset: 0 }
    const order = [{ by: 'date', direction: 'desc' }] as const
    const { text, values } = postSql({ ...query, order }, tableNames('wp_'), sqliteDialect, { isOrdered: true })
    const steps = client
      .prepare(`EXPLAIN QUERY PLAN SELECT p.ID FROM wp_posts p ${text()} LIMIT 10`)
      .all([...values])
      .map((row) => String(row.at(-1)))
    const plan = `${what}:\n${steps.join('\n')}`
    const ofPosts = steps.filter((step) => /^(?:SCAN|SEARCH) p\b/.test(step))
    assert.equal(ofPosts.length, 1, plan)
    assert.match(ofPosts[0] ?? '', /^SEARCH p USING (?:COVERING )?INDEX .*\(post_type=\? AND post_status=\?/, plan)
    const ofMetadata = steps.filter((step) => /^(?:SCAN|SEARCH) m\b/.test(step))
    assert.ok(ofMetadata.length > 0, plan)
    for (const step of ofMetadata) assert.match(step, /^SEARCH m .*INDEX .*\(post_id=\? AND meta_key=\?\)/, plan)
    // The order of the list is that of the index: what is read ends with the page.
    assert.ok(!steps.some((step) => /ORDER BY/.test(step)), plan)
  }
})
