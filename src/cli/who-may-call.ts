import type { Plan } from '../app/plan.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import type { FoundRoute } from '../routing/handler-class.js'
import type { Caller } from '../http/caller.js'
import { runAs, runAsAnonymous } from '../auth/current-user.js'
import { callerCan } from '../auth/meta-capabilities.js'
import { requirementOf } from '../auth/requirement.js'

/**
 * Whether a caller may call a route. A callback that takes no request is run on his behalf; where it asks for more than
 * who he is, nothing is open that could answer.
 * @returns `null` when it depends on the request.
 */
export async function mayCall(caller: Caller, route: FoundRoute, plan: Plan): Promise<boolean | null> {
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
  const ask = async (): Promise<unknown> => Reflect.apply(callback, instance, [])
  const can = () => Promise.reject(new Error('Only a request can tell.'))
  try {
    return (await (caller.id === 0 ? runAsAnonymous(ask) : runAs({ caller, can }, ask))) === true
  } catch {
    return null
  }
}
