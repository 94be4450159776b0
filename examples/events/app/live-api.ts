import { setTimeout as pause } from 'node:timers/promises'
import {
  AsRestRoute,
  currentUserCan,
  EventStream,
  inject,
  RecordStore,
  type RestRequest,
  type ServerSentEvent,
} from 'as-rest-route'
import { ticketView } from './tickets-api.js'

/** Tickets as they are sold, for the box office. A browser that connects again goes on after the last one it has seen. */
export class LiveApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'events/v1', route: '/sales', permission: 'mayWatch', event_stream: true })
  sales(request: RestRequest) {
    return new EventStream(this.after(Number(request.lastEventId ?? 0), request.signal), { retry: 3_000 })
  }

  mayWatch() {
    return currentUserCan('edit_others_posts')
  }

  private async *after(last: number, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    for (let seen = last; ; await pause(500, undefined, { signal })) {
      const query = { type: 'ticket', after_id: seen, orderby: 'id', order: 'asc', per_page: 100 } as const
      for (const ticket of await this.records.list(query)) {
        seen = ticket.id
        yield { id: ticket.id, event: 'ticket', data: ticketView(ticket) }
      }
    }
  }
}
