import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExpectedResponse, HttpCase } from './cases.js'
import { differences } from './compare.js'
import type { ReceivedResponse } from './send.js'

const responseTo = (members: Partial<ReceivedResponse> = {}): ReceivedResponse => ({
  status: 200,
  headers: {},
  setCookies: [],
  text: '{}',
  ...members,
})
const expected = (members: Partial<ExpectedResponse> = {}): ExpectedResponse => ({
  status: 200,
  headers: {},
  body: {},
  ...members,
})
const httpCase = (members: Partial<HttpCase> = {}): HttpCase => ({
  id: 'x-1',
  rule: 'x',
  as: { kind: 'anonymous' },
  method: 'GET',
  path: '/wp-json/shop/v1/products',
  expect: expected(),
  ...members,
})

const echo = { path: '/wp-json/echo/v1/types' }

const same: [
  what: string,
  expected: Partial<ExpectedResponse>,
  response: Partial<ReceivedResponse>,
  httpCase?: Partial<HttpCase>,
][] = [
  ['the order of keys', { body: { a: 1, b: 2 } }, { text: '{"b":2,"a":1}' }],
  ['5 and 5.0', { body: { price: 5 } }, { text: '{"price":5.0}' }],
  ['the order of a header that is a set', { headers: { allow: 'GET, POST' } }, { headers: { allow: 'POST,get' } }],
  ['the order of links', { headers: { link: '<a>, <b>' } }, { headers: { link: '<b>, <a>' } }],
  [
    'case and space in a header',
    { headers: { 'content-type': 'application/json; charset=UTF-8' } },
    { headers: { 'content-type': 'application/json;charset=utf-8' } },
  ],
  ['a header that nobody listed', {}, { headers: { date: 'today' } }],
  ['an empty body', { empty: true }, { text: '' }],
  ['a text that is not compared', { text: '(not compared)' }, { text: 'anything' }],
  ['an empty map for an empty list in an echo', { body: { params: { a: [] } } }, { text: '{"params":{"a":{}}}' }, echo],
  ['a call of the expected function', { jsonp: 'cb', body: { a: 1 } }, { text: '/**/cb({"a":1})' }],
  [
    'routes that do not count',
    { body: { routes: { '/a': 1 } } },
    { text: '{"routes":{"/a":1,"/b":2}}' },
    { keep: { routes: ['/a'] } },
  ],
]
for (const [what, wanted, received, about] of same)
  test(`no difference: ${what}`, () =>
    assert.deepEqual(differences(expected(wanted), responseTo(received), httpCase(about)), []))

const different: [
  what: string,
  expected: Partial<ExpectedResponse>,
  response: Partial<ReceivedResponse>,
  httpCase?: Partial<HttpCase>,
][] = [
  ['another status', { status: 201 }, {}],
  ['a value', { body: { a: 1 } }, { text: '{"a":2}' }],
  ['a number as text', { body: { a: 1 } }, { text: '{"a":"1"}' }],
  ['a key too many', { body: {} }, { text: '{"a":null}' }],
  ['a key too few', { body: { a: null } }, { text: '{}' }],
  ['the order of a list', { body: [1, 2] }, { text: '[2,1]' }],
  ['an empty list for an empty map', { body: { args: {} } }, { text: '{"args":[]}' }],
  [
    'an empty list for an empty map, in an echo but outside the parameters',
    { body: { args: {} } },
    { text: '{"args":[]}' },
    echo,
  ],
  ['a missing header', { headers: { allow: 'GET' } }, {}],
  ['another set', { headers: { allow: 'GET' } }, { headers: { allow: 'GET, POST' } }],
  ['a link too many', { headers: { link: '<a>' } }, { headers: { link: '<b>, <a>' } }],
  ['a link too few', { headers: { link: '<a>, <b>' } }, { headers: { link: '<a>' } }],
  ['a header that must be absent', {}, { headers: { 'x-wp-total': '5' } }],
  ['a Vary where there is none', {}, { headers: { vary: 'Origin' } }],
  ['a Vary that says more', { headers: { vary: 'Origin' } }, { headers: { vary: 'Origin, Cookie' } }],
  ['a Cache-Control where there is none', {}, { headers: { 'cache-control': 'no-store, private' } }],
  ['an Expires where there is none', {}, { headers: { expires: 'Wed, 11 Jan 1984 05:00:00 GMT' } }],
  ['a body where there is none', { empty: true }, { text: '{}' }],
  ['no JSON', {}, { text: '<p>' }],
  ['another text', { text: 'a' }, { text: 'b' }],
  ['a call of another function', { jsonp: 'cb', body: {} }, { text: '/**/other({})' }],
  ['a route that counts', { body: { routes: { '/a': 1 } } }, { text: '{"routes":{}}' }, { keep: { routes: ['/a'] } }],
]
for (const [what, wanted, received, about] of different)
  test(`a difference: ${what}`, () =>
    assert.equal(differences(expected(wanted), responseTo(received), httpCase(about)).length, 1))
