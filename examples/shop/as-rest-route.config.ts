import { defineConfig } from 'as-rest-route'

export default defineConfig({
  handlers: './app/',
  record_types: {
    product: {
      public: true,
      supports: ['title', 'editor', 'excerpt'],
      taxonomies: ['category'],
      meta: { price: { type: 'number', default: 0 }, total_sales: { type: 'integer', default: 0 } },
    },
  },
  site: { name: 'The Corner Shop', description: 'Products and stories, served by as-rest-route' },
  // Imported when a database is new: the demo content is not read at every start.
  seed: async (tools) => (await import('./demo/seed.js')).seed(tools),
})
