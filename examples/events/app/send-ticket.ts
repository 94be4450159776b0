import { inject, job, Mailer, RecordStore } from 'as-rest-route'

/** Mails a paid ticket. It is enqueued in the transaction that marks the ticket as paid, so that none is forgotten. */
export const sendTicket = job({
  name: 'send-ticket',
  async run({ ticket: id }: { ticket: number }, { log }) {
    const [records, mailer] = [inject(RecordStore), inject(Mailer)]
    const ticket = await records.get(id, { type: 'ticket' })
    if (ticket?.status !== 'paid' || ticket.meta.email === undefined) return
    const event = await records.get(ticket.parent, { type: 'event' })
    const { seats, email } = ticket.meta
    await mailer.send({
      to: email,
      subject: `Your ticket: ${event?.title ?? 'event'}`,
      text: `Ticket ${id}, ${seats} seat${seats === 1 ? '' : 's'}, ${event?.meta.starts_at ?? ''}.`,
    })
    log.info({ ticket: id }, 'ticket sent')
  },
})
