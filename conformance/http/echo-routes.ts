import { compileArguments } from '../../src/validation/compile.js'
import type { ArgumentSchema } from '../../src/validation/rules.js'
import { currentUserCan } from '../../src/auth/current-user.js'
import { requirementOf } from '../../src/auth/requirement.js'
import type { HttpRequest } from '../../src/http/http-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { namedSanitizers } from '../../src/sanitizers/named-sanitizers.js'
import { CallbackPermission, permissionFor } from '../../src/pipeline/authorize.js'
import type { Endpoint } from '../../src/routing/endpoint.js'
import type { Permission } from '../../src/routing/permission.js'
import { readJson } from './read-json.js'

interface EchoRoute {
  readonly route: string
  readonly method: string
  readonly permission: string | null
  readonly args?: ArgumentSchema
  readonly name?: string
}

/** The callbacks that `echo-routes.json` names. */
export const callbacks: Readonly<Record<string, (request: HttpRequest) => unknown>> = {
  canCreateProduct: () => currentUserCan('publish_posts'),
  canEditProduct: (request) => currentUserCan('edit_post', String(request.get_param('id'))),
  canDeleteProduct: (request) => currentUserCan('delete_post', String(request.get_param('id'))),
  canViewOrders: () => currentUserCan('read'),
  isAdmin: () => currentUserCan('manage_options'),
  isLoggedIn: (request) => request.user.id !== 0,
  hasOpenParam: (request) => request.get_param('open') === 'sesame',
  always: () => true,
  never: () => false,
}

/**
 * The echo routes as endpoints, declared below the start-up check: some are there because they are doubtful (a default
 * that breaks its own rules, a route that an earlier one shadows).
 */
export function echoEndpoints(folder: string, defaultCapability: string | null): Endpoint[] {
  const { namespace, routes } = readJson(folder, 'echo-routes.json') as {
    readonly namespace: string
    readonly routes: readonly EchoRoute[]
  }
  const permissions = new Map<string | null, Permission>()
  // Routes with the same callback share one permission, as declared routes do.
  const permissionOf = (callback: string | null): Permission => {
    const permission = permissions.get(callback) ?? createPermission(callback, defaultCapability)
    permissions.set(callback, permission)
    return permission
  }
  return routes.map(({ route, method, permission, args = {}, name }) => ({
    namespace,
    route,
    methods: [method],
    args,
    arguments: compileArguments(args, namedSanitizers),
    permission: permissionOf(permission),
    handle: (request) =>
      new RestResponse({
        ...(name !== undefined && { name }),
        params: request.get_params(),
        url: request.get_url_params(),
        query: request.get_query_params(),
      }),
    allowBatch: false,
    showInIndex: true,
    name: `echo ${method} ${route}`,
  }))
}

function createPermission(name: string | null, defaultCapability: string | null): Permission {
  const requirement = requirementOf(name, defaultCapability)
  if (requirement.kind !== 'callback') return permissionFor(requirement)
  return new CallbackPermission(requirement, callbacks[requirement.method] ?? (() => false))
}
