import { AsRestRoute, RestError, RestResponse, type RestRequest } from 'as-rest-route'

const symbol = Symbol('handler')

// @ts-expect-error a class
@AsRestRoute({ namespace: 'shop/v1', route: '/a' })
export class Refused {
  // @ts-expect-error a static method
  @AsRestRoute({ namespace: 'shop/v1', route: '/b' })
  static shared() {
    return new RestResponse(null)
  }

  // @ts-expect-error a private method
  @AsRestRoute({ namespace: 'shop/v1', route: '/c' })
  #hidden() {
    return new RestResponse(null)
  }

  // @ts-expect-error a getter
  @AsRestRoute({ namespace: 'shop/v1', route: '/d' })
  get value() {
    return new RestResponse(this.#hidden())
  }

  // @ts-expect-error a field
  @AsRestRoute({ namespace: 'shop/v1', route: '/e' })
  field = () => new RestResponse(null)

  // @ts-expect-error an accessor
  @AsRestRoute({ namespace: 'shop/v1', route: '/f' })
  accessor automatic = 1;

  // @ts-expect-error a method named by a symbol
  @AsRestRoute({ namespace: 'shop/v1', route: '/g' })
  [symbol]() {
    return new RestResponse(null)
  }

  // @ts-expect-error a second parameter that must be given
  @AsRestRoute({ namespace: 'shop/v1', route: '/h' })
  second(_request: RestRequest, _store: string) {
    return new RestResponse(null)
  }

  // @ts-expect-error a handler that returns nothing
  @AsRestRoute({ namespace: 'shop/v1', route: '/i' })
  nothing() {}

  // @ts-expect-error a handler that returns an error
  @AsRestRoute({ namespace: 'shop/v1', route: '/returned-error' })
  error() {
    return new RestError('gone', 'It is gone.')
  }

  // @ts-expect-error a handler that returns a symbol
  @AsRestRoute({ namespace: 'shop/v1', route: '/returned-symbol' })
  symbol() {
    return Symbol('gone')
  }

  // @ts-expect-error a handler that returns nothing on one way
  @AsRestRoute({ namespace: 'shop/v1', route: '/j' })
  async sometimes(request: RestRequest) {
    return request.user.id > 0 ? new RestResponse(null) : undefined
  }

  // @ts-expect-error a handler that takes no request
  @AsRestRoute({ namespace: 'shop/v1', route: '/k' })
  number(_id: number) {
    return new RestResponse(null)
  }
}
