import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'

export class NotesApi {
  constructor(private readonly records = inject(RecordStore)) {}

  /** Open to everybody, because it says so. */
  @AsRestRoute({
    namespace: 'my-api/v1',
    route: '/notes',
    permission: 'public',
    args: { per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 } },
  })
  async list(request: RestRequest<{ per_page: number }>) {
    const notes = await this.records.list({ type: 'note', per_page: request.get_param('per_page') })
    return new RestResponse(notes.map(({ id, title }) => ({ id, title })))
  }

  /** Closed, because it says nothing: the caller must be allowed to edit posts. */
  @AsRestRoute({
    namespace: 'my-api/v1',
    route: '/notes',
    method: 'POST',
    args: { title: { type: 'string', required: true, sanitize_callback: 'sanitize_text_field' } },
  })
  async create(request: RestRequest<{ title: string }>) {
    const { id, title } = await this.records.insert({
      type: 'note',
      title: request.get_param('title'),
      status: 'publish',
    })
    return new RestResponse({ id, title }, 201)
  }
}
