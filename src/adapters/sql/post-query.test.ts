import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { PostQuery } from '../../storage/storage.js'
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
type Asked = Omit<PostQuery, 'limit' | 'offset'>
const parts: { readonly [Name in keyof Required<Asked>]: fc.Arbitrary<Required<Asked>[Name]> } = {
  types: few(texts),
  statuses: few(texts),
  author: fc.nat(2),
  parent: fc.nat(2),
  ids: few(fc.nat(12)),
  slug: texts,
  withoutPassword: fc.constant(true as const),
  term: fc.record({ taxonomy: texts, slug: texts }),
  search: texts,
  order,
}
const query = fc
  .record(parts, { requiredKeys: ['order'] })
  .map((asked): PostQuery => ({ ...asked, limit: 1, offset: 0 }))

/** Without the prototypes that fast-check leaves out now and then. */
const isSame = (one: object, other: object) => isDeepStrictEqual(structuredClone(one), structuredClone(other))

test('queries share a key only when they ask the same', () => {
  fc.assert(
    fc.property(query, query, (one, other) => {
      assert.equal(keyOf(one) === keyOf(other), isSame(one, other))
      assert.equal(keyOf(one), keyOf(structuredClone(one)))
    }),
    { numRuns: 2000 },
  )
})

test('each part of a query counts by itself', () => {
  fc.assert(
    fc.property(query, fc.constantFrom(...Object.keys(parts)), fc.record(parts), (asked, name, others) => {
      const changed = { ...asked, [name]: others[name as keyof Asked] }
      assert.equal(keyOf(changed) === keyOf(asked), isSame(changed, asked))
    }),
    { numRuns: 2000 },
  )
})

test('what plain JavaScript asks is not taken for something else', () => {
  const base = { order: [], limit: 1, offset: 0 }
  const asked: unknown[] = [
    {},
    ...['', null, 5, '5', {}, true].flatMap((value) => [
      { author: value },
      { parent: value },
      { slug: value },
      { types: value },
      { types: [value] },
      { ids: [value] },
    ]),
    ...[[5], ['5']].flatMap((value) => [{ author: value }, { slug: value }]),
    { ids: [] },
    { ids: ['1,2'] },
    { ids: [1, 2] },
  ]
  assert.equal(new Set(asked.map((each) => keyOf({ ...base, ...(each as object) }))).size, asked.length)
})
