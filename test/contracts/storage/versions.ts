import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Storage } from '../../../src/database/storage.js'
import { aPost, aUser } from './rows.js'

export function versionContract(storage: () => Storage): void {
  /** The tags that `work` raised; the change token must have changed with them. */
  async function raisedBy(work: () => Promise<unknown>): Promise<string[]> {
    const [token, before] = [await storage().changeToken(), await storage().versions()]
    await work()
    const after = await storage().versions()
    const raised = [...after].filter(([tag, version]) => version > (before.get(tag) ?? 0)).map(([tag]) => tag)
    for (const [tag, version] of before) assert.ok((after.get(tag) ?? 0) >= version, tag)
    if (raised.length > 0) assert.notEqual(await storage().changeToken(), token)
    return raised.sort()
  }

  it('every write to a post raises the version of its type', async () => {
    const { posts } = storage()
    let id = 0
    assert.deepEqual(await raisedBy(async () => (id = await posts.insert(aPost({ post_type: 'Book' })))), ['book'])
    assert.deepEqual(await raisedBy(() => posts.update(id, { post_title: 'New' })), ['book'])
    assert.deepEqual(await raisedBy(() => posts.meta.add(id, 'price', '5')), ['book'])
    assert.deepEqual(await raisedBy(() => posts.meta.write(id, 'price', '6')), ['book'])
    assert.deepEqual(await raisedBy(() => posts.meta.replace(id, 'price', '6', '7')), ['book'])
    assert.deepEqual(await raisedBy(() => posts.meta.remove(id, 'price')), ['book'])
    assert.deepEqual(await raisedBy(() => posts.update(id, { post_type: 'film' })), ['book', 'film'])
    assert.deepEqual(await raisedBy(() => posts.delete(id)), ['film'])
  })

  it('the versions at a token tell which kinds were written after another token', async () => {
    const { posts, users } = storage()
    const versions = async () => storage().versionsAt(await storage().changeToken())
    const id = await posts.insert(aPost({ post_type: 'book' }))
    const before = await versions()
    assert.equal(await versions(), before)
    await posts.meta.add(id, 'price', '5')
    const after = await versions()
    const kinds = ['book', 'film', 'users', 'options', 'terms']
    const written = () => kinds.filter((kind) => !after.areSame(before, [kind]))
    assert.deepEqual(written(), ['book'])
    assert.ok(after.areSame(before, ['film', 'users']) && !after.areSame(before, ['film', 'book']))
    await users.insert(aUser())
    assert.ok(!(await versions()).areSame(after, ['users']))
    assert.deepEqual(written(), ['book'])
  })

  it('a statement that removes many rows raises the versions of their posts', async () => {
    const { posts, terms } = storage()
    const id = await posts.insert(aPost({ post_type: 'book' }))
    for (let count = 0; count < 50; count += 1) await posts.meta.add(id, `key ${count}`, 'value')
    const names = Array.from({ length: 20 }, (_, count) => `term-${count}`)
    const ids = await Promise.all(names.map((name) => terms.insert({ taxonomy: 'category', name, slug: name })))
    await posts.setTerms(id, 'category', ids)
    assert.deepEqual(await raisedBy(() => posts.setTerms(id, 'category', [])), ['book', 'terms'])
    await posts.setTerms(id, 'category', ids)
    assert.deepEqual(await raisedBy(() => posts.delete(id)), ['book', 'terms'])
  })

  it('a write to a term raises the versions of terms and of the posts that get or lose it', async () => {
    const { posts, terms } = storage()
    let term = 0
    const id = await posts.insert(aPost({ post_type: 'book' }))
    const insert = async () => (term = await terms.insert({ taxonomy: 'category', name: 'A', slug: 'a' }))
    assert.deepEqual(await raisedBy(insert), ['terms'])
    assert.deepEqual(await raisedBy(() => posts.setTerms(id, 'category', [term])), ['book', 'terms'])
    assert.deepEqual(await raisedBy(() => terms.delete('category', term)), ['book', 'terms'])
  })

  it('writes to users and options raise their versions', async () => {
    const { users, options } = storage()
    let id = 0
    assert.deepEqual(await raisedBy(async () => (id = await users.insert(aUser()))), ['users'])
    assert.deepEqual(await raisedBy(() => users.update(id, { display_name: 'B' })), ['users'])
    assert.deepEqual(await raisedBy(() => users.meta.write(id, 'nickname', 'b')), ['users'])
    assert.deepEqual(await raisedBy(() => users.delete(id)), ['users'])
    assert.deepEqual(await raisedBy(() => options.write('blogname', 'a')), ['options'])
    assert.deepEqual(await raisedBy(() => options.write('blogname', 'b')), ['options'])
    assert.deepEqual(await raisedBy(() => options.remove('blogname')), ['options'])
  })

  it('a read and a write that is rolled back raise no version', async () => {
    const { posts } = storage()
    assert.deepEqual(await raisedBy(async () => posts.list({ order: [], limit: 1, offset: 0 })), [])
    const rolledBack = () =>
      storage()
        .transaction(async (inside) => {
          await inside.posts.insert(aPost({ post_type: 'book' }))
          throw new Error('changed my mind')
        })
        .catch(() => undefined)
    assert.deepEqual(await raisedBy(rolledBack), [])
  })

  it('a transaction sees its own versions at once, other readers after the commit', async () => {
    await raisedBy(() =>
      storage().transaction(async (inside) => {
        const before = (await inside.versions()).get('book') ?? 0
        await inside.posts.insert(aPost({ post_type: 'book' }))
        assert.ok(((await inside.versions()).get('book') ?? 0) > before)
      }),
    )
  })
}
