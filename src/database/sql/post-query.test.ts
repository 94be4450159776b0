import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { DateFilter } from '../date-filter.js'
import type { MetaFilter } from '../meta-filter.js'
import type { PostQuery } from '../storage.js'
import type { TermFilter } from '../term-filter.js'
import { keyOf } from './post-query.js'

/** Texts that look like what stands between the parts of a key. */
const text = fc.array(fc.constantFrom('a', ' ', ':', '1', '2', '-', ',', '[', 'id', 'asc'), { maxLength: 3 })
const texts = text.map((parts) => parts.join(''))
const few = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 2 })
const order: fc.Arbitrary<PostQuery['order']> = few(
  fc.record({
    by: fc.oneof(
      fc.constantFrom('id' as const, 'date' as const),
      fc.record({ meta: texts, as: fc.constantFrom('number' as const, 'text' as const) }),
    ),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
)
/** What a key leaves out stands beside it. */
type Fields = Omit<PostQuery, 'limit' | 'offset'>
const parts: { readonly [Name in keyof Required<Fields>]: fc.Arbitrary<Required<Fields>[Name]> } = {
  types: few(texts),
  statuses: few(texts),
  author: fc.nat(2),
  parent: fc.nat(2),
  ids: few(fc.nat(12)),
  exceptIds: few(fc.nat(12)),
  afterId: fc.nat(2),
  meta: fc.letrec<{ filter: MetaFilter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2 },
      fc.record({
        key: texts,
        compare: fc.constantFrom('=' as const, 'in' as const, 'not in' as const),
        as: fc.constantFrom('number' as const, 'text' as const, 'text without case' as const),
        values: few(fc.oneof(texts, fc.nat(2))),
      }),
      fc.record({ relation: fc.constantFrom('and' as const, 'or' as const), filters: few(tie('filter')) }),
    ),
  })).filter,
  dates: fc.letrec<{ filter: DateFilter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2 },
      fc.record({
        column: fc.constantFrom('date' as const, 'modified_gmt' as const),
        part: fc.constantFrom(null, 'year' as const, 'hour to minute' as const),
        compare: fc.constantFrom('<' as const, '>' as const, 'in' as const),
        values: few(texts),
      }),
      fc.record({ relation: fc.constantFrom('and' as const, 'or' as const), filters: few(tie('filter')) }),
    ),
  })).filter,
  slug: texts,
  withoutPassword: fc.constant(true as const),
  term: fc.record({ taxonomy: texts, slug: texts }),
  terms: fc.letrec<{ filter: TermFilter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2 },
      fc.record({
        taxonomy: texts,
        compare: fc.constantFrom('in' as const, 'not in' as const, 'exists' as const),
        by: fc.constantFrom('id' as const, 'slug' as const),
        values: few(fc.oneof(texts, fc.nat(2))),
        includesChildren: fc.boolean(),
      }),
      fc.record({ relation: fc.constantFrom('and' as const, 'or' as const), filters: few(tie('filter')) }),
    ),
  })).filter,
  search: fc.record({ include: few(texts), exclude: few(texts) }),
  order,
}
const query = fc
  .record(parts, { requiredKeys: ['order'] })
  .map((fields): PostQuery => ({ ...fields, limit: 1, offset: 0 }))

/** Without the prototypes that fast-check leaves out now and then. */
const isSame = (one: object, other: object) => isDeepStrictEqual(structuredClone(one), structuredClone(other))

test('two queries have the same key only when they are equal', () => {
  fc.assert(
    fc.property(query, query, (one, other) => {
      assert.equal(keyOf(one) === keyOf(other), isSame(one, other))
      assert.equal(keyOf(one), keyOf(structuredClone(one)))
    }),
    { numRuns: 2000 },
  )
})

test('each field of a query changes the key', () => {
  fc.assert(
    fc.property(query, fc.constantFrom(...Object.keys(parts)), fc.record(parts), (fields, name, others) => {
      const changed = { ...fields, [name]: others[name as keyof Fields] }
      assert.equal(keyOf(changed) === keyOf(fields), isSame(changed, fields))
    }),
    { numRuns: 2000 },
  )
})

test('values of different types have different keys', () => {
  const base = { order: [], limit: 1, offset: 0 }
  const queries: unknown[] = [
    {},
    ...['', null, 5, '5'].flatMap((value) => [
      { author: value },
      { parent: value },
      { slug: value },
      { types: value },
      { types: [value] },
      { ids: [value] },
    ]),
    { ids: [] },
    { ids: ['1,2'] },
    { ids: [1, 2] },
  ]
  assert.equal(new Set(queries.map((query) => keyOf({ ...base, ...(query as object) }))).size, queries.length)
})

test('a query with a value that cannot be bound is refused', () => {
  const base = { order: [], limit: 1, offset: 0 }
  for (const value of [true, {}, [5], 5n, new Date(0)])
    for (const query of [{ author: value }, { slug: value }, { types: [value] }, { ids: [value] }])
      assert.throws(() => keyOf({ ...base, ...(query as object) }), { name: 'StorageError', fault: 'constraint' })
})
