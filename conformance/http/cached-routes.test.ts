import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedResponses } from './cached-routes.js'
import type { ExpectedResponse, HttpCase } from './cases.js'

const recorded: ExpectedResponse = { status: 200, headers: { vary: 'Origin', link: '<a>' }, body: {} }
const fromCache: ExpectedResponse = {
  status: 200,
  headers: { vary: 'Origin, Cookie, Authorization, X-WP-Nonce', 'cache-control': 'public, max-age=60', link: '<a>' },
  body: {},
}
const list: HttpCase = {
  id: 'x-1',
  rule: 'x',
  as: { kind: 'anonymous' },
  method: 'GET',
  path: '/wp-json/shop/v1/products',
  expect: recorded,
}

for (const path of [list.path, '/wp-json/shop/v1/products/{{var:pid}}//', '/wp-json/shop/v1/partials/posts'])
  test(`a visitor may get ${path} as recorded, or with what the cache adds`, () =>
    assert.deepEqual(acceptedResponses({ ...list, path }), [recorded, fromCache]))

const never: [what: string, changes: Partial<HttpCase>][] = [
  ['another route', { path: '/wp-json/shop/v1/orders' }],
  ['another route below', { path: '/wp-json/shop/v1/products/5/meta' }],
  ['somebody who logged in', { as: { kind: 'cookie', user: 'admin' } }],
  ['a write', { method: 'POST' }],
  ['an error', { expect: { ...recorded, status: 404 } }],
  ['what WordPress lets nobody keep', { expect: { ...recorded, headers: { 'cache-control': 'no-store' } } }],
]
for (const [what, changes] of never)
  test(`only the recorded response counts for ${what}`, () => {
    const httpCase = { ...list, ...changes }
    assert.deepEqual(acceptedResponses(httpCase), [httpCase.expect])
  })
