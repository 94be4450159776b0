// The shop on node:http and nothing else: the least that a Node program can do for these responses.
import { createServer } from 'node:http'
import { helloArguments, listArguments, partialArguments, productBody } from './checks.mjs'
import { openShop, refusalOf } from './shop.mjs'

const shop = await openShop()
const productPath = /^\/wp-json\/shop\/v1\/products\/(\d+)$/

createServer((request, response) => {
  const url = request.url
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const parameters = mark < 0 ? null : new URLSearchParams(url.slice(mark + 1))
  const query = (name) => (parameters === null ? null : parameters.get(name))
  if (request.method === 'POST' && path === '/wp-json/shop/v1/products') {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => create(request, response, Buffer.concat(chunks).toString()))
    return
  }
  if (request.method !== 'GET') return send(response, 404, { error: 'Not found' })
  if (path === '/wp-json/bench/v1/hello') {
    const values = helloArguments(query)
    return values ? send(response, 200, { hello: 'world', count: values.count }) : send(response, 400, { error: 'Bad' })
  }
  if (path === '/wp-json/shop/v1/products') {
    const values = listArguments(query)
    return values ? send(response, 200, shop.list(values)) : send(response, 400, { error: 'Bad request' })
  }
  if (path === '/wp-json/shop/v1/partials/posts') {
    const values = partialArguments(query)
    return values ? send(response, 200, shop.partial(values)) : send(response, 400, { error: 'Bad request' })
  }
  if (path === '/wp-json/shop/v1/items') {
    const refusal = refusalOf(shop.identify(request.headers), 'edit_posts')
    return refusal
      ? send(response, refusal, { error: 'Refused' })
      : send(response, 200, { route: 'items', method: 'GET' })
  }
  const id = productPath.exec(path)?.[1]
  const product = id === undefined ? null : shop.find(Number(id))
  return product ? send(response, 200, product) : send(response, 404, { error: 'Product not found' })
}).listen(Number(process.env.PORT), '127.0.0.1')

function create(request, response, text) {
  let product = null
  try {
    product = productBody(JSON.parse(text))
  } catch {}
  if (!product) return send(response, 400, { error: 'Bad request' })
  const caller = shop.identify(request.headers)
  const refusal = refusalOf(caller, 'publish_posts')
  return refusal ? send(response, refusal, { error: 'Refused' }) : send(response, 201, shop.insert(product, caller.id))
}

function send(response, status, body) {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}
