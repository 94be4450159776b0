import { inject, Mailer, type StoredRecord } from 'as-rest-route'
import { seatsLeft } from './events.js'

/** Tells the office of an event whose last seat is sold, once the sale is stored: a sale that is undone is told to nobody. */
export function tellSoldOut(event: StoredRecord<'event'>, before: StoredRecord<'event'>) {
  if (seatsLeft(event) > 0 || seatsLeft(before) <= 0) return
  return inject(Mailer).send({ to: 'office@example.com', subject: `Sold out: ${event.title}`, text: event.link })
}
