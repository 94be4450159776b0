import { AsRestRoute, currentUserCan, RestResponse, type RestRequest } from 'as-rest-route'

export class Refused {
  canRead() {
    return true
  }
  title() {
    return 'yes'
  }
  readonly flag = true
  private canWrite() {
    return this.flag
  }
  canReadItem(request: RestRequest<{ id: string }>) {
    return request.get_param('id') !== ''
  }
  canReadTyped(request: RestRequest<{ id: number }>) {
    return request.get_param('id') > 0
  }
  canReadBoth(_request: RestRequest, _other: string) {
    return this.canWrite()
  }
  takesAnother(_request: { readonly own: true }) {
    return true
  }

  canEdit() {
    // @ts-expect-error a capability over one record, without its id
    return currentUserCan('edit_post')
  }
  canEditMeta() {
    // @ts-expect-error a capability over metadata, without an id
    return currentUserCan('edit_post_meta')
  }
  canAnything(capability: string) {
    return currentUserCan(capability) && currentUserCan('edit_posts') && currentUserCan('edit_books')
  }

  // @ts-expect-error a misspelt permission
  @AsRestRoute({ namespace: 'shop/v1', route: '/a', permission: 'canReed' })
  // @ts-expect-error a private permission method
  @AsRestRoute({ namespace: 'shop/v1', route: '/b', permission: 'canWrite' })
  // @ts-expect-error a permission that is no method
  @AsRestRoute({ namespace: 'shop/v1', route: '/c', permission: 'flag' })
  // @ts-expect-error a permission that returns text
  @AsRestRoute({ namespace: 'shop/v1', route: '/d', permission: 'title' })
  // @ts-expect-error a permission that reads a name the route does not have
  @AsRestRoute({ namespace: 'shop/v1', route: '/e', permission: 'canReadItem' })
  // @ts-expect-error a permission that reads a name as another type
  @AsRestRoute({ namespace: 'shop/v1', route: '/f/(?P<id>\\d+)', permission: 'canReadTyped' })
  // @ts-expect-error a permission that reads as present what may be absent
  @AsRestRoute({ namespace: 'shop/v1', route: '/g', permission: 'canReadTyped', args: { id: { type: 'integer' } } })
  // @ts-expect-error a permission with a second parameter
  @AsRestRoute({ namespace: 'shop/v1', route: '/h', permission: 'canReadBoth' })
  // @ts-expect-error a permission that takes something else
  @AsRestRoute({ namespace: 'shop/v1', route: '/i', permission: 'takesAnother' })
  handler() {
    return new RestResponse(null)
  }
}
