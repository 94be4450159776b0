import { AsRestRoute, RestResponse } from '../../src/index.js'

/** The least that a service starts with. */
export class EmptyApi {
  @AsRestRoute({ namespace: 'shop/v1', route: '/nothing', permission: 'public' })
  nothing() {
    return new RestResponse(null)
  }
}
