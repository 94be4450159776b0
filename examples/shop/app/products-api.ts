import {
  AsRestRoute,
  currentUserCan,
  inject,
  RecordRejectedError,
  RecordStore,
  RestResponse,
  route,
  type RequestOf,
  type RestRequest,
} from 'as-rest-route'
import { ProductCatalog, productView } from './product-catalog.js'

const listProducts = route({
  namespace: 'shop/v1',
  route: '/products',
  permission: 'public',
  cache: 60,
  args: {
    per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
    page: { type: 'integer', default: 1, minimum: 1 },
    category: { type: 'string', sanitize_callback: 'sanitize_text_field' },
    orderby: { type: 'string', default: 'date', enum: ['date', 'title', 'price', 'popularity'] },
  },
})

const createProduct = route({
  namespace: 'shop/v1',
  route: '/products',
  method: 'POST',
  permission: 'canCreateProduct',
  args: {
    title: { type: 'string', required: true },
    content: { type: 'string', default: '' },
    price: { type: 'number', required: true },
  },
})

const updateProduct = route({
  namespace: 'shop/v1',
  route: '/products/(?P<id>\\d+)',
  method: 'PUT',
  permission: 'canEditProduct',
  args: { title: { type: 'string' }, content: { type: 'string' }, price: { type: 'number' } },
})

type WithId = RestRequest<{ id: string }>

/** The reference product API. */
export class ProductsApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly catalog = inject(ProductCatalog),
  ) {}

  @AsRestRoute(listProducts)
  async list(request: RequestOf<typeof listProducts>) {
    const products = await this.catalog.list(request.get_params())
    return new RestResponse(products.map(productView))
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', permission: 'public', cache: 60 })
  async show(request: WithId) {
    const product = await this.catalog.findReadable(request.pathId('id'))
    return product ? new RestResponse(productView(product)) : notFound()
  }

  @AsRestRoute(createProduct)
  async create(request: RequestOf<typeof createProduct>) {
    const { title, content, price } = request.get_params()
    try {
      const product = await this.records.insert({ type: 'product', status: 'publish', title, content, meta: { price } })
      return new RestResponse(productView(product), 201)
    } catch (error) {
      return rejected(error)
    }
  }

  @AsRestRoute(updateProduct)
  async update(request: RequestOf<typeof updateProduct>) {
    const id = request.pathId('id')
    if (!(await this.catalog.find(id))) return notFound()
    const price = request.get_param('price')
    try {
      const product = await this.records.update<'product'>(id, {
        title: request.get_param('title') ?? undefined,
        content: request.get_param('content') ?? undefined,
        meta: price === null ? {} : { price },
      })
      return product ? new RestResponse(productView(product)) : notFound()
    } catch (error) {
      return rejected(error)
    }
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/products/(?P<id>\\d+)',
    method: 'DELETE',
    permission: 'canDeleteProduct',
  })
  async delete(request: WithId) {
    const id = request.pathId('id')
    if (!(await this.catalog.find(id))) return notFound()
    await this.records.delete(id)
    return new RestResponse(null, 204)
  }

  canCreateProduct() {
    return currentUserCan('publish_posts')
  }

  canEditProduct(request: WithId) {
    return currentUserCan('edit_post', request.get_param('id'))
  }

  canDeleteProduct(request: WithId) {
    return currentUserCan('delete_post', request.get_param('id'))
  }
}

/** A record that the store refuses is a fault of the caller, who gets the reason. Any other error is a 500. */
function rejected(error: unknown) {
  if (error instanceof RecordRejectedError) return new RestResponse({ error: error.message }, 400)
  throw error
}

function notFound() {
  return new RestResponse({ error: 'Product not found' }, 404)
}
