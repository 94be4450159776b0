import type { BenchRequest } from '../load/exchange.js'
import type { Credentials } from '../data/data.js'

/** One kind of request, the same for every server. */
export interface Workload {
  readonly id: string
  readonly title: string
  /** Requests a CPU-second, at least so many times Fastify's; null when the issue asks for nothing. */
  readonly target: number | null
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Each server gets a database of its own. */
  readonly writes: boolean
  /** So many times a second another process writes to the database of each server, which is then its own as well. */
  readonly writesBeside: number
  /** The product runs the example as it is, with the `cache` of its declarations. */
  readonly cached: boolean
  readonly status: number
  /** The next request; a handful of texts that come again and again, or new ones for ever. */
  readonly requests: (credentials: Credentials) => () => BenchRequest
  /** Requests that every server must refuse with this status. */
  readonly refused: (credentials: Credentials) => readonly (BenchRequest & { readonly status: number })[]
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): BenchRequest => ({
  method: 'GET',
  path,
  headers,
})
const always =
  (request: BenchRequest): (() => BenchRequest) =>
  () =>
    request

const reading = { synchronous: 'FULL', writes: false, writesBeside: 0, cached: false, status: 200 } as const
const products = '/wp-json/shop/v1/products'
const items = '/wp-json/shop/v1/items'

const list = {
  ...reading,
  requests: () => always(get(products)),
  refused: () => [{ ...get(`${products}?per_page=101`), status: 400 }],
}
const product = {
  ...reading,
  requests: ({ productIds }: Credentials) => {
    let turn = 0
    // A step that shares no divisor with the number of products reaches all of them, in no order an index likes.
    return () => get(`${products}/${productIds[(turn++ * 7919) % productIds.length] ?? 0}`)
  },
  refused: () => [{ ...get(`${products}/999999999`), status: 404 }],
}
const partial = {
  ...reading,
  requests: () => always(get('/wp-json/shop/v1/partials/posts')),
  refused: () => [{ ...get('/wp-json/shop/v1/partials/posts?page=one'), status: 400 }],
}

/** Nothing that was read before can be trusted after each of these. */
const written = { target: null, synchronous: 'NORMAL', writesBeside: 100 } as const
const writtenTitle = `${written.writesBeside} writes a second by another process`

export const workloads: readonly Workload[] = [
  {
    ...reading,
    id: 'hello',
    title: 'GET with one checked argument, no data',
    target: 1.1,
    requests: () => always(get('/wp-json/bench/v1/hello?count=7')),
    refused: () => [{ ...get('/wp-json/bench/v1/hello?count=101'), status: 400 }],
  },
  { ...list, id: 'list', title: 'list of 10, no cache', target: 2 },
  {
    ...product,
    id: 'product',
    title: 'one product, no cache',
    target: 1.15,
  },
  { ...partial, id: 'partial', title: 'partial HTML of 6 cards, no cache', target: 1.8 },
  { ...list, ...written, id: 'written-list', title: `the list, no cache, ${writtenTitle}` },
  { ...product, ...written, id: 'written-product', title: `one product, no cache, ${writtenTitle}` },
  {
    ...reading,
    id: 'password',
    title: 'GET with application password + capability',
    target: 1.7,
    requests: ({ authorization }) => always(get(items, { Authorization: authorization })),
    refused: ({ authorization }) => [
      { ...get(items, { Authorization: `${authorization.slice(0, -4)}AAAA` }), status: 401 },
      { ...get(items), status: 401 },
    ],
  },
  {
    ...reading,
    id: 'cookie',
    title: 'GET with cookie + nonce + capability',
    target: 1.5,
    requests: ({ cookie, nonce }) => always(get(items, { Cookie: cookie, 'X-WP-Nonce': nonce })),
    refused: ({ cookie }) => [
      { ...get(items, { Cookie: cookie, 'X-WP-Nonce': '0123456789' }), status: 403 },
      { ...get(items, { Cookie: cookie.replace('bench%7C', 'other%7C') }), status: 401 },
      { ...get(items, { Cookie: cookie }), status: 401 },
    ],
  },
  posting('FULL'),
  posting('NORMAL'),
  { ...list, id: 'cached-list', title: 'list of 10 from the response cache', target: 4.5, cached: true },
  { ...partial, id: 'cached-partial', title: 'partial HTML from the response cache', target: 4.4, cached: true },
]

function posting(synchronous: 'FULL' | 'NORMAL'): Workload {
  const post = (authorization: string | null, body: unknown): BenchRequest => ({
    method: 'POST',
    path: products,
    headers: authorization === null ? {} : { Authorization: authorization },
    body: JSON.stringify(body),
  })
  return {
    id: `post-${synchronous.toLowerCase()}`,
    title: `POST product with application password, synchronous=${synchronous}`,
    target: 1.3,
    synchronous,
    writes: true,
    writesBeside: 0,
    cached: false,
    status: 201,
    requests: ({ authorization }) => {
      let turn = 0
      // Each its own title: the same one again and again would measure the search for a free slug.
      return () => {
        turn += 1
        return post(authorization, { title: `Lamp number ${turn}`, content: 'A lamp of brass & glass.', price: 49.5 })
      }
    },
    refused: ({ authorization }) => [
      { ...post(authorization, { title: 'No price' }), status: 400 },
      { ...post(null, { title: 'Nobody', price: 1 }), status: 401 },
    ],
  }
}
