import type { Around } from 'as-rest-route'

/** Tells a client how long the handler took. */
export const measured: Around = async (_request, next) => {
  const begun = performance.now()
  const response = await next()
  return response.header('Server-Timing', `handler;dur=${(performance.now() - begun).toFixed(1)}`)
}
