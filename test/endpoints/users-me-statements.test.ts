import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { statementsOf } from '../support/counted-statements.js'
import { EmptyApi } from './empty-api.js'
import { openService } from './open-service.js'

const site = await openService([EmptyApi])
after(() => site.close())
const mia = await site.join('mia', 'editor')

test('GET /wp/v2/users/me reads the user once, for the response and for Allow', async () => {
  const get = () => site.call('GET', '/wp/v2/users/me', { as: mia.headers })
  const texts = await statementsOf(async () => {
    const { status, headers } = await get()
    assert.deepEqual([status, headers.get('allow')], [200, 'GET, POST, PUT, PATCH'])
  })
  const ofUser = texts.filter((text) => text.includes(' FROM wp_users u WHERE u.ID = ?'))
  const counts = {
    withAllMetadata: ofUser.filter((text) => text.includes('wp_usermeta')).length,
    rowAlone: ofUser.filter((text) => !text.includes('wp_usermeta')).length,
  }
  assert.deepEqual(counts, { withAllMetadata: 1, rowAlone: 0 })
})
