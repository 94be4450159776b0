import { RestError } from './rest-error.js'

/**
 * An object cannot be created or changed with the values of the caller. An uncaught error of this class becomes a
 * response with its code, its message and its status.
 */
export abstract class RejectedError extends Error {
  /** Stable, machine readable: `existing_user_login`. */
  abstract readonly code: string
  /** The status of the response. */
  readonly status: number = 400
}

/** The error for the response to a thrown value; null when the client must not learn about it. */
export function restErrorOf(thrown: unknown): RestError | null {
  if (thrown instanceof RejectedError) return new RestError(thrown.code, thrown.message, { status: thrown.status })
  return thrown instanceof RestError ? thrown : null
}
