import type { RestRequest } from '../http/rest-request.js'

/** How much of a thing is shown: `embed` the least, `edit` everything. */
export type Context = 'view' | 'embed' | 'edit'

/** The argument of every route that shows something. */
export const contextArgument = {
  description: 'Scope under which the request is made; determines fields present in response.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
} as const

/** The parameters of a request that were declared with {@link contextArgument}. */
export type InContext = RestRequest<{ context: Context }>
