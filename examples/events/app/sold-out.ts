import { inject, Mailer, type StoredRecord } from 'as-rest-route'
import { seatsLeft } from './events.js'

/** Sends the office a mail when the last seat of an event is sold. It runs after the commit, so a sale that is rolled back sends none. */
export function tellSoldOut(event: StoredRecord<'event'>, before: StoredRecord<'event'>) {
  if (seatsLeft(event) > 0 || seatsLeft(before) <= 0) return
  return inject(Mailer).send({ to: 'office@example.com', subject: `Sold out: ${event.title}`, text: event.link })
}
