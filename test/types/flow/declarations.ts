// What a declaration tells its handler, wherever it is written. Compiled by every TypeScript that `types.test.ts` knows.
import { AsRestRoute, RestResponse, route, type RequestOf, type RestRequest } from 'as-rest-route'
import { id, other, path, values } from './arguments.js'
import { same, type Equal, type Read } from './equal.js'

// A declaration that is not written in place says as much as its types do
declare const anywhere: { namespace: string; route: string; permission: string }
const held = {
  namespace: 'shop/v1',
  route: '/held/(?P<id>\\d+)',
  args: { price: { type: 'number', required: true } },
} as const
same<Equal<Read<RequestOf<typeof held>>, { id: string; price: number }>>()
const productArgs = { title: { type: 'string', required: true } } as const
const elsewhere = route({ namespace: 'my/version/v12', route: '/elsewhere/(?P<id>\\d+)', args: productArgs })
same<Equal<Read<RequestOf<typeof elsewhere>>, { id: string; title: string }>>()
// String.raw gives the compiler no literal, so nothing is known of such a route
const raw = route({ namespace: 'shop/v1', route: String.raw`/raw/(?P<id>\d+)`, args: productArgs })
same<Equal<Read<RequestOf<typeof raw>>, Record<string, unknown>>>()

type WithId = RestRequest<{ id: string }>
const idOf = (request: WithId) => request.get_param('id')

abstract class Base<Item> {
  abstract find(id: number): Item | null
  mayRead() {
    return true
  }
  mayReadItem(request: WithId) {
    return Promise.resolve(request.get_param('id') !== '')
  }
  @AsRestRoute({ namespace: 'shop/v1', route: '/generic/(?P<id>\\d+)', permission: 'mayReadItem' })
  async generic(request: RestRequest<{ id: string }>) {
    return new RestResponse<Item>(this.find(Number(request.get_param('id'))))
  }
  @AsRestRoute({ namespace: 'shop/v1', route: '/generic', permission: 'mayRead' })
  all(): RestResponse<Item[]> {
    return new RestResponse<Item[]>([])
  }
}

export class Accepted extends Base<{ readonly name: string }> {
  override find(wanted: number) {
    return wanted === id ? { name: String(other) } : null
  }

  @AsRestRoute(path)
  @AsRestRoute({ namespace: 'shop/v1', route: '/b/(?P<id>\\d+)', method: 'DELETE', permission: null })
  @AsRestRoute({ namespace: 'shop/v1', route: '/c/(?P<id>\\d+)', permission: 'mayRead', args: {} })
  narrow(request: WithId) {
    return new RestResponse(idOf(request))
  }

  @AsRestRoute(values)
  passesOn(request: RequestOf<typeof values>) {
    const wider: RestRequest<{ whole: number; text: string | null }> = request
    return new RestResponse([wider.get_param('text'), request.has_param('flag')])
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/any/(?P<id>\\d+)', permission: 'mayReadItem' })
  any(request: RestRequest) {
    const value: unknown = request.get_param('whatever')
    return new RestResponse(value)
  }

  @AsRestRoute(anywhere)
  @AsRestRoute(held)
  unknownRoute(request: RestRequest) {
    return new RestResponse(request.get_params())
  }

  @AsRestRoute(anywhere)
  trustsTheAuthor(request: RestRequest<{ id: string }>) {
    return new RestResponse(request.get_param('id'))
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/optional', permission: 'isOpen' })
  optional(request?: RestRequest, _extra = 1) {
    return new RestResponse(request === undefined)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/wider/(?P<id>\\d+)(?:/(?P<page>\\d+))?' })
  wider(request: RestRequest<{ id: string | number; page: string | null }>) {
    return Math.random() > 2 ? new RestResponse(request.get_param('page')) : Promise.resolve(new RestResponse(null))
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/inline',
    method: 'POST',
    permission: 'public',
    args: {
      price: { type: 'number', required: true, minimum: 0 },
      tags: { type: 'array', items: { type: 'string' } },
      slug: { type: 'string', sanitize_callback: (value) => String(value).toLowerCase() },
    },
  })
  inline(request: RestRequest<{ price: number; tags: string[] | null; slug: string | null }>) {
    const { price, tags = [] } = request.get_params()
    return new RestResponse([price, tags])
  }

  async isOpen() {
    return true
  }
}

// A cached route keeps its types, in a constant too.
const kept = route({ namespace: 'shop/v1', route: '/kept/(?P<id>\\d+)', permission: 'public', cache: 60 })
const tagged = route({
  namespace: 'shop/v1',
  route: '/tagged',
  permission: 'public',
  cache: { seconds: 5, tags: ['post'] },
})
export class Kept {
  @AsRestRoute(kept)
  one(request: RequestOf<typeof kept>) {
    const id: string = request.get_param('id')
    return new RestResponse(id)
  }
  @AsRestRoute(tagged)
  list() {
    return new RestResponse([])
  }
}

// What `route` returns has every key that it takes.
same<Equal<keyof ReturnType<typeof route>, keyof Parameters<typeof route>[0]>>()
