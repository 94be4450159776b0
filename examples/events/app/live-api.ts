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
const maxTransaction = 60_000

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
   * A transaction may commit a ticket with a lower id than one that was sent. So each turn reads the tickets of the last minute
   * again. The id of an event is that of the last ticket before them: a client that connects again may get some of them twice.
   */
  private async *after(last: number, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    const sent = new Set<number>()
    for (let settled = last; ; await pause(500, undefined, { signal })) {
      const minuteAgo = new Date(Date.now() - maxTransaction).toISOString()
      let isSettled = true
      for await (const ticket of this.records.each({ type: 'ticket', after_id: settled })) {
        isSettled &&= ticket.modified < minuteAgo
        if (isSettled) settled = ticket.id
        const isNew = !sent.has(ticket.id)
        if (isSettled) sent.delete(ticket.id)
        else sent.add(ticket.id)
        if (isNew) yield { id: settled, event: 'ticket', data: ticketView(ticket) }
      }
    }
  }
}
