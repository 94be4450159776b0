import { defineConfig } from 'as-rest-route'

export default defineConfig({
  handlers: './app/',
  record_types: { note: {} },
})
