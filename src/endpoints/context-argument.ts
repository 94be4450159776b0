import type { RestRequest } from '../http/rest-request.js'

/** Which fields a response has: `embed` the fewest, `edit` all. */
export type Context = 'view' | 'embed' | 'edit'

/** The argument `context` of the routes that read users and application passwords. */
export const contextArgument = {
  description: 'Scope under which the request is made; determines fields present in response.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
} as const

/** A request to a route with {@link contextArgument} as its only declared parameter. */
export type ContextRequest = RestRequest<{ context: Context }>
