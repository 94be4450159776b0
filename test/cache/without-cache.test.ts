import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cachedService, type CachedService } from './cached-service.js'

let site: CachedService
before(async () => (site = await cachedService({ cache_bytes: 0 })))
after(() => site.close())

test('with cache_bytes: 0 the handler of a cached route runs for each request', async () => {
  const runs = site.runs.of('list')
  for (let request = 0; request < 3; request += 1) {
    const response = await site.get('list')
    assert.equal(response.status, 200)
    assert.deepEqual([response.headers.get('etag'), response.headers.get('cache-control')], [null, null])
  }
  assert.equal(site.runs.of('list'), runs + 3)
})
