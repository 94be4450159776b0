import {
  AsRestRoute,
  currentUserCan,
  inject,
  RecordStore,
  RestError,
  RestResponse,
  route,
  type RecordWith,
  type RequestOf,
  type RestRequest,
} from 'as-rest-route'
import { ShopSettings } from './shop-settings.js'

/** An order as the API shows it. */
const order = {
  title: 'order',
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    product: { type: 'integer', required: true },
    title: { type: 'string', required: true },
    quantity: { type: 'integer', required: true },
    price: { type: 'number', required: true },
    currency: { type: 'string', required: true },
    date: { type: 'string', required: true },
  },
} as const

/** Not in the index: the recorded index of the shop has no such route. */
const placeOrder = route({
  namespace: 'shop/v1',
  route: '/products/(?P<id>\\d+)/orders',
  method: 'POST',
  permission: 'isLoggedIn',
  show_in_index: false,
  additional_args: false,
  args: { quantity: { type: 'integer', minimum: 1, default: 1 } },
  responses: { 201: order },
})

/** Orders are records of the type `purchase` below their product. Their author is the user who has ordered. */
export class OrdersApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly settings = inject(ShopSettings),
  ) {}

  /**
   * The 100 newest orders of the caller. Without any, the response is the recorded one. It has no `responses`, because the
   * recorded OPTIONS of the route has no schema.
   */
  @AsRestRoute({ namespace: 'shop/v1', route: '/orders', permission: 'canViewOrders' })
  async list(request: RestRequest) {
    const query = { type: 'purchase', status: 'placed', author: request.user.id, orderby: 'id', order: 'desc' } as const
    const placed = await this.records.list({ ...query, per_page: 100 })
    const recorded = { route: 'orders', method: request.method }
    return new RestResponse(placed.length === 0 ? recorded : { ...recorded, orders: placed.map(orderView) })
  }

  @AsRestRoute(placeOrder)
  async place(request: RequestOf<typeof placeOrder>) {
    const [id, quantity] = [request.pathId('id'), request.get_param('quantity')]
    const placed = await this.records.transaction(async (records) => {
      const product = await records.get(id, { type: 'product', lock: true })
      if (product?.status !== 'publish' || product.isProtected)
        throw new RestError('no_product', 'There is no such product.', { status: 404 })
      const { currency, is_open, max_quantity } = await this.settings.all()
      if (!is_open) throw new RestError('shop_closed', 'The shop takes no orders at the moment.', { status: 409 })
      if (quantity > max_quantity)
        throw new RestError('too_many', `An order has at most ${max_quantity} items.`, { status: 409, max_quantity })
      const { price, total_sales } = product.meta
      await records.update<'product'>(id, { meta: { total_sales: total_sales + quantity } })
      const meta = { quantity, price, currency }
      return records.insert({ type: 'purchase', status: 'placed', title: product.title, parent: id, meta })
    })
    return new RestResponse(orderView(placed), 201)
  }

  canViewOrders() {
    return currentUserCan('read')
  }

  isLoggedIn(request: RestRequest<{ id: string }>) {
    return request.user.id !== 0
  }
}

function orderView({ id, parent, title, date, meta }: RecordWith<'parent' | 'title' | 'date' | 'meta', 'purchase'>) {
  return { id, product: parent, title, quantity: meta.quantity, price: meta.price, currency: meta.currency, date }
}
