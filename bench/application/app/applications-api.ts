import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'

const described = {
  type: 'object',
  properties: { hello: { type: 'string', required: true }, count: { type: 'integer', required: true } },
} as const
const products = {
  type: 'array',
  items: {
    type: 'object',
    properties: { id: { type: 'integer', required: true }, title: { type: 'string', required: true } },
  },
} as const
const declared = { namespace: 'bench/v1', permission: 'public' } as const
const chunk = new Uint8Array(65_536).fill(97)
const chunks = 160

/** What an application does besides the least: schemas of responses, functions around handlers, streams, transactions. */
export class ApplicationsApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ ...declared, route: '/described', responses: { 200: described } })
  described() {
    return new RestResponse({ hello: 'world', count: 7 })
  }

  @AsRestRoute({ ...declared, route: '/around', around: [(_, next) => next()] })
  surrounded() {
    return new RestResponse({ hello: 'world', count: 7 })
  }

  @AsRestRoute({ ...declared, route: '/stream' })
  stream() {
    return new RestResponse(tenMegabytes())
  }

  @AsRestRoute({ ...declared, route: '/filtered' })
  @AsRestRoute({ ...declared, route: '/filtered-described', responses: { 200: products } })
  async filtered() {
    const where = { price: { from: 10, to: 20 } }
    const { records } = await this.records.page({ type: 'product', where, fields: ['title'] })
    return new RestResponse(records.map(({ id, title }) => ({ id, title })))
  }

  /** Reads a record, and writes it, in one transaction. */
  @AsRestRoute({ ...declared, route: '/transaction/(?P<id>\\d+)', method: 'POST' })
  async transaction(request: RestRequest<{ id: string }>) {
    const id = request.pathId('id')
    const changed = await this.records.transaction(async (records) => {
      const record = await records.get(id, { lock: true })
      return records.update(id, { menu_order: ((record?.menu_order ?? 0) + 1) % 1_000_000 })
    })
    return new RestResponse({ menu_order: changed?.menu_order })
  }
}

async function* tenMegabytes() {
  for (let sent = 0; sent < chunks; sent += 1) yield chunk
}
