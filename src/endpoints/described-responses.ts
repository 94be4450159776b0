import type { ResponseSchemas } from '../validation/responses.js'
import type { ArgumentRules, ArgumentSchema } from '../validation/rules.js'

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const yes = { type: 'boolean', enum: [true] } as const
const integer = { type: 'integer' } as const
/** PHP encodes an empty map as `[]`. */
const map = { type: ['object', 'array'] } as const

const links = {
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: { type: 'object', properties: { href: { type: 'string', required: true } } },
  },
} as const

/** The schema of an object. @param others members that some responses do not have. */
function object(required: ArgumentSchema, others: ArgumentSchema = {}): ArgumentRules {
  return { type: 'object', properties: { ...required, ...others }, required: Object.keys(required) }
}

function textsOf<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, typeof text>> {
  return Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>
}

const userInEveryContext = { id: integer, ...textsOf('name', 'url', 'description', 'link', 'slug') }
const userInEdit = {
  ...textsOf('username', 'first_name', 'last_name', 'email', 'locale', 'nickname', 'registered_date'),
  roles: { type: 'array', items: text },
  capabilities: map,
  extra_capabilities: map,
} as const
// Absent when the site shows no avatars.
const avatars = { avatar_urls: { type: 'object', additionalProperties: text } } as const
const wholeUser = { ...userInEveryContext, ...userInEdit, meta: map }
const user = object(userInEveryContext, { ...userInEdit, ...avatars, meta: map, _links: links })
const changedUser = object(wholeUser, { ...avatars, _links: links })

const passwordInEveryContext = textsOf('uuid', 'app_id', 'name')
const passwordInFull = { created: text, last_used: textOrNull, last_ip: textOrNull }
const limits = { scopes: { type: 'array' }, expires: text } as const
const wholePassword = { ...passwordInEveryContext, ...passwordInFull }
const password = object(passwordInEveryContext, { ...passwordInFull, ...limits, _links: links })
const changedPassword = object(wholePassword, { ...limits, _links: links })
const newPassword = object({ ...wholePassword, password: text }, { ...limits, _links: links })

/** The successes of the endpoints of the service itself, for documents, by the names of their handlers. */
const responsesOfHandlers: Readonly<Record<string, ResponseSchemas>> = {
  'UsersApi.me': { 200: user },
  'UsersApi.update': { 200: changedUser },
  'UsersApi.delete': { 200: object({ deleted: yes, previous: object(wholeUser, avatars) }) },
  'ApplicationPasswordsApi.list': { 200: { type: 'array', items: password } },
  'ApplicationPasswordsApi.create': { 201: newPassword },
  'ApplicationPasswordsApi.deleteAll': { 200: object({ deleted: yes, count: integer }) },
  'ApplicationPasswordsApi.introspect': { 200: password },
  'ApplicationPasswordsApi.show': { 200: password },
  'ApplicationPasswordsApi.rename': { 200: changedPassword },
  'ApplicationPasswordsApi.delete': { 200: object({ deleted: yes, previous: object(wholePassword, limits) }) },
}

/** The schemas of successful responses by status; empty for a handler of the application. @param handler `UsersApi.me` */
export function describedResponses(handler: string): ResponseSchemas {
  return responsesOfHandlers[handler] ?? {}
}
