import type { ResponseErrorCode } from '../base/response-errors.js'
import { RejectedError } from '../http/rejected-error.js'

/**
 * A user cannot be created or changed. `code` and message are those of WordPress where it has them. Unless the
 * handler catches the error, it becomes a response with this code, this message and the status 400.
 */
export class UserRejectedError extends RejectedError {
  override readonly name = 'UserRejectedError'
  readonly code: UserRejectionCode

  /** @param subject the id or the role in the messages that contain one. */
  constructor(code: UserRejectionCode, subject = '') {
    super(messages[code](subject))
    this.code = code
  }
}

const messages = {
  empty_user_login: () => 'Cannot create a user with an empty login name.',
  invalid_username: () => 'This username is invalid because it uses illegal characters. Please enter a valid username.',
  user_login_too_long: () => 'Username may not be longer than 60 characters.',
  existing_user_login: () => 'Sorry, that username already exists!',
  existing_user_id: (id: string) => `Sorry, there already is a user with the ID ${id}!`,
  invalid_email: () => 'The email address is not correct.',
  user_email_too_long: () => 'Email address may not be longer than 100 characters.',
  existing_user_email: () => 'Sorry, that email address is already used!',
  empty_password: () => 'Please enter a password.',
  password_too_long: () => 'Passwords may not be longer than 4096 bytes.',
  display_name_too_long: () => 'Display name may not be longer than 250 characters.',
  invalid_display_name: () => 'The display name is not valid text.',
  user_url_too_long: () => 'User URL may not be longer than 100 characters.',
  empty_user_nicename: () => 'Cannot create a user with an empty nicename.',
  user_nicename_too_long: () => 'Nicename may not be longer than 50 characters.',
  invalid_user_text: () => 'A text of the user is not valid text.',
  invalid_role: (role: string) => `Role doesn't exist: ${role}`,
  invalid_user_id: () => 'Invalid user ID.',
  invalid_reassign: () => 'Invalid user ID for reassignment.',
} satisfies Partial<Record<ResponseErrorCode, (subject: string) => string>>

export type UserRejectionCode = keyof typeof messages
