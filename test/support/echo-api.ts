import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'

/** Tells what arrived: a subject for requests of any shape. */
export class EchoApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', method: 'POST', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', method: 'PUT', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', method: 'PATCH', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', method: 'DELETE', permission: 'public' })
  @AsRestRoute({ namespace: 'test/v1', route: '/echo/(?P<word>[^/]+)', permission: 'public' })
  echo(request: RestRequest) {
    return new RestResponse({ method: request.method, route: request.route, params: request.get_params() })
  }

  /** Only how much arrived, for large bodies. */
  @AsRestRoute({ namespace: 'test/v1', route: '/count', method: 'POST', permission: 'public' })
  count(request: RestRequest) {
    return new RestResponse({ bytes: request.body.length, params: Object.keys(request.get_params()).length })
  }

  /** Takes a moment. */
  @AsRestRoute({ namespace: 'test/v1', route: '/slow', permission: 'public' })
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 60))
    return new RestResponse({ slow: true })
  }

  @AsRestRoute({
    namespace: 'test/v1',
    route: '/typed',
    permission: 'public',
    args: { page: { type: 'integer', default: 1, minimum: 1 }, name: { type: 'string' } },
  })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/typed',
    method: 'POST',
    permission: 'public',
    args: { page: { type: 'integer', default: 1, minimum: 1 }, name: { type: 'string', required: true } },
  })
  typed(request: RestRequest) {
    return new RestResponse(request.get_params())
  }
}
