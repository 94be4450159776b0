import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoint, RecordStore } from '../../src/index.js'
import { ways } from '../support/three-ways.js'
import { withoutResponseCache } from '../support/response-cache.js'

const list = endpoint(
  { namespace: 'notes/v1', route: '/list', permission: 'public', cache: 60, dependencies: { records: RecordStore } },
  async (request, { records }) => {
    const all = await records.list({ type: 'post', orderby: 'id' })
    return Promise.all(all.map(async (record) => ((await request.requiresPassword(record)) ? '' : record.content)))
  },
)

for (const way of ways)
  test(
    `${way.name}: a cached route is public to those who have entered no password, and private to others`,
    { skip: withoutResponseCache },
    async (context) => {
      const { site, send } = await way.open(context, [list], { environment: 'local' })
      await site.service.records.insert({
        type: 'post',
        status: 'publish',
        title: 'Guarded',
        content: 'guarded text',
        password: 'open sesame',
      })
      const body = new URLSearchParams({ post_password: 'open sesame' })
      const entered = await fetch(`${site.url}/wp-login.php?action=postpass`, {
        method: 'POST',
        body,
        redirect: 'manual',
      })
      const guest = { Cookie: entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
      const responseTo = async (headers: Record<string, string>) => {
        const response = await send('/notes/v1/list', { headers })
        return [await response.json(), response.headers.get('cache-control'), response.headers.get('vary')]
      }
      const withoutCookie = [[''], 'public, max-age=60', 'Origin, Cookie, Authorization, X-WP-Nonce']
      const responses = [await responseTo({}), await responseTo(guest), await responseTo({})]
      assert.deepEqual(responses, [
        withoutCookie,
        [['guarded text'], 'no-cache, must-revalidate, max-age=0, no-store, private', null],
        withoutCookie,
      ])
    },
  )
