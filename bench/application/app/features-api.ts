import { AsRestRoute, RestResponse } from 'as-rest-route'

/** The same response, each time with one thing more to do before it. */
export class FeaturesApi {
  @AsRestRoute({ namespace: 'bench/v1', route: '/plain', permission: 'public' })
  @AsRestRoute({ namespace: 'bench/v1', route: '/cached', permission: 'public', cache: 60 })
  @AsRestRoute({ namespace: 'bench/v1', route: '/closed' })
  @AsRestRoute({ namespace: 'bench/v1', route: '/asked', permission: 'isAllowed' })
  @AsRestRoute({ namespace: 'bench/v1', route: '/patterns/(?P<id>\\d+)/(?P<name>[a-z-]+)', permission: 'public' })
  answer() {
    return new RestResponse({ hello: 'world', count: 7 })
  }

  isAllowed() {
    return true
  }
}
