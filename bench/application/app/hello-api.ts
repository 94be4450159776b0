import { AsRestRoute, RestResponse, route, type RequestOf } from 'as-rest-route'

const hello = route({
  namespace: 'bench/v1',
  route: '/hello',
  permission: 'public',
  args: { count: { type: 'integer', minimum: 1, maximum: 100, default: 1 } },
})

/** The least that a route can do: one checked argument, no data. */
export class HelloApi {
  @AsRestRoute(hello)
  hello(request: RequestOf<typeof hello>) {
    return new RestResponse({ hello: 'world', count: request.get_param('count') })
  }
}
