import { AsRestRoute, endpoint, RestResponse, route, type RestRequest } from 'as-rest-route'

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    title: { type: 'string', required: true },
    price: { type: 'number', required: true },
    status: { type: 'string', enum: ['draft', 'publish'] },
    tags: { type: 'array', items: { type: 'string' } },
    maker: { type: 'object', properties: { name: { type: 'string', required: true } } },
  },
} as const
const notFound = { type: 'object', properties: { error: { type: 'string', required: true } } } as const
const show = route({ namespace: 'shop/v1', route: '/a', responses: { 200: product, 404: notFound } })
const list = route({ namespace: 'shop/v1', route: '/b', responses: { 200: { type: 'array', items: product } } })

declare const storedProduct: { id: number; title: string; price: number; secret: string }
declare function find(): Promise<typeof storedProduct>
declare function findAll(): Promise<(typeof storedProduct)[]>

export class Refused {
  // @ts-expect-error a missing property
  @AsRestRoute(show)
  missing() {
    return new RestResponse({ id: 1, title: 'Loaf' })
  }

  // @ts-expect-error a property of another type
  @AsRestRoute(show)
  wrongType() {
    return new RestResponse({ id: '1', title: 'Loaf', price: 2 })
  }

  // @ts-expect-error text in place of a number
  @AsRestRoute(show)
  text() {
    return { ...storedProduct, id: storedProduct.title }
  }

  // @ts-expect-error a property that may be null
  @AsRestRoute(show)
  mayBeNull(request: RestRequest) {
    return { ...storedProduct, title: request.get_header('x-title') }
  }

  // @ts-expect-error a value that the enum does not have
  @AsRestRoute(show)
  notInEnum() {
    return new RestResponse({ ...storedProduct, status: 'sold' })
  }

  // @ts-expect-error a text that the compiler widened
  @AsRestRoute(show)
  widened() {
    return { ...storedProduct, status: 'draft' }
  }

  // @ts-expect-error a wrong property of an object inside
  @AsRestRoute(show)
  inside() {
    return { ...storedProduct, maker: { nam: 'Agnes' }, tags: [1] }
  }

  // @ts-expect-error a forgotten await
  @AsRestRoute(show)
  async forgotten() {
    return new RestResponse(find())
  }

  // @ts-expect-error a forgotten await inside the body
  @AsRestRoute(show)
  async forgottenInside() {
    return new RestResponse({ ...storedProduct, title: find().then(({ title }) => title) })
  }

  // @ts-expect-error a forgotten await of a list
  @AsRestRoute(list)
  async forgottenList() {
    return new RestResponse(findAll())
  }

  // @ts-expect-error a wrong item of a list
  @AsRestRoute(list)
  async items() {
    return (await findAll()).map(({ id, title }) => ({ id, title }))
  }

  // @ts-expect-error one product instead of a list
  @AsRestRoute(list)
  single() {
    return storedProduct
  }

  // @ts-expect-error a list instead of one product
  @AsRestRoute(show)
  several() {
    return [storedProduct]
  }

  // @ts-expect-error a wrong body of another status
  @AsRestRoute(show)
  wrongError(request: RestRequest) {
    return request.user.id === 0 ? new RestResponse({ message: 'none' }, 404) : storedProduct
  }

  // @ts-expect-error a status that is not declared
  @AsRestRoute(show)
  undeclared() {
    return new RestResponse({ error: 'gone' }, 410)
  }

  // @ts-expect-error a body for a status that the compiler does not know
  @AsRestRoute(show)
  anyStatus(request: RestRequest) {
    return new RestResponse({ message: 'none' }, request.user.id)
  }
}

// @ts-expect-error a function that answers without a property
export const a = endpoint({ namespace: 'shop/v1', route: '/c', responses: { 200: product } }, () => ({ id: 1 }))
export const b = endpoint(
  { namespace: 'shop/v1', route: '/d', responses: { 200: product } },
  // @ts-expect-error a function that forgets to wait
  () => new RestResponse(find()),
)

export const declarations = [
  // @ts-expect-error a misspelt rule of a response
  route({ namespace: 'a/v1', route: '/e', responses: { 200: { type: 'integer', mimimum: 1 } } }),
  // @ts-expect-error an unknown type in a response
  route({ namespace: 'a/v1', route: '/f', responses: { 200: { type: 'array', items: { type: 'text' } } } }),
  // @ts-expect-error a status in words
  route({ namespace: 'a/v1', route: '/g', responses: { ok: { type: 'string' } } }),
]

const vague = { type: 'object', properties: { id: { type: 'integer' } } }
// @ts-expect-error a schema kept elsewhere without 'as const'
export const loose = route({ namespace: 'a/v1', route: '/h', responses: { 200: vague } })

export const files = [
  // @ts-expect-error a file in a response
  route({ namespace: 'a/v1', route: '/g', responses: { 200: { type: 'file' } } }),
  // @ts-expect-error a file within an object
  route({ namespace: 'a/v1', route: '/h', args: { box: { type: 'object', properties: { logo: { type: 'file' } } } } }),
]
