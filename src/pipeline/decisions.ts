import { isDeepStrictEqual } from 'node:util'
import { callerCan } from '../auth/meta-capabilities.js'
import type { HttpRequest } from '../http/rest-request.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { ArgumentSchema } from '../validation/rules.js'
import { PermissionRequest } from './permission-request.js'

/** The verdicts of the permission callbacks that ran within one request, by permission and by endpoint. */
export type Decisions = Map<unknown, Decision>

interface Decision {
  readonly verdict: unknown
  /**
   * Known once the verdict is known: the arguments of the declaration whose excluded value ended the callback, or null when
   * the callback ran to its end. The function itself is null where the callback got validated arguments.
   */
  readonly endedUnder: (() => ArgumentSchema | null) | null
}

/** The verdict of an endpoint's requirement as it was returned. Only `true` admits the caller. */
export function permissionOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  const { requirement } = endpoint
  switch (requirement.kind) {
    case 'anyone':
      return true
    case 'logged-in':
      return request.user.id !== 0
    case 'capability':
      return callerCan(request.user, requirement.name)
    case 'callback':
      return verdictOfCallback(request, endpoint, decisions)
  }
}

/**
 * A callback runs once for all endpoints that share it. It runs again where it was ended by a value that the declaration of
 * one endpoint excludes, because another declaration may allow the value.
 */
function verdictOfCallback(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  const own = decisions.get(endpoint)
  if (own) return own.verdict
  const shared = decisions.get(endpoint.permissionKey)
  const decision = shared ? sharedDecision(shared, request, endpoint) : runCallback(request, endpoint)
  if (decision !== shared) decisions.set(endpoint.permissionKey, decision)
  if (decision.endedUnder) decisions.set(endpoint, decision)
  return decision.verdict
}

/** The decision of another endpoint with the same callback if it is valid for this one as well, else a new one. */
function sharedDecision(shared: Decision, request: HttpRequest, endpoint: Endpoint): Decision {
  const { verdict, endedUnder } = shared
  if (endedUnder === null) return shared
  const serves = (): boolean => {
    const args = endedUnder()
    return args === null || isDeepStrictEqual(args, endpoint.args)
  }
  if (!isThenable(verdict)) return serves() ? shared : runCallback(request, endpoint)
  let decision = shared
  return {
    verdict: Promise.resolve(verdict).then((settled) => {
      if (serves()) return settled
      decision = runCallback(request, endpoint)
      return decision.verdict
    }),
    endedUnder: () => decision.endedUnder?.() ?? null,
  }
}

function runCallback(request: HttpRequest, endpoint: Endpoint): Decision {
  const { permit } = endpoint
  if (permit === null) return { verdict: false, endedUnder: null }
  const shown = PermissionRequest.of(request, endpoint)
  if (shown instanceof PermissionRequest)
    return { verdict: verdictOfView(shown, permit), endedUnder: () => (shown.hasExcluded ? endpoint.args : null) }
  const answer = permit(shown)
  // Some thenables, such as a query, run again for each `then`.
  return { verdict: isThenable(answer) ? Promise.resolve(answer) : answer, endedUnder: null }
}

/** False for a callback that has read an excluded value, even if it caught the error. */
function verdictOfView(view: PermissionRequest, permit: NonNullable<Endpoint['permit']>): unknown {
  const failed = (error: unknown): false => {
    if (view.hasExcluded) return false
    throw error
  }
  try {
    const answer = permit(view)
    if (!isThenable(answer)) return view.hasExcluded ? false : answer
    return Promise.resolve(answer).then((settled) => (view.hasExcluded ? false : settled), failed)
  } catch (error) {
    return failed(error)
  }
}

/** As `permissionOf`, but false for a callback that fails. It never throws, and its promise never rejects. */
export function verdictOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  try {
    const verdict = permissionOf(request, endpoint, decisions)
    return isThenable(verdict) ? Promise.resolve(verdict).catch(() => false) : verdict
  } catch {
    return false
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
