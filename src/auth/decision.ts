import { RestError } from '../http/rest-error.js'
import type { Caller } from '../http/caller.js'

/**
 * The result of a permission check. Only `true` lets the caller in. An error becomes the response. Any other value refuses,
 * also `1` and `'yes'`. Rules: docs/wire.md#the-permission-decision.
 *
 * @param verdict what a permission callback returned, or whether the caller meets the route's requirement.
 * @returns the error of the response; `null` when the caller is let in.
 */
export function decide(verdict: unknown, caller: Pick<Caller, 'id'>): RestError | null {
  if (verdict === true) return null
  return verdict instanceof RestError ? verdict : forbidden(caller)
}

/** The error for a caller without permission. */
export function forbidden(caller: Pick<Caller, 'id'>): RestError {
  return new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: refusalStatus(caller) })
}

/** 401 for an anonymous caller, 403 for an identified one. */
export function refusalStatus({ id }: Pick<Caller, 'id'>): number {
  return id === 0 ? 401 : 403
}

/** Whether a permission callback kept its promise; any other verdict denies and deserves a line in the log. */
export function isVerdict(verdict: unknown): verdict is boolean | RestError {
  return typeof verdict === 'boolean' || verdict instanceof RestError
}
