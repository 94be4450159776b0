// The shop on Hono with its Node server; arguments are checked by hand.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { helloArguments, listArguments, partialArguments, productBody } from './checks.mjs'
import { openShop, refusalOf } from './shop.mjs'

const shop = await openShop()
const app = new Hono()
const headersOf = (context) => ({
  authorization: context.req.header('authorization'),
  cookie: context.req.header('cookie'),
  'x-wp-nonce': context.req.header('x-wp-nonce'),
})
const checked = (check, respond) => (context) => {
  const values = check((name) => context.req.query(name))
  return values ? context.json(respond(values)) : context.json({ error: 'Bad request' }, 400)
}

app.get(
  '/wp-json/bench/v1/hello',
  checked(helloArguments, ({ count }) => ({ hello: 'world', count })),
)
app.get(
  '/wp-json/shop/v1/products',
  checked(listArguments, (values) => shop.list(values)),
)
app.get(
  '/wp-json/shop/v1/partials/posts',
  checked(partialArguments, (values) => shop.partial(values)),
)
app.get('/wp-json/shop/v1/products/:id{\\d+}', (context) => {
  const product = shop.find(Number(context.req.param('id')))
  return product ? context.json(product) : context.json({ error: 'Product not found' }, 404)
})
app.get('/wp-json/shop/v1/items', (context) => {
  const refusal = refusalOf(shop.identify(headersOf(context)), 'edit_posts')
  return refusal ? context.json({ error: 'Refused' }, refusal) : context.json({ route: 'items', method: 'GET' })
})
app.post('/wp-json/shop/v1/products', async (context) => {
  const product = productBody(await context.req.json().catch(() => null))
  if (!product) return context.json({ error: 'Bad request' }, 400)
  const caller = shop.identify(headersOf(context))
  const refusal = refusalOf(caller, 'publish_posts')
  return refusal ? context.json({ error: 'Refused' }, refusal) : context.json(shop.insert(product, caller.id), 201)
})
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
