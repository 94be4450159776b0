// The lost backslashes are what is wrong.
/* oxlint-disable no-useless-escape */
import { AsRestRoute, RestResponse, route, type RestRequest } from 'as-rest-route'

export class Refused {
  // @ts-expect-error a namespace without a version
  @AsRestRoute({ namespace: 'shop', route: '/a' })
  // @ts-expect-error a namespace that begins with a slash
  @AsRestRoute({ namespace: '/shop/v1', route: '/b' })
  // @ts-expect-error a version that is not a number
  @AsRestRoute({ namespace: 'shop/v1beta', route: '/c' })
  // @ts-expect-error a route without a slash
  @AsRestRoute({ namespace: 'shop/v1', route: 'products' })
  // @ts-expect-error a pattern that lost its backslash: '\d' is 'd' in JavaScript
  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<id>\d+)' })
  // @ts-expect-error a class that lost its backslash
  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<slug>[\w-]+)' })
  // @ts-expect-error an unknown method
  @AsRestRoute({ namespace: 'shop/v1', route: '/d', method: 'FETCH' })
  // @ts-expect-error a method in lower case
  @AsRestRoute({ namespace: 'shop/v1', route: '/e', method: 'post' })
  // @ts-expect-error a misspelt key of the declaration
  @AsRestRoute({ namespace: 'shop/v1', route: '/f', permision: 'public' })
  // @ts-expect-error a declaration without a route
  @AsRestRoute({ namespace: 'shop/v1' })
  handler(_request: RestRequest) {
    return new RestResponse(null)
  }
}

// @ts-expect-error a shared declaration is checked where it is written
export const shared = route({ namespace: 'shop', route: '/a' })
