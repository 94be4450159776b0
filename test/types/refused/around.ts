import { AsRestRoute, endpoint, type Around, type RestRequest } from 'as-rest-route'

const page = { page: { type: 'integer', default: 1 } } as const

export class Refused {
  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/a',
    args: page,
    // @ts-expect-error a parameter that is not declared
    around: [(request, next) => (request.get_param('pages') === null ? null : next())],
  })
  // @ts-expect-error a function for another request
  @AsRestRoute({ namespace: 'shop/v1', route: '/b', around: [(_r: RestRequest<{ id: string }>, next) => next()] })
  // @ts-expect-error no list
  @AsRestRoute({ namespace: 'shop/v1', route: '/c', around: (_request, next) => next() })
  list() {
    return null
  }
}

// @ts-expect-error nothing is returned
export const forgetful: Around = async (_request, next) => {
  await next()
}

export const shown = endpoint(
  {
    namespace: 'shop/v1',
    route: '/d/(?P<id>\\d+)',
    args: page,
    around: [
      async (request, next) => {
        // @ts-expect-error the type of a declared parameter
        const wrong: string = request.get_param('page')
        return wrong === '' ? null : next()
      },
    ],
  },
  () => null,
)
