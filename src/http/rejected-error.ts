import { RestError } from './rest-error.js'

/**
 * What cannot be made or changed as it was given. Code and message are meant for the caller: what no handler catches is
 * answered with them and the status 400.
 */
export abstract class RejectedError extends Error {
  /** Stable, machine readable: `existing_user_login`. */
  abstract readonly code: string
}

/** The error to answer with when this is thrown; `null` for what the caller learns nothing of. */
export function answerableError(thrown: unknown): RestError | null {
  if (thrown instanceof RejectedError) return new RestError(thrown.code, thrown.message, { status: 400 })
  return thrown instanceof RestError ? thrown : null
}
