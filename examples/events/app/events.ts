import { inject, RecordStore, RestError, type RecordWith, type RestRequest } from 'as-rest-route'

export type EventRecord = RecordWith<'title' | 'link' | 'meta' | 'status', 'event'>

/** What several handlers need of events. */
export class Events {
  constructor(private readonly records = inject(RecordStore)) {}

  /** @throws RestError 404 for what is no published event. */
  async published(request: RestRequest<{ id: string }>) {
    return publishedEvent(await this.records.get(request.pathId('id'), { type: 'event' }))
  }
}

/** @throws RestError 404 for what is no published event. */
export function publishedEvent<Event extends EventRecord>(event: Event | null): Event {
  if (event?.status !== 'publish') throw new RestError('no_event', 'There is no such event.', { status: 404 })
  return event
}

export function eventView({ id, title, link, meta }: EventRecord) {
  const { starts_at, price, capacity, sold, poster = '' } = meta
  return { id, title, starts_at, price, seats_left: capacity - sold, poster: poster ?? '', link }
}
