import { defineConfig } from 'as-rest-route'

export default defineConfig({
  record_types: { note: { public: true, meta: { text: { type: 'string' } } } },
})
