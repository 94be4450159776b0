// The shop on Express; arguments are checked by hand.
import express from 'express'
import { helloArguments, listArguments, partialArguments, productBody } from './checks.mjs'
import { openShop, refusalOf } from './shop.mjs'

const shop = await openShop()
const app = express()
const checked = (check, respond) => (request, response) => {
  const values = check((name) => request.query[name])
  if (values) response.json(respond(values))
  else response.status(400).json({ error: 'Bad request' })
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
app.get('/wp-json/shop/v1/products/:id', (request, response) => {
  const { id } = request.params
  const product = /^\d+$/.test(id) ? shop.find(Number(id)) : null
  if (product) response.json(product)
  else response.status(404).json({ error: 'Product not found' })
})
app.get('/wp-json/shop/v1/items', (request, response) => {
  const refusal = refusalOf(shop.identify(request.headers), 'edit_posts')
  if (refusal) response.status(refusal).json({ error: 'Refused' })
  else response.json({ route: 'items', method: 'GET' })
})
app.post('/wp-json/shop/v1/products', express.json({ limit: '1mb' }), (request, response) => {
  const product = productBody(request.body)
  const caller = shop.identify(request.headers)
  const refusal = product ? refusalOf(caller, 'publish_posts') : 400
  if (refusal) response.status(refusal).json({ error: 'Refused' })
  else response.status(201).json(shop.insert(product, caller.id))
})
app.listen(Number(process.env.PORT), '127.0.0.1')
