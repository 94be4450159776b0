import type { Requirement } from '../auth/requirement.js'
import type { HttpRequest } from '../http/http-request.js'
import type { ArgumentSchema } from '../validation/rules.js'
import type { Endpoint } from './endpoint.js'

/**
 * The requirement of an endpoint for its callers, and the function that checks it. Endpoints with the same callback share one
 * permission, so that the callback runs once for all of them within a request.
 */
export interface Permission {
  readonly requirement: Requirement
  /**
   * The verdict about the caller of a request, or a promise for it. Only `true` admits the caller.
   * @param decisions of this request. A callback adds its verdict.
   * @throws whatever the callback throws.
   */
  readonly authorize: (request: HttpRequest, endpoint: Endpoint, decisions: Decisions) => unknown
}

/** The verdicts of the callbacks that ran within one request, by permission and by endpoint. */
export type Decisions = Map<Permission | Endpoint, Decision>

export interface Decision {
  readonly verdict: unknown
  /**
   * Known once the verdict is known: the arguments of the declaration whose excluded value ended the callback, or null when
   * the callback ran to its end. The function itself is null where the callback got validated arguments.
   */
  readonly excludingArgs: (() => ArgumentSchema | null) | null
}

/** The permission `'public'`. */
export const anyone: Permission = { requirement: { kind: 'anyone' }, authorize: () => true }
