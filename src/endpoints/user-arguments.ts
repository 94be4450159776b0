import type { RestError } from '../http/rest-error.js'
import { toBoolean, toText } from '../php/cast.js'
import { isNumeric } from '../php/numeric-text.js'
import { sanitizeUser } from '../sanitizers/user.js'
import { invalidPassword, invalidReassignParameter, invalidUsername } from './refusals.js'
import { inPlaceOfSchema } from '../validation/callbacks.js'
import { schemaArgument } from './schema-argument.js'
import { userMembers as members } from './user-schema.js'

/** The login name if it has only allowed characters. The handler compares it with that of the user. */
function checkedUsername(value: unknown): string | RestError {
  const username = toText(value)
  if (toBoolean(username) && sanitizeUser(username, true) === username) return username
  return invalidUsername()
}

function checkedPassword(value: unknown): string | RestError {
  const password = toText(value)
  if (!toBoolean(password)) return invalidPassword('Passwords cannot be empty.')
  return password.includes('\\') ? invalidPassword('Passwords cannot contain the "\\" character.') : password
}

const isArray = (value: unknown): boolean => typeof value === 'object'

/** The id of the new author of the records; 0, which is the id of no user, for none. */
function checkedReassign(value: unknown): number | RestError {
  return isNumeric(value) ? Math.abs(Math.trunc(Number(value))) : invalidReassignParameter()
}

const line = { validate_callback: 'rest_validate_request_arg', sanitize_callback: 'sanitize_text_field' } as const

/** The arguments of a change of a user. */
export const userArguments = {
  username: {
    ...members.username,
    validate_callback: 'rest_validate_request_arg',
    sanitize_callback: checkedUsername,
  },
  name: { ...members.name, ...line },
  first_name: { ...members.first_name, ...line },
  last_name: { ...members.last_name, ...line },
  email: { ...members.email, ...schemaArgument },
  url: { ...members.url, ...schemaArgument },
  description: { ...members.description, ...schemaArgument },
  locale: { ...members.locale, ...schemaArgument },
  nickname: { ...members.nickname, ...line },
  slug: { ...members.slug, validate_callback: 'rest_validate_request_arg', sanitize_callback: 'sanitize_title' },
  roles: { ...members.roles, ...schemaArgument },
  password: {
    ...members.password,
    validate_callback: 'rest_validate_request_arg',
    sanitize_callback: checkedPassword,
  },
  // The handler validates its values: docs/wire.md#the-current-user.
  meta: { ...members.meta, validate_callback: isArray, sanitize_callback: inPlaceOfSchema((value: unknown) => value) },
} as const

/** The arguments of the deletion of a user. */
export const deletionArguments = {
  force: {
    type: 'boolean',
    default: false,
    description: 'Required to be true, as users do not support trashing.',
  },
  reassign: {
    type: 'integer',
    description: "Reassign the deleted user's posts and links to this user ID.",
    required: true,
    sanitize_callback: inPlaceOfSchema(checkedReassign),
  },
} as const
