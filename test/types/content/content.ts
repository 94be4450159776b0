// What an application declares of its content, and makes known to the compiler.
import { defineConfig, defineContent } from 'as-rest-route'

const content = defineContent({
  record_types: {
    event: {
      public: true,
      statuses: ['sold_out'],
      taxonomies: ['kind', 'category'],
      meta: {
        capacity: { type: 'integer', minimum: 0, default: 0 },
        price: { type: 'number' },
        level: { type: 'string', enum: ['easy', 'hard'], default: 'easy' },
        tags: { type: 'array', items: { type: 'string' }, default: [] },
        place: { type: 'object', properties: { city: { type: 'string', required: true } } },
      },
    },
    ticket: { meta: { seat: { type: 'string' } } },
    note: {},
  },
  user_meta: { card: { type: 'string' }, points: { type: 'integer', default: 0 } },
  term_meta: { colour: { type: 'string', format: 'hex-color' } },
  site_options: { loan_days: { type: 'integer', default: 21 }, motto: { type: 'string' } },
})

declare module 'as-rest-route' {
  interface Register {
    content: typeof content
  }
}

const seats: number[] = []

export default defineConfig({
  ...content,
  record_types: {
    ...content.record_types,
    event: {
      ...content.record_types.event,
      after_commit: {
        inserted: (event) => seats.push(event.meta.capacity),
        updated: ({ status }, before) => status === 'sold_out' && before.status !== status,
      },
    },
    post: { after_commit: { deleted: ({ id }) => seats.push(id) } },
  },
  seed: async ({ records }) => {
    await records.insert({ type: 'event', status: 'publish', title: 'Opening', meta: { capacity: 50 } })
  },
})
