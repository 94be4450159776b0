import { AsRestRoute, inject, Mailer, RecordStore, RestError, RestResponse, restNamespace } from 'as-rest-route'
import type { RequestOf, StoredRecord } from 'as-rest-route'
import { publishedEvent, seatsLeft } from './events.js'
import { Payments } from './payments.js'
import { ticket } from './schemas.js'
import { sendTicket } from './send-ticket.js'

const events = restNamespace('events/v1')

const buyTickets = events.route({
  route: '/events/(?P<id>\\d+)/tickets',
  method: 'POST',
  permission: 'public',
  rate_limit: { requests: 20, per: 'minute' },
  idempotency_key: 'optional',
  timeout: 10,
  additional_args: false,
  args: {
    email: { type: 'string', format: 'email', required: true },
    seats: { type: 'integer', minimum: 1, maximum: 8, default: 1 },
  },
  responses: { 201: ticket },
})

/** A payment provider calls it. Its signature is checked over the bytes as sent. */
const confirmPayment = events.route({
  route: '/payments',
  method: 'POST',
  permission: 'isSigned',
  args: { ticket: { type: 'integer', required: true } },
  responses: { 200: ticket },
})

export class TicketsApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly payments = inject(Payments),
    private readonly mailer = inject(Mailer),
  ) {}

  @AsRestRoute(buyTickets)
  async buy(request: RequestOf<typeof buyTickets>) {
    const { email, seats } = request.get_params()
    const id = request.pathId('id')
    const reserved = await this.records.transaction(async (records) => {
      const event = publishedEvent(await records.get(id, { type: 'event', lock: true }))
      const left = seatsLeft(event)
      if (left < seats) throw new RestError('sold_out', `${left} seats are left.`, { status: 409, seats_left: left })
      await records.update<'event'>(id, { meta: { sold: event.meta.sold + seats } })
      const title = `${event.title}: ${seats}`
      return records.insert({ type: 'ticket', status: 'publish', title, parent: id, meta: { email, seats } })
    })
    request.log.info({ event: id, ticket: reserved.id, seats }, 'seats reserved')
    // A mail that is lost does no harm: the response says the same. The ticket itself is mailed by a job.
    const mail = { to: email, subject: `Reserved: ${reserved.title}`, text: `Please pay for ticket ${reserved.id}.` }
    request.defer(() => this.mailer.send(mail))
    return new RestResponse(ticketView(reserved), 201)
  }

  @AsRestRoute(confirmPayment)
  async confirm(request: RequestOf<typeof confirmPayment>) {
    const id = request.get_param('ticket')
    const paid = await this.records.transaction(async (records) => {
      const changed = await records.update<'ticket'>(id, { status: 'paid' }, { if: { status: 'publish' } })
      if (changed === null) throw new RestError('no_ticket', 'There is no such ticket.', { status: 404 })
      await records.enqueue(sendTicket, { ticket: id })
      return changed
    })
    return ticketView(paid)
  }

  isSigned(request: RequestOf<typeof confirmPayment>) {
    // Only the body is signed. Without this line, the signature of any body would confirm the ticket that the query names.
    if (Object.hasOwn(request.get_query_params(), 'ticket')) return false
    return this.payments.isSigned(request.body, request.get_header('X-Signature') ?? '')
  }
}

/** A ticket as the API shows it. */
export function ticketView({ id, parent, status, meta }: StoredRecord<'ticket'>) {
  return { id, event: parent, seats: meta.seats, status: status as 'publish' | 'paid' | 'cancelled' }
}
