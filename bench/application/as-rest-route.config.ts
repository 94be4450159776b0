import { defineConfig } from 'as-rest-route'
import shop from '../../examples/shop/as-rest-route.config.js'

/**
 * The example shop, and the routes that only a benchmark needs; `bench/data/application.ts` builds it. Demo content would
 * not be everybody's.
 */
export default defineConfig({
  ...shop,
  handlers: './app/',
  views: '../../examples/shop/views',
  synchronous: process.env['BENCH_SYNCHRONOUS'] === 'NORMAL' ? 'NORMAL' : 'FULL',
  seed: async () => undefined,
})
