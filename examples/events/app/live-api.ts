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

/** Milliseconds. A transaction may take 30 seconds. */
const longestTransaction = 60_000

/** Tickets as they are sold, for the box office. A browser that connects again misses none. */
export class LiveApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'events/v1', route: '/sales', permission: 'mayWatch', event_stream: true })
  sales(request: RestRequest) {
    return new EventStream(this.after(Number(request.lastEventId ?? 0), request.signal), { retry: 3_000 })
  }

  mayWatch() {
    return currentUserCan('edit_others_posts')
  }

  /**
   * A transaction may commit a ticket with a lower id than one that was sent. So a turn reads again what was sent lately, and
   * the id of an event is the one up to which nothing can be missing. A client may get a ticket twice.
   */
  private async *after(last: number, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    const sentAt = new Map<number, number>()
    for (let settled = last; ; await pause(500, undefined, { signal })) {
      const begun = Date.now()
      for await (const ticket of this.records.each({ type: 'ticket', after_id: settled })) {
        if (sentAt.has(ticket.id)) continue
        sentAt.set(ticket.id, Date.now())
        yield { id: settled, event: 'ticket', data: ticketView(ticket) }
      }
      for (const [sent, at] of sentAt)
        if (begun - at > longestTransaction) {
          settled = Math.max(settled, sent)
          sentAt.delete(sent)
        }
    }
  }
}
