// The shop on Fastify and SQLite, and the routes that grow with a number.
import { fastifyShop, integer, object, string } from './fastify-shop.mjs'
import { openShop } from './shop.mjs'

const app = fastifyShop(await openShop())
for (const count of [1, 10, 100]) {
  const names = Array.from({ length: count }, (_, index) => `a${index}`)
  app.get(
    `/wp-json/bench/v1/arguments-${count}`,
    {
      schema: {
        querystring: object(
          Object.fromEntries(names.map((name) => [name, { ...integer, minimum: 0, maximum: 1000 }])),
          names,
        ),
        response: { 200: object({ sum: integer }) },
      },
    },
    async (request) => ({ sum: names.reduce((sum, name) => sum + request.query[name], 0) }),
  )
}
app.post(
  '/wp-json/bench/v1/body',
  { schema: { body: object({ text: string }, ['text']), response: { 200: object({ length: integer }) } } },
  async (request) => ({ length: request.body.text.length }),
)
for (let index = 1; index <= Number(process.env.ROUTES ?? 0); index += 1) {
  app.get(
    `/wp-json/scale/v1/things-${index}/:id`,
    {
      schema: {
        params: object({ id: { ...string, pattern: '^\\d+$' } }),
        querystring: object({ count: { ...integer, minimum: 1, maximum: 100, default: 1 } }),
        response: { 200: object({ id: string, count: integer }) },
      },
    },
    async (request) => ({ id: request.params.id, count: request.query.count }),
  )
}
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
