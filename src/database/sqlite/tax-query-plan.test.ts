import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { postSql } from '../sql/post-query.js'
import { tableNames } from '../sql/table-names.js'
import type { TermFilter } from '../term-filter.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'
import { sqliteDialect } from './sqlite-dialect.js'

const category = { taxonomy: 'category', by: 'slug', values: ['few'], includesChildren: true } as const
const filters: [what: string, filter: TermFilter][] = [
  ['one of some terms', { ...category, compare: 'in' }],
  [
    'one of some terms by id, without those below them',
    { ...category, by: 'id', values: [7, 8], compare: 'in', includesChildren: false },
  ],
  ['none of some terms', { ...category, compare: 'not in' }],
  ['any term', { ...category, values: [], compare: 'exists' }],
  ['no term', { ...category, values: [], compare: 'not exists' }],
  [
    'each of two terms',
    {
      relation: 'and',
      filters: [
        { ...category, compare: 'in' },
        { ...category, values: ['other'], compare: 'in' },
      ],
    },
  ],
  [
    'one of two taxonomies',
    {
      relation: 'or',
      filters: [
        { ...category, compare: 'in' },
        { ...category, taxonomy: 'post_tag', compare: 'not in' },
      ],
    },
  ],
]

test('a tax_query reads posts and their terms by indexes', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'tax-query-plan-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'site.sqlite')
  await (await openSqlite(`sqlite:${file}`)).close()
  const client = (await sqliteLibrary())(file)
  context.after(() => client.close())
  for (const [what, terms] of filters) {
    const query = { types: ['product'], statuses: ['publish'], terms, limit: 10, offset: 0 }
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
    const ofRelationships = steps.filter((step) => /^(?:SCAN|SEARCH) r\b/.test(step))
    assert.ok(ofRelationships.length > 0, plan)
    for (const step of ofRelationships) assert.match(step, /^SEARCH r (?:EXISTS )?USING (?:.*INDEX|PRIMARY KEY)/, plan)
    // The order of the list is that of the index: what is read ends with the page.
    assert.ok(!steps.some((step) => /ORDER BY/.test(step)), plan)
  }
})
