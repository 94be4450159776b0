import { AsRestRoute, RestResponse, route } from 'as-rest-route'

export class Refused {
  mayRead() {
    return true
  }

  // @ts-expect-error a cached route that asks for a capability
  @AsRestRoute({ namespace: 'shop/v1', route: '/a', cache: 60 })
  // @ts-expect-error a cached route that asks a method
  @AsRestRoute({ namespace: 'shop/v1', route: '/b', permission: 'mayRead', cache: 60 })
  // @ts-expect-error a cached POST
  @AsRestRoute({ namespace: 'shop/v1', route: '/c', method: 'POST', permission: 'public', cache: { seconds: 60 } })
  // @ts-expect-error a time that is text
  @AsRestRoute({ namespace: 'shop/v1', route: '/d', permission: 'public', cache: '60' })
  // @ts-expect-error tags without a time
  @AsRestRoute({ namespace: 'shop/v1', route: '/e', permission: 'public', cache: { tags: ['post'] } })
  list() {
    return new RestResponse([])
  }
}

// @ts-expect-error a cached route of nobody's, in a constant
export const list = route({ namespace: 'shop/v1', route: '/f', cache: 60 })
