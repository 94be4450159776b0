import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Storage } from '../../../src/database/storage.js'
import { aPost, aUser } from './rows.js'

/** Values of types that SQL does not have. Plain JavaScript passes them by the compiler. */
const foreignValues: [what: string, value: unknown][] = [
  ['true', true],
  ['false', false],
  ['a bigint', 5n],
  ['a date', new Date(0)],
  ['an object', { length: 1 }],
  ['a list', ['a']],
  ['a function', () => 1],
]

export function foreignValueContract(storage: () => Storage): void {
  const refused = { name: 'StorageError', fault: 'constraint' }
  const page = { order: [], limit: 5, offset: 0 } as const

  for (const [what, foreign] of foreignValues) {
    // Each call is given the value where its type wants text or a number.
    const value = foreign as never
    const calls: [call: string, run: (storage: Storage) => unknown][] = [
      ['posts.find', ({ posts }) => posts.find(value)],
      ['posts.list by slug', ({ posts }) => posts.list({ ...page, slug: value })],
      ['posts.list by author', ({ posts }) => posts.list({ ...page, author: value })],
      ['posts.list by type', ({ posts }) => posts.list({ ...page, types: [value] })],
      ['posts.list by term', ({ posts }) => posts.list({ ...page, term: { taxonomy: 'category', slug: value } })],
      [
        'posts.list by metadata',
        ({ posts }) => posts.list({ ...page, order: [{ by: { meta: value, as: 'text' }, direction: 'asc' }] }),
      ],
      ['posts.count', ({ posts }) => posts.count({ ...page, parent: value })],
      ['posts.slugTaken', ({ posts }) => posts.slugTaken({ slug: value, exceptId: 0 })],
      ['posts.insert', ({ posts }) => posts.insert(aPost({ post_title: value }))],
      ['posts.meta.write', ({ posts }) => posts.meta.write(1, 'key', value)],
      ['posts.meta.read', ({ posts }) => posts.meta.read(value, 'key')],
      ['users.find by id', ({ users }) => users.find({ id: value })],
      ['users.insert', ({ users }) => users.insert(aUser({ user_login: 'grace', user_status: value }))],
      ['terms.find', ({ terms }) => terms.find(value, { id: 1 })],
      ['terms.list', ({ terms }) => terms.list(value)],
      ['options.read', ({ options }) => options.read(value)],
      ['options.write', ({ options }) => options.write('name', value)],
    ]
    for (const [call, run] of calls)
      it(`${call} refuses ${what}`, async () => {
        const { posts } = storage()
        const count = await posts.count(page)
        await assert.rejects(async () => run(storage()), refused)
        assert.equal(await posts.count(page), count)
      })
  }

  it('a transaction continues after a refused value', async () => {
    await storage().transaction(async ({ options }) => {
      await options.write('before', '1')
      await assert.rejects(options.write('refused', true as never), refused)
      await options.write('after', '2')
    })
    const { options } = storage()
    assert.deepEqual(
      [await options.read('before'), await options.read('refused'), await options.read('after')],
      ['1', null, '2'],
    )
  })
}
