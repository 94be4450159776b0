// The shop on Fastify as its guide says: JSON schemas for what comes in and for what goes out.
import fastify from 'fastify'
import { refusalOf } from './shop.mjs'

export const integer = { type: 'integer' }
export const string = { type: 'string' }
const number = { type: 'number' }
export const object = (properties, required = []) => ({ type: 'object', properties, required })
const product = object({ id: integer, title: string, content: string, price: number, link: string })

/** An application with the routes of a shop, whose functions may return promises. */
export function fastifyShop(shop) {
  const app = fastify({ bodyLimit: 1_048_576 })

  app.get(
    '/wp-json/bench/v1/hello',
    {
      schema: {
        querystring: object({ count: { ...integer, minimum: 1, maximum: 100, default: 1 } }),
        response: { 200: object({ hello: string, count: integer }) },
      },
    },
    async (request) => ({ hello: 'world', count: request.query.count }),
  )
  app.get(
    '/wp-json/shop/v1/products',
    {
      schema: {
        querystring: object({
          per_page: { ...integer, default: 10, minimum: 1, maximum: 100 },
          page: { ...integer, default: 1, minimum: 1 },
          category: string,
          orderby: { ...string, default: 'date', enum: ['date', 'title', 'price', 'popularity'] },
        }),
        response: { 200: { type: 'array', items: product } },
      },
    },
    async (request) => {
      const { category } = request.query
      return shop.list({ ...request.query, category: category?.replaceAll(/<[^>]*>/g, '').trim() })
    },
  )
  app.get(
    '/wp-json/shop/v1/products/:id',
    { schema: { params: object({ id: { ...string, pattern: '^\\d+$' } }), response: { 200: product } } },
    async (request, reply) =>
      (await shop.find(Number(request.params.id))) ?? reply.code(404).send({ error: 'Product not found' }),
  )
  app.get(
    '/wp-json/shop/v1/partials/posts',
    {
      schema: {
        querystring: object({ page: { ...integer, default: 1 }, per_page: { ...integer, default: 6 } }),
        response: { 200: object({ html: string, hasMore: { type: 'boolean' } }) },
      },
    },
    async (request) => shop.partial(request.query),
  )
  app.get(
    '/wp-json/shop/v1/items',
    { schema: { response: { 200: object({ route: string, method: string }) } } },
    async (request, reply) => {
      const refusal = refusalOf(await shop.identify(request.headers), 'edit_posts')
      return refusal ? reply.code(refusal).send({ error: 'Refused' }) : { route: 'items', method: 'GET' }
    },
  )
  app.post(
    '/wp-json/shop/v1/products',
    {
      schema: {
        body: object({ title: string, content: { ...string, default: '' }, price: number }, ['title', 'price']),
        response: { 201: product },
      },
    },
    async (request, reply) => {
      const caller = await shop.identify(request.headers)
      const refusal = refusalOf(caller, 'publish_posts')
      if (refusal) return reply.code(refusal).send({ error: 'Refused' })
      return reply.code(201).send(await shop.insert(request.body, caller.id))
    },
  )
  return app
}
