/** The headers of an answer that nobody keeps (docs/wire.md#caching-headers). */
export const noCache = [
  ['Expires', 'Wed, 11 Jan 1984 05:00:00 GMT'],
  ['Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private'],
] as const
