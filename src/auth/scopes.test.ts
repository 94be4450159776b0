import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { allowsOf, scopesFault } from './scopes.js'

test('a star stands for any text, and methods limit a path', () => {
  const allows = allowsOf(['GET /shop/v1/products*', 'POST,PUT /shop/v1/orders/*/items', '/wp/v2/users/me'])
  for (const [method, path, expected] of [
    ['GET', '/shop/v1/products', true],
    ['HEAD', '/shop/v1/products/5', true],
    ['GET', '/Shop/V1/Products/5', true],
    ['POST', '/shop/v1/products', false],
    ['GET', '/shop/v1/orders', false],
    ['PUT', '/shop/v1/orders/7/items', true],
    ['PUT', '/shop/v1/orders/items', false],
    ['DELETE', '/wp/v2/users/me', true],
    ['GET', '/wp/v2/users/me/application-passwords', false],
  ] as const)
    assert.equal(allows(method, path), expected, `${method} ${path}`)
})

test('a value that is not a list of scopes is refused, and a stored one allows nothing', () => {
  for (const scopes of [
    undefined,
    null,
    'GET /a',
    [],
    [''],
    ['shop/v1'],
    ['GET'],
    ['get /a'],
    ['FETCH /a'],
    ['GET, POST /a'],
    ['/a b'],
    ['/a', 5],
    ['/*'.repeat(11)],
    [`/${'a'.repeat(200)}`],
    Array.from({ length: 51 }, () => '/a'),
  ]) {
    assert.equal(typeof scopesFault(scopes), 'string', JSON.stringify(scopes))
    assert.equal(allowsOf(scopes)('GET', '/a'), false)
  }
})

test('a scope matches as the regular expression that it stands for', () => {
  const letters = fc.constantFrom('a', 'b', '/', '*')
  const texts = fc.array(letters, { maxLength: 8 }).map((list) => `/${list.join('')}`)
  fc.assert(
    fc.property(texts, texts, (scope, path) => {
      const expression = new RegExp(`^${scope.split('*').join('[^]*')}$`)
      assert.equal(allowsOf([scope])('GET', path), expression.test(path))
    }),
  )
})
