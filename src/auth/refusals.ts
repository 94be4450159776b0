import { RestError } from '../http/rest-error.js'

/** Why credentials are refused, and when the client may try again. */
export interface CredentialRefusal {
  readonly problem: RestError
  /** Seconds, for the header `Retry-After`; null when waiting does not help. */
  readonly retryAfter: number | null
}

/** The nonce of the request is not valid for its caller. */
// All refusals: docs/wire.md#credential-errors.
export function invalidNonce(): RestError {
  return new RestError('rest_cookie_invalid_nonce', 'Cookie check failed', { status: 403 })
}

/** No user has this login name or email address. */
export function unknownName(isEmail: boolean): RestError {
  return isEmail
    ? new RestError(
        'invalid_email',
        '<strong>Error:</strong> Unknown email address. Check again or try your username.',
        { status: 401 },
      )
    : new RestError(
        'invalid_username',
        '<strong>Error:</strong> Unknown username. Check again or try your email address.',
        { status: 401 },
      )
}

/** The user has no such application password. */
export function wrongApplicationPassword(): RestError {
  return new RestError('incorrect_password', 'The provided password is an invalid application password.', {
    status: 401,
  })
}

/** The application password has expired. */
export function expiredApplicationPassword(): RestError {
  return new RestError('application_password_ended', 'This application password has expired. Make a new one.', {
    status: 401,
  })
}

/** The application password has scopes, and none of them allows the request. */
export function outOfScope(): RestError {
  return new RestError(
    'rest_application_password_scope',
    'This application password may not be used for this request.',
    { status: 403 },
  )
}

/** The request cannot use application passwords. @param reason a sentence that follows WordPress's message. */
export function applicationPasswordsDisabled(reason: string): RestError {
  return new RestError('application_passwords_disabled', `Application passwords are not available. ${reason}`, {
    status: 401,
  })
}

/** Too many attempts have failed before. These credentials were not checked. @param seconds until the next attempt. */
export function tooManyAttempts(seconds: number): CredentialRefusal {
  const message = tooManyText('failed attempts', seconds)
  return { problem: new RestError('too_many_attempts', message, { status: 429 }), retryAfter: seconds }
}

/** A sentence for a person. It contains no HTML. @param seconds until the next attempt or request. */
export function tooManyText(what: 'failed attempts' | 'passwords' | 'requests', seconds: number): string {
  return `Too many ${what}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}

/** Too many passwords wait to be checked. */
export function tooBusy(): CredentialRefusal {
  const message = 'The service is too busy to check a password. Try again in a moment.'
  return { problem: new RestError('service_busy', message, { status: 503 }), retryAfter: 1 }
}
