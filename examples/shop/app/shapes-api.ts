import { AsRestRoute, RestResponse, type RestRequest } from 'as-rest-route'

type WithId = RestRequest<{ id: string }>

/** The other shapes a declaration can take: the default permission, several methods on one handler. */
export class ShapesApi {
  @AsRestRoute({ namespace: 'shop/v1', route: '/items' })
  @AsRestRoute({ namespace: 'shop/v1', route: '/items', method: 'POST' })
  items(request: RestRequest) {
    return new RestResponse({ route: 'items', method: request.method })
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/items/(?P<id>\\d+)', method: 'PUT' })
  @AsRestRoute({ namespace: 'shop/v1', route: '/items/(?P<id>\\d+)', method: 'PATCH' })
  @AsRestRoute({ namespace: 'shop/v1', route: '/items/(?P<id>\\d+)', method: 'DELETE' })
  item(request: WithId) {
    return new RestResponse({ route: 'item', method: request.method, id: request.pathId('id') })
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/drafts' })
  drafts(request: RestRequest) {
    return new RestResponse({ route: 'drafts', method: request.method })
  }
}
