import { RestError } from '../http/rest-error.js'
import type { Caller } from '../http/caller.js'

/**
 * What follows from the verdict of a permission check. Only `true` lets the caller in; an error is the answer itself;
 * anything else denies, `1` and `'yes'` included. Rules: docs/wire.md#the-permission-decision.
 *
 * @param verdict what a permission callback returned, or whether the caller meets the route's requirement.
 * @returns the error to answer with; `null` when the caller may go on.
 */
export function decide(verdict: unknown, caller: Pick<Caller, 'id'>): RestError | null {
  if (verdict === true) return null
  return verdict instanceof RestError ? verdict : forbidden(caller)
}

/** The answer to a caller who may not. */
export function forbidden(caller: Pick<Caller, 'id'>): RestError {
  return new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: refusalStatus(caller) })
}

/** 401 asks an anonymous caller to identify himself, 403 tells a known one no. */
export function refusalStatus({ id }: Pick<Caller, 'id'>): number {
  return id === 0 ? 401 : 403
}

/** Whether a permission callback kept its promise; any other verdict denies and deserves a line in the log. */
export function isVerdict(verdict: unknown): verdict is boolean | RestError {
  return typeof verdict === 'boolean' || verdict instanceof RestError
}
