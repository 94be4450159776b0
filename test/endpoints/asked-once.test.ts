import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestError, RestResponse } from '../../src/index.js'
import { openService } from './open-service.js'

let calls = 0
const args = { refuse: { type: 'boolean', default: false } } as const
const guarded = { namespace: 'test/v1', permission: 'isAllowed', allow_batch: true, args } as const

class NotesApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...guarded, route: '/idle', method: 'POST' })
  @AsRestRoute({ ...guarded, route: '/idle', method: 'DELETE' })
  idle() {
    return new RestResponse({})
  }

  @AsRestRoute({ ...guarded, route: '/notes', method: 'POST' })
  @AsRestRoute({ ...guarded, route: '/notes', method: 'PUT' })
  async write() {
    await this.records.insert({ type: 'post', title: 'A note' })
    return new RestResponse({})
  }

  @AsRestRoute({ ...guarded, route: '/broken', method: 'POST' })
  async fail(): Promise<RestResponse> {
    await this.records.insert({ type: 'post', title: 'A note' })
    throw new RestError('full', 'Full.', { status: 409 })
  }

  isAllowed(request: { get_param(name: 'refuse'): boolean }) {
    calls += 1
    return !request.get_param('refuse')
  }
}

/** Because of it, all reads and writes are noted. */
class CachedApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/cached', permission: 'public', cache: 60 })
  list() {
    return new RestResponse([])
  }
}

const services = [
  ['', await openService([NotesApi])],
  [', beside routes with a cache', await openService([NotesApi, CachedApi])],
] as const
after(() => Promise.all(services.map(([, site]) => site.close())))

const requests: [what: string, method: string, path: string, status: number, times: number, allow: string | null][] = [
  ['a handler that writes nothing', 'POST', '/idle', 200, 1, 'POST, DELETE'],
  ['a handler that writes nothing', 'DELETE', '/idle', 200, 1, 'POST, DELETE'],
  ['a handler that never ran', 'POST', '/notes?refuse=1', 401, 1, null],
  ['invalid arguments', 'POST', '/notes?refuse=x', 400, 1, null],
  ['a handler that wrote', 'PUT', '/notes', 200, 2, 'POST, PUT'],
  ['a handler that wrote and then failed', 'POST', '/broken', 409, 2, 'POST'],
]
for (const [where, site] of services) {
  for (const [what, method, path, status, times, allow] of requests)
    test(`${method} ${path}: a permission callback runs ${times === 1 ? 'once' : 'again'} for ${what}${where}`, async () => {
      calls = 0
      const answered = await site.call(method, `/test/v1${path}`)
      assert.deepEqual([answered.status, calls], [status, times])
      if (allow !== null) assert.equal(answered.headers.get('allow'), allow)
    })

  test(`the same holds for the requests of a batch${where}`, async () => {
    calls = 0
    const paths = ['/test/v1/idle', '/test/v1/notes?refuse=1', '/test/v1/notes']
    await site.call('POST', '/batch/v1', { json: { requests: paths.map((path) => ({ path })) } })
    assert.equal(calls, 1 + 1 + 2)
  })
}
