import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Storage } from '../../../src/database/storage.js'
import { aPost } from './rows.js'

export function scheduledContract(storage: () => Storage): void {
  const schedule = (date: string, columns: object = {}) =>
    storage().posts.insert(aPost({ post_status: 'future', post_date_gmt: date, ...columns }))

  it('scheduled posts of all types are found by their UTC date, then by id, in pages', async () => {
    const { scheduled, meta } = storage().posts
    assert.deepEqual(await scheduled.due('9999-12-31 23:59:59', null, 1), [])
    const [second, first, later, sameDate] = [
      await schedule('2030-01-02 00:00:00', { post_date: '2020-01-01 00:00:00' }),
      await schedule('2030-01-01 00:00:00', { post_type: 'book' }),
      await schedule('2031-01-01 00:00:00'),
      await schedule('2030-01-02 00:00:00'),
    ]
    await storage().posts.insert(aPost({ post_status: 'draft', post_date_gmt: '2029-01-01 00:00:00' }))
    await meta.add(first, 'price', '5')
    const ids = async (until: string, limit: number, after: Parameters<typeof scheduled.due>[1] = null) =>
      (await scheduled.due(until, after, limit)).map(({ id }) => id)
    assert.deepEqual(await ids('2030-01-01 23:59:59', 10), [first])
    assert.deepEqual(await ids('2030-01-02 00:00:00', 10), [first, second, sameDate])
    const [, last = null] = await scheduled.due('2031-01-01 00:00:00', null, 2)
    assert.deepEqual(last, { id: second, date: '2030-01-02 00:00:00' })
    assert.deepEqual(await ids('2031-01-01 00:00:00', 2, last), [sameDate, later])
    const endOfDate = { id: Number.MAX_SAFE_INTEGER, date: '2030-01-02 00:00:00' }
    assert.deepEqual(await ids('9999-12-31 23:59:59', 1, endOfDate), [later])
    for (const id of [second, first, later, sameDate]) await storage().posts.delete(id)
  })

  it('a scheduled post is published once, when its date has come, and no other column changes', async () => {
    const { posts } = storage()
    const id = await schedule('2030-01-01 00:00:00')
    const row = await posts.find(id)
    assert.equal(await posts.scheduled.publish(id, '2029-12-31 23:59:59'), false)
    assert.deepEqual(await posts.find(id), row)
    assert.equal(await posts.scheduled.publish(id, '2030-01-01 00:00:00'), true)
    assert.deepEqual(await posts.find(id), { ...row, post_status: 'publish' })
    const versions = await storage().versions()
    assert.equal(await posts.scheduled.publish(id, '2031-01-01 00:00:00'), false)
    assert.deepEqual(await storage().versions(), versions)
    for (const status of ['draft', 'pending', 'trash']) {
      await posts.update(id, { post_status: status })
      assert.equal(await posts.scheduled.publish(id, '2031-01-01 00:00:00'), false, status)
    }
    await posts.delete(id)
  })

  it('its publication counts for its terms and raises the version of its type', async () => {
    const { posts, terms, versions } = storage()
    const term = await terms.insert({ taxonomy: 'category', name: 'Soon', slug: 'soon' })
    const id = await schedule('2030-01-01 00:00:00', { post_type: 'book' })
    await posts.setTerms(id, 'category', [term])
    assert.equal((await terms.find('category', { id: term }))?.count, 0)
    const before = (await versions()).get('book') ?? 0
    await posts.scheduled.publish(id, '2030-01-01 00:00:00')
    assert.equal((await terms.find('category', { id: term }))?.count, 1)
    assert.ok(((await versions()).get('book') ?? 0) > before)
  })
}
