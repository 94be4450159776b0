// The success bodies of the example, until its declarations have response schemas.

const product = {
  type: 'object',
  required: ['id', 'title', 'content', 'price', 'link'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1 },
    title: { type: 'string' },
    content: { type: 'string' },
    price: { type: 'number' },
    link: { type: 'string', pattern: '^http://' },
  },
}

/** What the handlers of the shop answer for a product that is missing or was refused. */
const ownError = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: { error: { type: 'string', minLength: 1 } },
}

const answered = (route: string, method: string) => ({
  type: 'object',
  required: ['route', 'method'],
  properties: { route: { const: route }, method: { const: method }, id: { type: 'integer' } },
  additionalProperties: false,
})

/** By method and route, and then by status. */
export const handlerSchemas: Readonly<Record<string, Readonly<Record<number, object>>>> = {
  'GET /shop/v1/products': { 200: { type: 'array', maxItems: 100, items: product } },
  'POST /shop/v1/products': { 201: product, 400: ownError },
  'GET /shop/v1/products/(?P<id>\\d+)': { 200: product, 404: ownError },
  'PUT /shop/v1/products/(?P<id>\\d+)': { 200: product, 400: ownError, 404: ownError },
  'DELETE /shop/v1/products/(?P<id>\\d+)': { 404: ownError },
  'GET /shop/v1/partials/posts': {
    200: {
      type: 'object',
      required: ['html', 'hasMore'],
      additionalProperties: false,
      properties: { html: { type: 'string' }, hasMore: { type: 'boolean' } },
    },
  },
  'GET /shop/v1/items': { 200: answered('items', 'GET') },
  'POST /shop/v1/items': { 200: answered('items', 'POST') },
  'PUT /shop/v1/items/(?P<id>\\d+)': { 200: answered('item', 'PUT') },
  'PATCH /shop/v1/items/(?P<id>\\d+)': { 200: answered('item', 'PATCH') },
  'DELETE /shop/v1/items/(?P<id>\\d+)': { 200: answered('item', 'DELETE') },
  'GET /shop/v1/drafts': { 200: answered('drafts', 'GET') },
  'GET /shop/v1/orders': { 200: answered('orders', 'GET') },
  'POST /shop/v1/admin/settings': { 200: answered('admin/settings', 'POST') },
}
