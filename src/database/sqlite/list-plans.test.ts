import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { metaFilters } from '../../../test/contracts/meta-filters.js'
import { dateQueryFilter, type DateQuery } from '../../content/date-query.js'
import { postSql } from '../sql/post-query.js'
import { tableNames } from '../sql/table-names.js'
import type { PostQuery } from '../storage.js'
import type { TermFilter } from '../term-filter.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary, type SqliteClient } from './sqlite-client.js'
import { sqliteDialect } from './sqlite-dialect.js'

const category = { taxonomy: 'category', by: 'slug', values: ['few'], includesChildren: true } as const
const termFilters: readonly (readonly [what: string, filter: TermFilter])[] = [
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

const dateRanges: readonly (readonly [query: DateQuery, range: RegExp])[] = [
  [{ year: 2025, month: 7 }, /post_date>\? AND post_date<\?/],
  [{ year: 2025, month: [6, 7] }, /post_date>\? AND post_date<\?/],
  [{ after: '2025-07' }, /post_date>\?/],
  [{ before: '2025-07', inclusive: true }, /post_date<\?/],
  [[{ year: 2025 }, { hour: 9, compare: '>=' }], /post_date>\? AND post_date<\?/],
]

describe('plans of lists on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-plans-'))
  after(() => rmSync(folder, { recursive: true }))
  let client: SqliteClient

  before(async () => {
    const file = join(folder, 'site.sqlite')
    await (await openSqlite(`sqlite:${file}`)).close()
    client = (await sqliteLibrary())(file)
  })
  after(() => client.close())

  /** The steps of the plan of a page of the newest published products. */
  function stepsOf(filter: Pick<PostQuery, 'meta' | 'terms' | 'dates'>): readonly string[] {
    const query = { types: ['product'], statuses: ['publish'], ...filter, limit: 10, offset: 0 }
    const order = [{ by: 'date', direction: 'desc' }] as const
    const { text, values } = postSql({ ...query, order }, tableNames('wp_'), sqliteDialect, { isOrdered: true })
    return client
      .prepare(`EXPLAIN QUERY PLAN SELECT p.ID FROM wp_posts p ${text()} LIMIT 10`)
      .all([...values])
      .map((row) => String(row.at(-1)))
  }

  /** Posts are read in the order of an index, so that what is read ends with the page, and the other table by an index. */
  function requireIndexes(steps: readonly string[], table: string, index: RegExp): void {
    const plan = steps.join('\n')
    const of = (name: string) => steps.filter((step) => new RegExp(`^(?:SCAN|SEARCH) ${name}\\b`).test(step))
    assert.equal(of('p').length, 1, plan)
    assert.match(of('p')[0] ?? '', /^SEARCH p USING (?:COVERING )?INDEX .*\(post_type=\? AND post_status=\?/, plan)
    assert.ok(of(table).length > 0, plan)
    for (const step of of(table)) assert.match(step, index, plan)
    assert.ok(!steps.some((step) => /ORDER BY/.test(step)), plan)
  }

  for (const [what, meta] of metaFilters)
    it(`a condition on metadata reads posts and the metadata of each by indexes: ${what}`, () =>
      requireIndexes(stepsOf({ meta }), 'm', /^SEARCH m .*INDEX .*\(post_id=\? AND meta_key=\?\)/))

  for (const [what, terms] of termFilters)
    it(`a tax_query reads posts and their terms by indexes: ${what}`, () =>
      requireIndexes(stepsOf({ terms }), 'r', /^SEARCH r (?:EXISTS )?USING (?:.*INDEX|PRIMARY KEY)/))

  for (const [query, range] of dateRanges)
    it(`a date_query of a range of post_date reads that range of the index: ${JSON.stringify(query)}`, () => {
      const steps = stepsOf({ dates: dateQueryFilter(query) })
      assert.equal(steps.length, 1, steps.join('\n'))
      assert.match(steps[0] ?? '', /^SEARCH p USING COVERING INDEX .*\(post_type=\? AND post_status=\? AND /)
      assert.match(steps[0] ?? '', range)
    })
})
