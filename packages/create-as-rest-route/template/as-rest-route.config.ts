import type { Configuration } from 'as-rest-route'

export default {
  handlers: './app/',
  record_types: { note: {} },
} satisfies Configuration
