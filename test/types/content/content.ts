// What an application declares of its content, and makes known to the compiler.
import { defineConfig, defineContent, type AfterCommit } from 'as-rest-route'

const soldOut: AfterCommit<'event'> = {
  inserted: ({ meta }) => meta.capacity.toFixed(),
  updated: (event, before) => event.status === 'sold_out' && event.meta.capacity < before.meta.capacity,
}

const content = defineContent({
  record_types: {
    event: {
      public: true,
      after_commit: soldOut,
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

export default defineConfig({
  ...content,
  seed: async ({ records }) => {
    await records.insert({ type: 'event', status: 'publish', title: 'Opening', meta: { capacity: 50 } })
  },
})
