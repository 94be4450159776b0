import { defineConfig, defineContent } from 'as-rest-route'
import { sendTicket } from './app/send-ticket.js'
import { measured } from './app/measured.js'
import { tellSoldOut } from './app/sold-out.js'

const content = defineContent({
  record_types: {
    event: {
      public: true,
      supports: ['title', 'editor'],
      taxonomies: ['category'],
      statuses: ['cancelled'],
      meta: {
        starts_at: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$', default: '2026-01-01T20:00' },
        capacity: { type: 'integer', minimum: 0, default: 0 },
        sold: { type: 'integer', minimum: 0, default: 0 },
        price: { type: 'number', minimum: 0, default: 0 },
        poster: { type: 'string' },
      },
    },
    ticket: {
      statuses: ['paid', 'cancelled'],
      meta: { email: { type: 'string' }, seats: { type: 'integer', minimum: 1, default: 1 } },
    },
  },
  site_options: { events_payment_key: { type: 'string', default: '' } },
})

/** Makes the compiler know the types: `RecordStore` takes no other names. */
declare module 'as-rest-route' {
  interface Register {
    content: typeof content
  }
}

export default defineConfig({
  handlers: './app/',
  // In development, mails are written to the log.
  environment: process.env['SMTP_URL'] === undefined ? 'development' : 'production',
  ...content,
  record_types: {
    ...content.record_types,
    event: { ...content.record_types.event, after_commit: { updated: tellSoldOut } },
  },
  jobs: [sendTicket],
  around: [measured],
  uploads: { folder: 'data/uploads', permission: 'public' },
  site: { name: 'The Old Brewery', description: 'Concerts and readings' },
  seed: async ({ records, terms }) => {
    const concerts = await terms.create({ name: 'Concerts' })
    for (const [title, starts_at, capacity, price] of [
      ['Jazz in the cellar', '2027-03-05T20:00', 50, 18],
      ['Poems after midnight', '2027-03-12T23:30', 20, 0],
      ['The long night of organs', '2027-04-02T19:00', 300, 25.5],
    ] as const)
      await records.insert({
        type: 'event',
        status: 'publish',
        title,
        meta: { starts_at, capacity, price },
        terms: { category: [concerts.slug] },
      })
  },
})
