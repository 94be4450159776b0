import { currentUserCan, endpoint, RecordStore } from 'as-rest-route'
import { z } from 'zod'
import { ticketView } from './tickets-api.js'

/** Arguments and responses may also be schemas of a library. Those of a query are text. */
export const listTickets = endpoint(
  {
    namespace: 'events/v1',
    route: '/tickets',
    permission: () => currentUserCan('edit_others_posts'),
    dependencies: { records: RecordStore },
    args: z.object({
      event: z.coerce.number().int().optional(),
      status: z.enum(['publish', 'paid', 'cancelled']).default('paid'),
      page: z.coerce.number().int().min(1).default(1),
    }),
    responses: { 200: z.array(z.object({ id: z.number(), event: z.number(), seats: z.number(), status: z.string() })) },
  },
  async (request, { records }) => {
    const { event, status, page } = request.get_params()
    const tickets = await records.list({ type: 'ticket', status, page, ...(event && { parent: event }), orderby: 'id' })
    return tickets.map(ticketView)
  },
)
