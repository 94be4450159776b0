import { RestError } from '../http/rest-error.js'
import type { Caller } from '../http/caller.js'

/**
 * Turns the verdict of a permission check into a decision. Only `true` allows the request. A `RestError` is itself the
 * response. Every other value denies the request, `1` and `'yes'` included.
 * Rules: docs/wire.md#the-permission-decision.
 *
 * @param verdict the return value of a permission callback, or whether the caller meets the requirement of the route.
 * @returns the error of the response; `null` when the request is allowed.
 */
export function decide(verdict: unknown, caller: Pick<Caller, 'id'>): RestError | null {
  if (verdict === true) return null
  return verdict instanceof RestError ? verdict : forbidden(caller)
}

/** The error for a caller without the permission. */
export function forbidden(caller: Pick<Caller, 'id'>): RestError {
  return new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: refusalStatus(caller) })
}

/** 401 for an anonymous caller, who can log in; 403 for a logged-in user. */
export function refusalStatus({ id }: Pick<Caller, 'id'>): number {
  return id === 0 ? 401 : 403
}

/**
 * Whether a permission callback returned a value of its declared type. Any other verdict denies the request and is
 * logged.
 */
export function isVerdict(verdict: unknown): verdict is boolean | RestError {
  return typeof verdict === 'boolean' || verdict instanceof RestError
}
