import type { Plan } from '../app/plan.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import type { ServedRoute } from '../routing/handler-class.js'
import type { Caller } from '../http/caller.js'
import { runAs, runAsAnonymous } from '../auth/current-user.js'
import { callerCan } from '../auth/meta-capabilities.js'
import { requirementOf } from '../auth/requirement.js'

/**
 * Whether a caller may call a route. A permission callback without parameters is run with the caller as the current user.
 * No database is open, so the result is unknown when the callback reads data.
 * @returns null when the result is unknown or depends on the request.
 */
export async function mayCall(caller: Caller, route: ServedRoute, plan: Plan): Promise<boolean | null> {
  const requirement = requirementOf(route.declaration.permission, plan.options.rest_default_capability)
  switch (requirement.kind) {
    case 'anyone':
      return true
    case 'logged-in':
      return caller.id !== 0
    case 'capability':
      return callerCan(caller, requirement.name)
    case 'callback':
      return verdictOf(caller, plan.application.instanceOf(route.source), route.declaration.permission)
  }
}

/** @param permission the name of a method, or the permission function of an endpoint. */
async function verdictOf(
  caller: Caller,
  instance: object,
  permission: RouteDeclaration['permission'],
): Promise<boolean | null> {
  const callback: unknown = typeof permission === 'string' ? Reflect.get(instance, permission) : permission
  if (typeof callback !== 'function' || callback.length > 0) return null
  const callPermission = async (): Promise<unknown> => Reflect.apply(callback, instance, [])
  const can = () => Promise.reject(new Error('Without a request, no record can be read.'))
  try {
    return (await (caller.id === 0 ? runAsAnonymous(callPermission) : runAs({ caller, can }, callPermission))) === true
  } catch {
    return null
  }
}
