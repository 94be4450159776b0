// Nothing is wrong here but the compiler option `experimentalDecorators`, with which the test compiles it.
import { AsRestRoute, RestResponse } from 'as-rest-route'

export class Legacy {
  @AsRestRoute({ namespace: 'shop/v1', route: '/a', permission: 'public' })
  handler() {
    return new RestResponse(null)
  }
}
