import { writeSync } from 'node:fs'
import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'

/** Notes: records whose title, content and metadata say the same, so that a note that is not whole is noticed. */
export class NotesApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({
    namespace: 'faults/v1',
    route: '/notes',
    method: 'POST',
    permission: 'public',
    args: { text: { type: 'string', required: true } },
  })
  async create(request: RestRequest<{ text: string }>) {
    const text = request.get_param('text')
    const { id } = await this.records.insert({
      type: 'note',
      status: 'publish',
      title: text,
      content: text,
      meta: { text },
    })
    return new RestResponse({ id }, 201)
  }

  @AsRestRoute({
    namespace: 'faults/v1',
    route: '/notes/(?P<id>\\d+)',
    method: 'PUT',
    permission: 'public',
    args: { text: { type: 'string', required: true } },
  })
  async update(request: RestRequest<{ id: string; text: string }>) {
    const text = request.get_param('text')
    const record = await this.records.update(request.pathId('id'), { title: text, content: text, meta: { text } })
    return new RestResponse(record && { id: record.id }, record ? 200 : 404)
  }

  @AsRestRoute({ namespace: 'faults/v1', route: '/notes/(?P<id>\\d+)', method: 'DELETE', permission: 'public' })
  async delete(request: RestRequest<{ id: string }>) {
    return new RestResponse(null, (await this.records.delete(request.pathId('id'))) ? 200 : 404)
  }

  @AsRestRoute({ namespace: 'faults/v1', route: '/notes/(?P<id>\\d+)', permission: 'public' })
  async show(request: RestRequest<{ id: string }>) {
    const record = await this.records.get(request.pathId('id'))
    if (record === null) return new RestResponse(null, 404)
    const { title, content, meta } = record
    return new RestResponse({ texts: [title, content, meta['text']] })
  }

  @AsRestRoute({ namespace: 'faults/v1', route: '/notes', permission: 'public' })
  async list() {
    const notes = await this.records.list({ type: 'note', per_page: 20 })
    return new RestResponse(notes.map(({ id, title }) => ({ id, title })))
  }
}

/** Says which process answers, and takes a moment. */
export class ProcessApi {
  @AsRestRoute({ namespace: 'faults/v1', route: '/process', permission: 'public' })
  process() {
    return new RestResponse({ pid: process.pid })
  }

  @AsRestRoute({ namespace: 'faults/v1', route: '/moment', permission: 'public' })
  async moment() {
    await new Promise((resolve) => setTimeout(resolve, 25))
    return new RestResponse('done')
  }

  /** Blocks the process for ever, as an endless loop does, without taking a processor. */
  @AsRestRoute({ namespace: 'faults/v1', route: '/blocked', permission: 'public' })
  blocked() {
    writeSync(2, 'blocked\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    return new RestResponse(null)
  }
}
