import type { ResponseErrorCode } from '../base/response-errors.js'
import { RestError } from '../http/rest-error.js'
import { currentUser } from '../auth/current-user.js'
import { refusalStatus } from '../auth/decision.js'

// Rules: docs/wire.md#application-password-endpoints.

/** The caller is anonymous, and the path has `me`. */
export function notLoggedIn(): RestError {
  return new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
}

/** There is no user with the id in the path. */
export function unknownUser(): RestError {
  return new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
}

/**
 * Application passwords may not be used in this request.
 * @param reason a sentence that is added to WordPress's message.
 */
export function passwordsUnavailable(reason: string): RestError {
  return new RestError('application_passwords_disabled', `Application passwords are not available. ${reason}`, {
    status: 501,
  })
}

/** The user has no password with this UUID. */
export function passwordNotFound(): RestError {
  return new RestError('rest_application_password_not_found', 'Application password not found.', { status: 404 })
}

/** The caller did not authenticate with an application password. */
export function nothingToIntrospect(): RestError {
  return new RestError('rest_no_authenticated_app_password', 'Cannot introspect application password.', { status: 404 })
}

const all = 'application passwords for this user'
const appPassword = 'this application password'

/** Code and action of each refusal, by the missing capability. */
const refusals = {
  list_app_passwords: ['rest_cannot_list_application_passwords', `list ${all}`],
  create_app_password: ['rest_cannot_create_application_passwords', `create ${all}`],
  delete_app_passwords: ['rest_cannot_delete_application_passwords', `delete ${all}`],
  read_app_password: ['rest_cannot_read_application_password', `read ${appPassword}`],
  edit_app_password: ['rest_cannot_edit_application_password', `edit ${appPassword}`],
  delete_app_password: ['rest_cannot_delete_application_password', `delete ${appPassword}`],
} as const satisfies Record<string, readonly [code: string, action: string]>

export type PasswordCapability = keyof typeof refusals

export function passwordRefusal(capability: PasswordCapability): RestError {
  const [code, action] = refusals[capability]
  return refusal(code, `Sorry, you are not allowed to ${action}.`)
}

/** Introspection with the id of another user than the caller. */
export function foreignIntrospection(): RestError {
  return refusal(
    'rest_cannot_introspect_app_password_for_non_authenticated_user',
    'The authenticated application password can only be introspected for the current user.',
  )
}

function refusal(code: ResponseErrorCode, message: string): RestError {
  return new RestError(code, message, { status: refusalStatus(currentUser()) })
}

/** The caller may not change this user. */
export function notEditable(): RestError {
  return refusal('rest_cannot_edit', 'Sorry, you are not allowed to edit this user.')
}

export function rolesNotEditable(): RestError {
  return refusal('rest_cannot_edit_roles', 'Sorry, you are not allowed to edit roles of this user.')
}

export function notDeletable(): RestError {
  return refusal('rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.')
}

/** Another user has the address. */
export function takenEmail(): RestError {
  return invalid('rest_user_invalid_email', 'Invalid email address.')
}

/** Another user has the slug. */
export function takenSlug(): RestError {
  return invalid('rest_user_invalid_slug', 'Invalid slug.')
}

export function usernameNotEditable(): RestError {
  return invalid('rest_user_invalid_argument', 'Username is not editable.')
}

export function missingRole(name: string): RestError {
  return invalid('rest_user_invalid_role', `The role ${name} does not exist.`)
}

/** Administrators cannot take `edit_users` from themselves. */
export function refusedRole(): RestError {
  return refusal('rest_user_invalid_role', 'Sorry, you are not allowed to give users that role.')
}

export function trashNotSupported(): RestError {
  return new RestError('rest_trash_not_supported', "Users do not support trashing. Set 'force=true' to delete.", {
    status: 501,
  })
}

export function invalidReassign(): RestError {
  return invalid('rest_user_invalid_reassign', 'Invalid user ID for reassignment.')
}

/** The argument `reassign` is no id. */
export function invalidReassignParameter(): RestError {
  return invalid('rest_invalid_param', 'Invalid user parameter(s).')
}

/** The argument `username` has characters that no login name has. */
export function invalidUsername(): RestError {
  return invalid(
    'rest_user_invalid_username',
    'This username is invalid because it uses illegal characters. Please enter a valid username.',
  )
}

/** The argument `password` cannot be a password. */
export function invalidPassword(message: string): RestError {
  return invalid('rest_user_invalid_password', message)
}

function invalid(code: ResponseErrorCode, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}
