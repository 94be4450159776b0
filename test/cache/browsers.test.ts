import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from '../../src/index.js'
import { startService } from '../support/start-service.js'
import { withoutResponseCache } from '../support/response-cache.js'

let runs = 0

class NotesApi {
  constructor(private readonly records = inject(RecordStore)) {}

  /** Says itself what others may keep. */
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/notes',
    permission: 'public',
    cache: 60,
    args: { kept: { type: 'string', required: true } },
  })
  async list(request: RestRequest<{ kept: string }>) {
    runs += 1
    const count = await this.records.count({ type: 'post' })
    return new RestResponse(count, 200, { 'Cache-Control': request.get_param('kept') })
  }
}

const site = await startService([NotesApi])
after(() => site.close())

const get = (kept: string, headers: Record<string, string> = {}) =>
  fetch(`${site.rest}test/v1/notes?kept=${encodeURIComponent(kept)}`, { headers })

for (const kept of ['public, max-age=0, must-revalidate', 'public, max-age=0, s-maxage=60'])
  it(
    `a response with '${kept}' is cached by the service and revalidated by a browser each time`,
    { skip: withoutResponseCache },
    async () => {
      const before = runs
      const first = await get(kept)
      assert.equal(first.headers.get('cache-control'), kept)
      const etag = first.headers.get('etag') ?? ''
      const repeated = await get(kept, { 'If-None-Match': etag })
      assert.deepEqual([repeated.status, repeated.headers.get('cache-control')], [304, kept])
      assert.equal(runs, before + 1)
      const count = Number(await first.text())
      await site.service.records.insert({ type: 'post', status: 'publish', title: 'New' })
      const changed = await get(kept, { 'If-None-Match': etag })
      assert.deepEqual([changed.status, await changed.json()], [200, count + 1])
    },
  )

for (const kept of ['no-cache', 'no-store', 'private, max-age=60'])
  it(`a response with '${kept}' is computed for each request`, async () => {
    const before = runs
    for (const response of [await get(kept), await get(kept)]) assert.equal(response.headers.get('cache-control'), kept)
    assert.equal(runs, before + 2)
  })
