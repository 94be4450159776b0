import {
  AsRestRoute,
  inject,
  RecordStore,
  RestError,
  RestResponse,
  type BootOptions,
  type RestRequest,
} from '../../src/index.js'

export class TicketsApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'tickets/v1', route: '/events/(?P<id>\\d+)/tickets', method: 'POST', permission: 'public' })
  async buy(request: RestRequest<{ id: string }>) {
    const order = await this.records.transaction(async (records) => {
      const event = await records.get(request.pathId('id'), { lock: true, fields: ['meta'] })
      if (event === null) throw new RestError('event_not_found', 'There is no such event.', { status: 404 })
      const { capacity, sold } = event.meta
      if (Number(sold) >= Number(capacity)) throw new RestError('sold_out', 'Sold out.', { status: 409 })
      await records.update(event.id, { meta: { sold: Number(sold) + 1 } })
      return records.insert({ type: 'ticket_order', status: 'publish', title: 'Order', parent: event.id })
    })
    return new RestResponse({ id: order.id }, 201)
  }
}

/** Options of every process on this database. */
export const ticketOptions = (database: string): BootOptions => ({
  database,
  secrets: {},
  synchronous: 'NORMAL',
  record_types: { event: { meta: { capacity: { type: 'integer' }, sold: { type: 'integer' } } }, ticket_order: {} },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})
