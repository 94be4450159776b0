import { conditional, inject, RecordStore, RestError, type RecordWith } from 'as-rest-route'

export type EventRecord = RecordWith<'title' | 'link' | 'meta' | 'status', 'event'>

/** GET answers with an `ETag`. A change with another `ETag` in `If-Match` is refused with 412. */
export const versioned = conditional((request) => inject(RecordStore).get(request.pathId('id'), { type: 'event' }))

/** @throws RestError 404 for what is no published event. */
export function publishedEvent<Event extends EventRecord>(event: Event | null): Event {
  if (event?.status !== 'publish') throw new RestError('no_event', 'There is no such event.', { status: 404 })
  return event
}

export const seatsLeft = ({ meta }: EventRecord) => meta.capacity - meta.sold

export function eventView(event: EventRecord) {
  const { id, title, link, meta } = event
  const { starts_at, price, poster = '' } = meta
  return { id, title, starts_at, price, seats_left: seatsLeft(event), poster: poster ?? '', link }
}
