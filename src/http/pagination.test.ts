import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.js'
import { RestResponse } from './rest-response.js'

const root = 'https://shop.example/wp-json/'

/** A request with this query, and with these parameters after coercion. */
function requestOf(query: string, params: Record<string, unknown> = {}, route = '/shop/v1/products') {
  const { parameters } = parseQuery(query)
  return { root, route, get_params: () => ({ ...parameters, ...params }), get_query_params: () => parameters }
}

const headersOf = (response: RestResponse) => Object.fromEntries(response.headers)

const link = (rel: string, query: string) => `<${root}shop/v1/products?${query}>; rel="${rel}"`

const cases: [query: string, total: number, pages: string, link: string | undefined][] = [
  ['', 0, '0', undefined],
  ['', 10, '1', undefined],
  ['', 11, '2', link('next', 'page=2')],
  ['page=2', 11, '2', link('prev', 'page=1')],
  ['page=2&per_page=3', 9, '3', `${link('prev', 'page=1&per_page=3')}, ${link('next', 'page=3&per_page=3')}`],
  ['per_page=3&page=9', 9, '3', link('prev', 'per_page=3&page=3')],
  ['page=4', 0, '0', undefined],
  ['page=0&per_page=x', 11, '2', link('next', 'page=2&per_page=x')],
  ['per_page=-1', 11, '1', undefined],
  ['per_page=2.5', 4, '2', link('next', 'per_page=2.5&page=2')],
  ['per_page[a]=1', 11, '2', link('next', 'per_page%5Ba%5D=1&page=2')],
  ['per_page[]=-1', 11, '2', link('next', 'per_page%5B0%5D=-1&page=2')],
  ['x=1&5=2&page=2', 31, '4', `${link('prev', 'x=1&5=2&page=1')}, ${link('next', 'x=1&5=2&page=3')}`],
  ['ids[5]=1&ids[2]=2', 11, '2', link('next', 'ids%5B5%5D=1&ids%5B2%5D=2&page=2')],
  ['per_page=-1', 0, '0', undefined],
  ['page=-2&per_page=-3', 9, '3', `${link('prev', 'page=1&per_page=-3')}, ${link('next', 'page=3&per_page=-3')}`],
  ['orderby=title', 11, '2', link('next', 'orderby=title&page=2')],
  // Other parameters stay, in the form in which WordPress writes them.
  ['search=red+shoes%26socks', 11, '2', link('next', 'search=red+shoes%26socks&page=2')],
  ['search=caf%C3%A9%20~*', 11, '2', link('next', 'search=caf%C3%A9+%7E%2A&page=2')],
  ['a[]=1&a[]=2&b[x]=3', 11, '2', link('next', 'a%5B0%5D=1&a%5B1%5D=2&b%5Bx%5D=3&page=2')],
  ['_embed&q=', 11, '2', link('next', '_embed&q&page=2')],
  ['x=%FF', 11, '2', link('next', 'x=%FF&page=2')],
  ['rest_route=/shop/v1/products', 11, '2', link('next', 'page=2')],
  ['x=%22%3E%0D%0A%2C+', 11, '2', link('next', 'x=%22%3E%0D%0A%2C+&page=2')],
]

for (const [query, total, totalPages, expected] of cases)
  test(`with ${total} items, ?${query} is one of ${totalPages} pages`, () => {
    assert.deepEqual(headersOf(new RestResponse([]).paginate(requestOf(query), total)), {
      'X-WP-Total': String(total),
      'X-WP-TotalPages': totalPages,
      ...(expected === undefined ? {} : { Link: expected }),
    })
  })

test('page and per_page are read after coercion, including defaults', () => {
  const response = new RestResponse([]).paginate(requestOf('', { page: 2, per_page: 6 }), 13)
  assert.equal(response.headers.get('X-WP-TotalPages'), '3')
  assert.equal(response.headers.get('Link'), `${link('prev', 'page=1')}, ${link('next', 'page=3')}`)
})

test('characters in the path cannot end the URL of a link', () => {
  const response = new RestResponse([]).paginate(requestOf('', {}, '/shop/v1/a>; rel="x",\r\n<b/%41é'), 11)
  assert.equal(
    response.headers.get('Link'),
    `<${root}shop/v1/a%3E;%20rel=%22x%22,%0D%0A%3Cb/%41%C3%A9?page=2>; rel="next"`,
  )
})

for (const total of [-1, 1.5, Number.NaN, Infinity])
  test(`the total ${total} throws a RangeError`, () => {
    assert.throws(() => new RestResponse([]).paginate(requestOf(''), total), RangeError)
  })
