import { compileArguments } from '../../src/validation/compile.js'
import type { ArgumentSchema } from '../../src/validation/rules.js'
import { currentUserCan } from '../../src/auth/current-user.js'
import { requirementOf } from '../../src/auth/requirement.js'
import type { HttpRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { namedSanitizers } from '../../src/sanitizers/named-sanitizers.js'
import type { Endpoint } from '../../src/routing/endpoint.js'
import { readJson } from './read-json.js'

interface EchoRoute {
  readonly route: string
  readonly method: string
  readonly permission: string | null
  readonly args?: ArgumentSchema
  readonly name?: string
}

/** The callbacks that `echo-routes.json` names. */
const callbacks: Readonly<Record<string, (request: HttpRequest) => unknown>> = {
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
  return routes.map(({ route, method, permission, args = {}, name }) => ({
    namespace,
    route,
    methods: [method],
    args,
    arguments: compileArguments(args, namedSanitizers),
    requirement: requirementOf(permission, defaultCapability),
    permissionKey: permission,
    permit: callbacks[permission ?? ''] ?? null,
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
