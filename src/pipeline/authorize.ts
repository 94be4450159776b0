import { isDeepStrictEqual } from 'node:util'
import { callerCan } from '../auth/meta-capabilities.js'
import { outOfScope } from '../auth/refusals.js'
import type { Requirement } from '../auth/requirement.js'
import { isThenable } from '../base/thenable.js'
import type { HttpRequest } from '../http/http-request.js'
import type { Endpoint } from '../routing/endpoint.js'
import { anyone, type Decision, type Decisions, type Permission } from '../routing/permission.js'
import { PermissionRequest } from './permission-request.js'

/** A permission callback, bound to its instance or its dependencies. */
export type PermissionCallback = (request: HttpRequest) => unknown

/** The permission for a requirement without a callback. The check is chosen here, at the start, and not for each request. */
export function permissionFor(requirement: Exclude<Requirement, { readonly kind: 'callback' }>): Permission {
  switch (requirement.kind) {
    case 'anyone':
      return anyone
    case 'logged-in':
      return { requirement, authorize: ({ user }) => user.id !== 0 }
    case 'capability':
      return { requirement, authorize: ({ user }) => callerCan(user, requirement.name) }
  }
}

/**
 * A permission callback, which runs once for all endpoints that share it. Where a value that the declaration of one endpoint
 * excludes has ended it, it runs again for an endpoint with another declaration, which may allow the value.
 */
export class CallbackPermission implements Permission {
  readonly requirement: Requirement
  readonly #callback: PermissionCallback

  constructor(requirement: Requirement, callback: PermissionCallback) {
    this.requirement = requirement
    this.#callback = callback
  }

  authorize(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
    const endpointDecision = decisions.get(endpoint)
    if (endpointDecision) return endpointDecision.verdict
    const shared = decisions.get(this)
    const decision = shared ? this.#shared(shared, request, endpoint) : this.#run(request, endpoint)
    if (decision !== shared) decisions.set(this, decision)
    if (decision.excludingArgs) decisions.set(endpoint, decision)
    return decision.verdict
  }

  /** The decision of another endpoint if it is valid for this one as well, else a new one. */
  #shared(shared: Decision, request: HttpRequest, endpoint: Endpoint): Decision {
    const { verdict, excludingArgs } = shared
    if (excludingArgs === null) return shared
    const isValid = (): boolean => {
      const args = excludingArgs()
      return args === null || isDeepStrictEqual(args, endpoint.args)
    }
    if (!isThenable(verdict)) return isValid() ? shared : this.#run(request, endpoint)
    let decision = shared
    return {
      verdict: Promise.resolve(verdict).then((settled) => {
        if (isValid()) return settled
        decision = this.#run(request, endpoint)
        return decision.verdict
      }),
      excludingArgs: () => decision.excludingArgs?.() ?? null,
    }
  }

  #run(request: HttpRequest, endpoint: Endpoint): Decision {
    const view = PermissionRequest.of(request, endpoint)
    if (view instanceof PermissionRequest)
      return { verdict: this.#verdictOf(view), excludingArgs: () => (view.hasExcluded ? endpoint.args : null) }
    const verdict = this.#callback(view)
    // Some thenables, such as a query, run again for each `then`.
    return { verdict: isThenable(verdict) ? Promise.resolve(verdict) : verdict, excludingArgs: null }
  }

  /**
   * False for a callback that has read an excluded value, even if it caught the error. A callback that has read arguments that
   * were still being validated runs again.
   */
  #verdictOf(view: PermissionRequest): unknown {
    const verdictAfter = (outcome: () => unknown): unknown => {
      if (view.hasExcluded) return false
      const validation = view.takeValidation()
      return validation ? validation.then(() => this.#verdictOf(view)) : outcome()
    }
    const failed = (error: unknown): unknown =>
      verdictAfter(() => {
        throw error
      })
    let verdict: unknown
    try {
      verdict = this.#callback(view)
    } catch (error) {
      return failed(error)
    }
    if (!isThenable(verdict)) return verdictAfter(() => verdict)
    return Promise.resolve(verdict).then((settled) => verdictAfter(() => settled), failed)
  }
}

/**
 * Whether the application password of a request may not be used for it.
 * @param method the method to check, which may differ from that of the request.
 */
export function isOutOfScope({ applicationPassword, route }: HttpRequest, method: string): boolean {
  const allows = applicationPassword?.allows ?? null
  return allows !== null && !allows(method, route)
}

/**
 * The step authorize. @returns the verdict about the caller, or a promise for it. For an application password that may not be
 * used for the request, the verdict is the refusal, and no permission is checked.
 */
export function authorize(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  // Null in nearly all requests.
  if (request.applicationPassword !== null && isOutOfScope(request, request.method)) return outOfScope()
  return endpoint.permission.authorize(request, endpoint, decisions)
}

/** The verdict for `Allow`: false for a callback that throws, and for an application password that may not be used. */
export function verdictOf(request: HttpRequest, endpoint: Endpoint, decisions: Decisions): unknown {
  if (isOutOfScope(request, endpoint.methods[0] ?? '')) return false
  try {
    return endpoint.permission.authorize(request, endpoint, decisions)
  } catch {
    return false
  }
}
