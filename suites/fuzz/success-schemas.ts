// The success bodies of the applications and of the service itself, until declarations have response schemas.

import { paramSchemas } from './param-schemas.js'

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

const answered = (route: string, method: string, others: object = { id: { type: 'integer' } }) => ({
  type: 'object',
  required: ['route', 'method'],
  properties: { route: { const: route }, method: { const: method }, ...others },
  additionalProperties: false,
})

const date = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' }
const currency = { enum: ['EUR', 'GBP', 'USD'] }
const order = {
  type: 'object',
  required: ['id', 'product', 'title', 'quantity', 'price', 'currency', 'date'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    product: { type: 'integer', minimum: 1 },
    title: { type: 'string' },
    quantity: { type: 'integer', minimum: 1, maximum: 1000 },
    price: { type: 'number' },
    currency,
    date,
  },
  additionalProperties: false,
}
const settings = {
  type: 'object',
  required: ['currency', 'is_open', 'max_quantity'],
  properties: { currency, is_open: { type: 'boolean' }, max_quantity: { type: 'integer', minimum: 1, maximum: 1000 } },
  additionalProperties: false,
}
const uuid = { type: 'string', pattern: '^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$' }

const password = {
  type: 'object',
  required: ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip'],
  properties: {
    uuid,
    app_id: { type: 'string' },
    name: { type: 'string', minLength: 1 },
    created: date,
    last_used: { oneOf: [date, { type: 'null' }] },
    last_ip: { type: ['string', 'null'] },
  },
}
const newPassword = {
  ...password,
  required: [...password.required, 'password'],
  properties: {
    ...password.properties,
    password: { type: 'string', pattern: '^(?:[A-Za-z\\d]{4} ){5}[A-Za-z\\d]{4}$' },
  },
}

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
const user = {
  type: 'object',
  required: ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    ...texts('name', 'url', 'description', 'link', 'slug'),
    avatar_urls: { type: 'object', required: ['24', '48', '96'] },
  },
}
/** The answer to a change has every field. */
const changedUser = {
  ...user,
  required: [
    ...user.required,
    'username',
    'first_name',
    'last_name',
    'email',
    'locale',
    'nickname',
    'roles',
    'registered_date',
    'capabilities',
    'extra_capabilities',
    'meta',
  ],
  properties: {
    ...user.properties,
    ...texts('username', 'first_name', 'last_name', 'email', 'locale', 'nickname', 'registered_date'),
    roles: { type: 'array', items: { type: 'string' } },
    password: false,
  },
}

const me = '/wp/v2/users/me'
const passwords = '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords'
const onePassword = `${passwords}/(?P<uuid>[\\w\\-]+)`
const changing = (route: string, schema: object) =>
  Object.fromEntries(['POST', 'PUT', 'PATCH'].map((method) => [`${method} ${route}`, { 200: schema }]))

/** What the test application shows of a request, with the argument as the rules of its route have made it. */
const echoes = Object.fromEntries(
  Object.entries(paramSchemas).flatMap(([name, schema]) =>
    ['GET', name === 'sanitizers' ? 'PUT' : 'POST'].map((method) => [
      `${method} /rules/v1/${name}`,
      {
        200: {
          type: 'object',
          required: ['method', 'route', 'params', 'files', 'header'],
          additionalProperties: false,
          properties: {
            method: { const: method },
            route: { const: `/rules/v1/${name}` },
            params: name === 'sanitizers' ? schema : { type: ['object', 'array'], properties: { [name]: schema } },
            files: { type: 'array', items: { type: 'string' } },
            header: { type: ['string', 'null'] },
          },
        },
      },
    ]),
  ),
)

/** By method and route, and then by status. */
export const handlerSchemas: Readonly<Record<string, Readonly<Record<number, object>>>> = {
  ...echoes,
  [`GET ${me}`]: { 200: user },
  ...changing(me, changedUser),
  [`GET ${passwords}`]: { 200: { type: 'array' } },
  [`POST ${passwords}`]: { 201: newPassword },
  ...changing(onePassword, password),
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
  'GET /shop/v1/orders': { 200: answered('orders', 'GET', { orders: { type: 'array', maxItems: 100, items: order } }) },
  'POST /shop/v1/products/(?P<id>\\d+)/orders': { 201: order },
  'POST /shop/v1/admin/settings': { 200: answered('admin/settings', 'POST', { settings }) },
}
