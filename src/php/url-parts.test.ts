import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlParts } from './url-parts.js'

/** As PHP 8.2 parses them. */
const table: [url: string, path: string, query: string][] = [
  ['/shop/v1/products', '/shop/v1/products', ''],
  ['/shop/v1/products?a=1&b=2#c', '/shop/v1/products', 'a=1&b=2'],
  ['/a:80/b?c:d', '/a:80/b', 'c:d'],
  ['/a?b?c', '/a', 'b?c'],
  ['shop/v1/products', 'shop/v1/products', ''],
  ['', '', ''],
  ['?a=1', '', 'a=1'],
  ['#a', '', ''],
  ['a#b?c', 'a', ''],
  ['https://shop.example/shop/v1/products?a=1', '/shop/v1/products', 'a=1'],
  ['HTTP://shop.example', '', ''],
  ['http://user:pass@shop.example:8080/a', '/a', ''],
  ['http://[::1]:80/a', '/a', ''],
  ['http://[::1]', '', ''],
  ['//shop.example/a?b', '/a', 'b'],
  ['//shop.example:80', '', ''],
  ['shop:/a', '/a', ''],
  ['shop:a/b', 'a/b', ''],
  ['mailto:a@b.c', 'a@b.c', ''],
  ['shop.example:80/a', '/a', ''],
  ['shop.example:80', '', ''],
  ['a:123456/b', '123456/b', ''],
  ['a:8a/b', '8a/b', ''],
  ['file:///etc/a', '/etc/a', ''],
  ['file:///c:/a', 'c:/a', ''],
  ['file://host/a', '/a', ''],
  [':abc', ':abc', ''],
  [':/shop/v1/products', ':/shop/v1/products', ''],
  ['://shop', '://shop', ''],
  ['":"/shop/v1/products', '":"/shop/v1/products', ''],
  ['é:80/a', '/a', ''],
  ['é:a/b', 'é:a/b', ''],
  ['a?b:99999', 'a', 'b:99999'],
  ['/a\x01b?c\x7fd', '/a_b', 'c_d'],
]
for (const [url, path, query] of table)
  test(`the URL ${JSON.stringify(url)} has the path ${JSON.stringify(path)} and the query ${JSON.stringify(query)}`, () => {
    assert.deepEqual(urlParts(url), { path, query })
  })

test('PHP does not parse a URL without a host after `//`, or with a port above 65535', () => {
  const urls = [
    ':',
    ':80',
    ':80/shop/v1/products',
    ':99999/a',
    '//',
    '///a',
    'http://',
    'http:///a',
    '//a:99999/b',
    '//:80/a',
    '//a:b/c',
    'a:65536/b',
    'é/a:65536',
    // A port has up to five bytes.
    '//a:80-é9/b',
  ]
  for (const url of urls) assert.equal(urlParts(url), null, url)
})
