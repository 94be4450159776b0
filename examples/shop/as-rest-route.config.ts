import type { Configuration } from 'as-rest-route'
import { seed } from './demo/seed.js'

export default {
  handlers: './app/',
  record_types: {
    product: {
      supports: ['title', 'editor', 'excerpt'],
      taxonomies: ['category'],
      meta: { price: { type: 'number', default: 0 }, total_sales: { type: 'integer', default: 0 } },
    },
  },
  site: { name: 'The Corner Shop', description: 'Products and stories, served by as-rest-route' },
  seed,
} satisfies Configuration
