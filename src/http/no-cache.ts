/** The headers of a response that no cache may store, as WordPress sends them. */
export const noCache = [
  ['Expires', 'Wed, 11 Jan 1984 05:00:00 GMT'],
  ['Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private'],
] as const
