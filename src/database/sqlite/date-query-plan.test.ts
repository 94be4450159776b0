import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dateQueryFilter, type DateQuery } from '../../content/date-query.js'
import { postSql } from '../sql/post-query.js'
import { tableNames } from '../sql/table-names.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'
import { sqliteDialect } from './sqlite-dialect.js'

const ranges: readonly [DateQuery, RegExp][] = [
  [{ year: 2025, month: 7 }, /post_date>\? AND post_date<\?/],
  [{ year: 2025, month: [6, 7] }, /post_date>\? AND post_date<\?/],
  [{ after: '2025-07' }, /post_date>\?/],
  [{ before: '2025-07', inclusive: true }, /post_date<\?/],
  [[{ year: 2025 }, { hour: 9, compare: '>=' }], /post_date>\? AND post_date<\?/],
]

test('a date_query of a range of post_date reads that range of the index', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'date-query-plan-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.sqlite')
  await (await openSqlite(`sqlite:${file}`)).close()
  const client = (await sqliteLibrary())(file)
  context.after(() => client.close())
  for (const [query, range] of ranges) {
    const order = [{ by: 'date', direction: 'desc' }] as const
    const selection = { types: ['product'], statuses: ['publish'], dates: dateQueryFilter(query), limit: 10, offset: 0 }
    const { text, values } = postSql({ ...selection, order }, tableNames('wp_'), sqliteDialect, { isOrdered: true })
    const steps = client
      .prepare(`EXPLAIN QUERY PLAN SELECT p.ID FROM wp_posts p ${text()} LIMIT 10`)
      .all([...values])
      .map((row) => String(row.at(-1)))
    assert.equal(steps.length, 1, steps.join('\n'))
    assert.match(steps[0] ?? '', /^SEARCH p USING COVERING INDEX .*\(post_type=\? AND post_status=\? AND /)
    assert.match(steps[0] ?? '', range)
  }
})
