import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { boot, endpoint, type DateClause, type DateQuery, type PartialDate, type Service } from '../../src/index.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

const dates = [
  '2023-12-31 23:59:59',
  '2024-01-01 00:00:00',
  '2024-02-29 12:30:15',
  '2024-07-14 09:05:00',
  '2024-12-31 23:59:59',
  '2025-01-01 00:00:00',
  '2025-07-01 09:30:45',
  '2025-07-14 17:05:45',
  '2025-07-31 23:59:59',
  '2025-08-01 00:00:00',
  '2025-11-05 09:05:30',
]

const route = endpoint({ namespace: 'notes/v1', route: '/nothing', permission: 'public' }, () => null)

const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 3 })
const numbers = {
  year: fc.integer({ min: 2023, max: 2026 }),
  month: fc.constantFrom(1, 2, 7, 8, 12),
  day: fc.constantFrom(1, 5, 14, 28, 31),
  hour: fc.constantFrom(0, 9, 12, 17, 23),
  minute: fc.constantFrom(0, 5, 30, 59),
  second: fc.constantFrom(0, 15, 45, 59),
}
const texts = fc.constantFrom('2024', '2024-02', '2025-07', '2025-07-14', '2025-07-14 17:05', ...dates)
const partial = fc
  .record({ year: numbers.year, month: numbers.month, day: fc.constantFrom(1, 14, 28) }, { requiredKeys: ['year'] })
  .map(({ year, month, day }): PartialDate => (month === undefined ? { year } : { year, month, ...(day && { day }) }))
const bounds = fc.record(
  { after: fc.oneof(texts, partial), before: fc.oneof(texts, partial), inclusive: fc.boolean() },
  { requiredKeys: [] },
)
/** Without an hour and a second that lack the minute, which are refused here, and are nothing in WordPress. */
const times = fc.oneof(
  fc.record({ hour: numbers.hour }),
  fc.record({ hour: numbers.hour, minute: numbers.minute }),
  fc.record({ hour: numbers.hour, minute: numbers.minute, second: numbers.second }),
  fc.record({ minute: numbers.minute, second: numbers.second }),
  fc.constant({}),
)
const { year, month, day } = numbers
const parts = fc
  .tuple(
    fc.record({ year, month, day }, { requiredKeys: [] }),
    times,
    fc.record({ compare: fc.constantFrom('=' as const, '!=', '<', '<=', '>', '>=') }, { requiredKeys: [] }),
  )
  .map(([date, time, compare]) => ({ ...date, ...time, ...compare }))
const pair = <T extends keyof typeof numbers>(part: T) =>
  fc.tuple(numbers[part], numbers[part]).map((values) => ({ [part]: values.toSorted((one, other) => one - other) }))
const lists = fc.oneof(
  fc
    .tuple(
      fc.record({ month: few(numbers.month), hour: few(numbers.hour) }, { requiredKeys: ['month'] }),
      fc.constantFrom('IN' as const, 'NOT IN' as const),
    )
    .map(([values, compare]) => ({ ...values, compare })),
  fc
    .tuple(fc.oneof(pair('year'), pair('day'), pair('minute')), fc.constantFrom('BETWEEN' as const, 'NOT BETWEEN'))
    .map(([values, compare]) => ({ ...values, compare })),
)
const column = fc.record({ column: fc.constantFrom('post_date' as const, 'post_date_gmt') }, { requiredKeys: [] })
const clause = fc
  .tuple(bounds, fc.oneof(parts, lists), column)
  .map((each): DateClause => Object.assign({}, ...each) as DateClause)
const query = fc.letrec<{ query: DateQuery }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    clause,
    few(tie('query')),
    fc.record({ relation: fc.constantFrom('AND' as const, 'OR' as const), clauses: few(tie('query')) }),
  ),
})).query

/** The same query as an array of PHP, in which a list without a relation has that of the list around it. */
function phpQuery(each: DateQuery): unknown {
  if (Array.isArray(each)) return { relation: 'AND', ...(each as readonly DateQuery[]).map(phpQuery) }
  if (!('clauses' in each)) return each
  const { relation = 'AND', clauses } = each
  return { relation, ...clauses.map(phpQuery) }
}

describe('date_query on a WordPress site', { skip: skipWithoutWordPress() }, () => {
  let site: WordPressSite
  let service: Service
  before(async () => {
    site = await startWordPressSite()
    await site.php(
      `update_option( 'timezone_string', 'America/New_York' );
      foreach ( $argument as $date ) wp_insert_post( array( 'post_status' => 'publish', 'post_type' => 'note', 'post_title' => $date, 'post_date' => $date ) );`,
      dates,
    )
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    service = await boot([route], { wordpress: { config: site.configPath }, record_types: { note: {} }, log })
  })
  after(async () => {
    await service?.close()
    await site?.stop()
  })

  it('finds the records that WordPress finds', async () => {
    const queries = fc.sample(query, { seed: 20_261_125, numRuns: 400 })
    const there = (await site.php(
      `return array_map( function ( $query ) {
        $posts = get_posts( array( 'post_type' => 'note', 'numberposts' => -1, 'order' => 'ASC', 'date_query' => array( $query ), 'suppress_filters' => true ) );
        return wp_list_pluck( $posts, 'post_title' );
      }, $argument );`,
      queries.map(phpQuery),
    )) as readonly (readonly string[])[]
    const sizes = new Set<number>()
    for (const [index, date_query] of queries.entries()) {
      const here = await service.records.list({ type: 'note', per_page: -1, order: 'asc', date_query })
      assert.deepEqual(
        here.map(({ title }) => title),
        there[index],
        JSON.stringify(date_query),
      )
      sizes.add(here.length)
    }
    assert.ok(sizes.size > 8, `the queries find only ${[...sizes].join(', ')} records`)
  })
})
