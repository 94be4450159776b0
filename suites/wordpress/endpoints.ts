import { callbacks as echoCallbacks } from '../../conformance/http/echo-routes.js'
import { requirementOf } from '../../src/auth/requirement.js'
import type { HttpRequest } from '../../src/http/http-request.js'
import { RestError } from '../../src/http/rest-error.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { CallbackPermission, permissionFor } from '../../src/pipeline/authorize.js'
import type { Endpoint } from '../../src/routing/endpoint.js'
import type { Permission } from '../../src/routing/permission.js'
import { namedSanitizers } from '../../src/sanitizers/named-sanitizers.js'
import { compileArguments } from '../../src/validation/compile.js'
import type { SuiteRoute } from './routes.js'

const callbacks: Readonly<Record<string, (request: HttpRequest) => unknown>> = {
  ...echoCallbacks,
  error: () => {
    throw new RestError('not_now', 'Not now.', { status: 418, more: [1] })
  },
}

/** The routes as endpoints, declared below the start-up check, which would refuse some of them. @param rest the address of the API. */
export function endpointsOf(routes: readonly SuiteRoute[], rest: string): Endpoint[] {
  const shared = new Map<string | null, Permission>()
  const permissionOf = (name: string | null): Permission => {
    const requirement = requirementOf(name, 'edit_posts')
    const permission =
      shared.get(name) ??
      (requirement.kind === 'callback'
        ? new CallbackPermission(requirement, callbacks[requirement.method] ?? (() => false))
        : permissionFor(requirement))
    shared.set(name, permission)
    return permission
  }
  return routes.map((route) => ({
    namespace: route.namespace,
    route: route.route,
    methods: [route.method],
    args: route.args,
    arguments: compileArguments(route.args, namedSanitizers),
    permission: permissionOf(route.permission),
    handle: (request) => responseTo(route, request, rest),
    allowBatch: route.batch === true,
    showInIndex: true,
    name: `${route.method} ${route.route}`,
  }))
}

const readNames = ['a', 'b', 'c', 'd', 'x']

function responseTo(route: SuiteRoute, request: HttpRequest, rest: string): unknown {
  switch (route.answer ?? 'echo') {
    case 'reading':
      return new RestResponse({
        method: request.method,
        url: request.get_url_params(),
        query: request.get_query_params(),
        body: request.get_body_params(),
        json: request.get_json_params(),
        get: readNames.map((name) => request.get_param(name)),
        has: readNames.map((name) => request.has_param(name)),
        params: request.get_params(),
        user: request.user.id,
      })
    case 'body':
      return new RestResponse(JSON.parse(route.body ?? 'null'))
    case 'linked': {
      const response = new RestResponse<unknown>(JSON.parse(route.body ?? 'null'), 201)
      response.header('X-Made', ' a  b\t').header('Cache-Control', 'max-age=9')
      response.linkHeader('next', `${rest}made/v1/item/2`, { title: 'T' })
      return withLinks(response, rest)
    }
    case 'items': {
      const items = [1, 2, 3].map((id) =>
        withLinks(new RestResponse<unknown>({ id, name: `n${id}`, inner: { a: 1, b: { c: 2 } } }), rest),
      )
      return new RestResponse(items).header('X-WP-Total', '3').header('X-WP-TotalPages', '1')
    }
    case 'error':
      throw new RestError('first', 'First <b>é</b> /.', {
        status: 409,
        x: 1,
        additional_errors: [{ code: 'second', message: 'Second.', data: null }],
      })
    case 'bare':
      throw new RestError('bare', 'Bare.')
    case 'empty':
      return new RestResponse(null, 204)
    default:
      return new RestResponse({
        ...(route.name !== undefined && { name: route.name }),
        params: request.get_params(),
        url: request.get_url_params(),
        query: request.get_query_params(),
      })
  }
}

function withLinks(response: RestResponse, rest: string): RestResponse {
  return response
    .addLink('up', `${rest}made/v1/item/1`, { embeddable: true, x: 'y' })
    .addLink('up', `${rest}made/v1/item/nope`, { embeddable: true })
    .addLink('https://api.w.org/term', `${rest}made/v1/closed?x=1`, { embeddable: true })
    .addLink('other', 'http://other.example/?a=1&b=é')
    .addLink('collection', `${rest}made/v1/items?per_page=2`, { embeddable: true })
}
