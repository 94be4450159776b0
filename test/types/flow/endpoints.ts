// What endpoints read and return, as the compiler sees it. Compiled by every TypeScript that `types.test.ts` knows.
import {
  AsRestRoute,
  currentUserCan,
  defineConfig,
  endpoint,
  RecordStore,
  RestResponse,
  restNamespace,
  route,
  type RequestOf,
  type RestRequest,
} from 'as-rest-route'
import { path } from './arguments.js'
import { same, type Equal, type Read } from './equal.js'

// Endpoints: request and dependencies are inferred from the declaration.
export const shown = endpoint({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)', permission: 'public' }, (request) => {
  same<Equal<Read<typeof request>, { id: string }>>()
  const id: number = request.pathId('id')
  return { id }
})

export const changed = endpoint(
  {
    namespace: 'shop/v1',
    route: '/a/(?P<id>\\d+)',
    method: 'PUT',
    permission: (request, { records }) => {
      same<Equal<Read<typeof request>, { id: string; price: number; note: string | null }>>()
      same<Equal<typeof records, RecordStore>>()
      return currentUserCan('edit_post', request.pathId('id'))
    },
    args: { price: { type: 'number', required: true }, note: { type: 'string' } },
    dependencies: { records: RecordStore },
  },
  async (request, { records }) => {
    same<Equal<Read<typeof request>, { id: string; price: number; note: string | null }>>()
    const record = await records.get(request.pathId('id'))
    return record === null ? new RestResponse(null, 404) : { title: record.title, price: request.get_param('price') }
  },
)

export const ofShared = endpoint(path, (request) => {
  same<Equal<Read<typeof request>, { id: string; slug: string }>>()
  return null
})

const shop = restNamespace('shop/v1')
same<Equal<typeof shop.namespace, 'shop/v1'>>()
const list = shop.route({ route: '/list', args: { page: { type: 'integer', default: 1 } } })
same<Equal<(typeof list)['namespace'], 'shop/v1'>>()
same<Equal<Read<RequestOf<typeof list>>, { page: number }>>()

export class ShopApi {
  @shop.AsRestRoute({ route: '/b/(?P<id>\\d+)', permission: 'mayRead' })
  show(request: RestRequest<{ id: string }>) {
    return [request.pathId('id')]
  }

  mayRead(request: RestRequest<{ id: string }>) {
    return request.pathId('id') > 0
  }

  @shop.AsRestRoute(list)
  list(request: RequestOf<typeof list>): Promise<number> | number {
    return request.get_param('page')
  }
}

export const counted = shop.endpoint({ route: '/c', permission: 'public', cache: 60 }, (): unknown => JSON.parse('1'))

// A cached declaration in a constant says so.
const cached = route({ namespace: 'shop/v1', route: '/cached', permission: 'public', cache: 60 })
export const cacheOf: unknown = cached.cache

export const configuration = defineConfig({ rest_default_capability: null, record_types: { note: {} } })

// Response schemas: what a handler may return
const answered = {
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    title: { type: ['string', 'null'], required: true },
    status: { type: 'string', enum: ['draft', 'publish'] },
    tags: { type: 'array', items: { type: 'string' } },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    free: {},
  },
} as const
const failed = { type: 'object', properties: { error: { type: 'string', required: true } } } as const
const answering = route({
  namespace: 'shop/v1',
  route: '/answering/(?P<id>\\d+)',
  permission: 'public',
  responses: { 200: answered, 201: answered, 404: failed },
})
const answeringList = route({
  namespace: 'shop/v1',
  route: '/answering',
  permission: 'public',
  args: answered.properties,
  responses: { 200: { type: 'array', items: answered } },
})
interface Row {
  id: number
  title: string | null
  password: string
  tags?: string[]
}
declare const row: Row

export class Respond {
  @AsRestRoute(answering)
  row() {
    return row
  }
  @AsRestRoute(answering)
  async promised() {
    return Promise.resolve(row)
  }
  @AsRestRoute(answering)
  all(request: RequestOf<typeof answering>) {
    if (request.pathId('id') === 0) return new RestResponse({ error: 'none' }, 404)
    if (request.pathId('id') === 1) return new RestResponse(null, 204)
    if (request.pathId('id') === 2) return new Response('text')
    const parts = { status: 'draft', tags: ['a'], counts: { a: 1 }, free: [1], at: undefined } as const
    return new RestResponse({ id: 1, title: null, ...parts }, 201, { 'X-Own': '1' })
  }
  @AsRestRoute(answering)
  literal() {
    return new RestResponse({ id: 1, title: 'a', status: 'draft', tags: undefined })
  }
  @AsRestRoute(answering)
  file() {
    return new RestResponse(new Uint8Array(1))
  }
  @AsRestRoute(answering)
  helped(): RestResponse<{ error: string }> {
    return new RestResponse({ error: 'a' }, 404)
  }
  @AsRestRoute(answeringList)
  list(request: RequestOf<typeof answeringList>) {
    const title: string | null = request.get_param('title')
    return [{ id: request.get_param('id'), title }]
  }
  @AsRestRoute(answeringList)
  responses() {
    return new RestResponse([new RestResponse(row).addLink('self', 'https://a.example/'), row])
  }
}
export const answeringFunction = endpoint(
  { namespace: 'shop/v1', route: '/answering/own', responses: { 200: answered } },
  () => ({ id: 1, title: 'a', status: 'draft' }),
)
restNamespace('shop/v1').endpoint({ route: '/answering/other', responses: { 200: answered } }, async () => row)
