import { defineConfig, defineContent } from 'as-rest-route'

const content = defineContent({
  record_types: {
    product: {
      public: true,
      supports: ['title', 'editor', 'excerpt'],
      taxonomies: ['category'],
      meta: {
        price: { type: 'number', default: 0, indexed: true },
        total_sales: { type: 'integer', minimum: 0, default: 0, indexed: true },
        image: { type: 'string' },
      },
    },
    purchase: {
      statuses: ['placed'],
      meta: {
        quantity: { type: 'integer', minimum: 1, default: 1 },
        price: { type: 'number', default: 0 },
        currency: { type: 'string', default: 'EUR' },
      },
    },
  },
  site_options: {
    shop_currency: { type: 'string', enum: ['EUR', 'GBP', 'USD'], default: 'EUR' },
    shop_is_open: { type: 'boolean', default: true },
    shop_max_quantity: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
  },
})

/** Makes the compiler know the types: `RecordStore` takes no other names. */
declare module 'as-rest-route' {
  interface Register {
    content: typeof content
  }
}

export default defineConfig({
  handlers: './app/',
  ...content,
  site: { name: 'The Corner Shop', description: 'Products and stories, served by as-rest-route' },
  // Imported when a database is new: the demo content is not read at every start.
  seed: async (tools) => (await import('./demo/seed.js')).seed(tools),
})
