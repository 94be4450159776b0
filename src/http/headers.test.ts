import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { headerOf, parseCookies } from './headers.js'
import { methodOf } from './method.js'
import { parseQuery } from './query.js'

const headers = (members: Record<string, string>) =>
  Object.assign(Object.create(null) as Record<string, string>, members)

test('a header is found in any letter case, with dashes or underscores', () => {
  const requestHeaders = headers({ 'x-wp-nonce': 'abc', x_custom: 'v', accept: 'a, b' })
  for (const name of ['X-WP-Nonce', 'x_wp_nonce', 'X_WP-NONCE']) assert.equal(headerOf(requestHeaders, name), 'abc')
  for (const name of ['X-Custom', 'x_custom']) assert.equal(headerOf(requestHeaders, name), 'v')
  assert.equal(headerOf(requestHeaders, 'Accept'), 'a, b')
  for (const name of ['nope', 'constructor', '__proto__', '']) assert.equal(headerOf(requestHeaders, name), null)
})

test('a header with dashes takes precedence over the same header with underscores', () => {
  assert.equal(headerOf(headers({ x_wp_nonce: 'bad', 'x-wp-nonce': 'good' }), 'X-WP-Nonce'), 'good')
})

const cookies: [header: string | undefined, expected: Record<string, string>][] = [
  [undefined, {}],
  ['', {}],
  ['a=1; b=2', { a: '1', b: '2' }],
  ['a=1;b=2;;', { a: '1', b: '2' }],
  ['a=1; a=2', { a: '1' }],
  ['a.b=1; c d=2', { a_b: '1', c_d: '2' }],
  ['a=%20+%2B%7C', { a: ' ++|' }],
  ['a%20b=1', { 'a%20b': '1' }],
  ['a; b=', { a: '', b: '' }],
  ['=1; b=2', { b: '2' }],
  ['a=b=c', { a: 'b=c' }],
  [' a = 1', { a_: ' 1' }],
  ['a="q"', { a: '"q"' }],
  ['a=%zz%4', { a: '%zz%4' }],
  ['a=%ff', { a: '\udcff' }],
  ['a[b]=1; c=2', { c: '2' }],
  ['a[b=1; [x]=1', { a_b: '1' }],
  ['..Host-x=1; __Host-y=2; _.Secure-z=3', { '__Host-y': '2' }],
]
for (const [header, expected] of cookies)
  test(`the cookies ${JSON.stringify(header)} are ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(Object.fromEntries(parseCookies(header)), expected)
  })

test('any cookie header is parsed without an exception', () => {
  const piece = fc.constantFrom('a', '=', ';', '; ', '%', '%41', '%ff', '%4', '+', '[', ']', '.', '__Host-', '\0', 'é')
  const pieces = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), pieces), (header) => {
      for (const name of parseCookies(header).keys()) assert.doesNotMatch(name, /^$|[=;]/)
    }),
    { numRuns: 500 },
  )
})

test('percent-encoded cookies are read back', () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z\d-]{0,8}$/)
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true }), (values) => {
      const header = Object.entries(values).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      assert.deepEqual(Object.fromEntries(parseCookies(header.join('; '))), values)
    }),
  )
})

const overrides: [
  requestMethod: string,
  query: string,
  header: string | undefined,
  method: string,
  overridden: boolean,
][] = [
  ['POST', '', undefined, 'POST', false],
  ['POST', '_method=PUT', undefined, 'PUT', false],
  ['GET', '_method=delete', undefined, 'DELETE', false],
  ['POST', '', 'patch', 'PATCH', true],
  ['GET', '', 'OPTIONS', 'OPTIONS', true],
  ['POST', '_method=PATCH', 'DELETE', 'PATCH', false],
  ['POST', '_method=', 'DELETE', '', false],
  ['POST', '_method[]=PUT', undefined, '', false],
  ['POST', '', '', '', true],
  ['POST', '_method=de%C4%B1ete', undefined, 'DEıETE', false],
]
for (const [requestMethod, query, header, method, overridden] of overrides)
  test(`${requestMethod} ?${query} ${header ?? ''} is served as ${JSON.stringify(method)}`, () => {
    const requestHeaders = headers(header === undefined ? {} : { 'x-http-method-override': header })
    assert.deepEqual(methodOf(requestMethod, parseQuery(query).parameters, requestHeaders), { method, overridden })
  })
