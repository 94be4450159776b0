import { AsRestRoute, inject, RecordStore, RestResponse, route, Users, type RequestOf } from 'as-rest-route'
import type { Change } from './protocol.js'

const ofRecord = { namespace: 'fresh/v1', permission: 'public', args: { id: { type: 'integer' } } } as const
const record = route({ ...ofRecord, route: '/record/(?P<id>\\d+)' })
const cachedRecord = route({ ...ofRecord, route: '/cached-record/(?P<id>\\d+)', cache: 60 })
const user = route({ ...ofRecord, route: '/user/(?P<id>\\d+)' })
const cachedUser = route({ ...ofRecord, route: '/cached-user/(?P<id>\\d+)', cache: 60 })
const write = route({
  namespace: 'fresh/v1',
  route: '/write',
  method: 'POST',
  permission: 'public',
  args: {
    what: { type: 'string', enum: ['record', 'user'], required: true },
    id: { type: 'integer', required: true },
    value: { type: 'string', required: true },
  },
})

/** Every kind of data, read with and without the response cache, and written by anybody. */
export class FreshApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly users = inject(Users),
  ) {}

  @AsRestRoute(record)
  async record(request: RequestOf<typeof record>) {
    return new RestResponse((await this.records.get(request.get_param('id') ?? 0))?.title ?? null)
  }

  @AsRestRoute(cachedRecord)
  async cachedRecord(request: RequestOf<typeof cachedRecord>) {
    return new RestResponse((await this.records.get(request.get_param('id') ?? 0))?.title ?? null)
  }

  @AsRestRoute({ namespace: 'fresh/v1', route: '/list', permission: 'public' })
  @AsRestRoute({ namespace: 'fresh/v1', route: '/cached-list', permission: 'public', cache: 60 })
  async list() {
    const records = await this.records.list({ type: 'post', per_page: 20, fields: ['title'] })
    return new RestResponse(records.map(({ id, title }) => [id, title]))
  }

  /** HTML inside JSON. */
  @AsRestRoute({ namespace: 'fresh/v1', route: '/partial', permission: 'public' })
  @AsRestRoute({ namespace: 'fresh/v1', route: '/cached-partial', permission: 'public', cache: 60 })
  async partial() {
    const records = await this.records.list({ type: 'post', per_page: 20, fields: ['title'] })
    const items = records.map(({ id, title }) => `<li id="${id}">${title}</li>`)
    return new RestResponse({ html: items.join('') })
  }

  @AsRestRoute(user)
  async user(request: RequestOf<typeof user>) {
    return new RestResponse((await this.users.find(request.get_param('id') ?? 0))?.displayName ?? null)
  }

  @AsRestRoute(cachedUser)
  async cachedUser(request: RequestOf<typeof cachedUser>) {
    return new RestResponse((await this.users.find(request.get_param('id') ?? 0))?.displayName ?? null)
  }

  /** Holds the event loop, so that the requests of all connections wait for one turn of it. */
  @AsRestRoute({ namespace: 'fresh/v1', route: '/stall', permission: 'public' })
  stall() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    return new RestResponse(null)
  }

  @AsRestRoute(write)
  async write(request: RequestOf<typeof write>) {
    const { what, id, value } = request.get_params() as Change
    if (what === 'record') await this.records.update(id, { title: value })
    if (what === 'user') await this.users.update(id, { displayName: value })
    return new RestResponse(null)
  }
}
