import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ResponseHeaders, originOf, type ResponseKind } from './headers.js'

const handlerHeaders = fc.oneof(
  fc.constantFrom(null, new Map<string, string>()),
  fc
    .array(
      fc.tuple(
        fc.constantFrom('Allow', 'Allow', 'allow', 'Vary', 'Link', 'Content-Length'),
        fc.constantFrom('', 'GET', 'a\r\nb'),
      ),
      { maxLength: 2 },
    )
    .map((entries) => new Map(entries)),
)

const kind: fc.Arbitrary<ResponseKind> = fc.record({
  root: fc.constantFrom('http://a.example/wp-json/', 'http://b.example/wp-json/'),
  jsonp: fc.constantFrom(false, false, false, true),
  nonce: fc.constantFrom(null, null, '0123456789'),
  handlerHeaders,
  cookies: fc.constantFrom([], [], ['a=1'], ['a=1', 'b=2; Path=/']),
  uncached: fc.boolean(),
  varies: fc.boolean(),
  origin: fc.constantFrom(undefined, undefined, '', 'https://c.example'),
})

test('no response has a header of an earlier response', () => {
  fc.assert(
    fc.property(fc.array(kind, { minLength: 2, maxLength: 20 }), (kinds) => {
      const headers = new ResponseHeaders('any')
      for (const each of kinds) assert.deepEqual(headers.of(each), new ResponseHeaders('any').of(each))
    }),
    { numRuns: 300 },
  )
})

test('an uncacheable response has no Last-Modified and forbids storing, whatever its handler set', () => {
  const handlerHeaders = new Map([
    ['last-modified', 'Thu, 15 Jan 2026 12:00:00 GMT'],
    ['Cache-Control', 'public, max-age=60'],
  ])
  const kind = {
    root: 'http://a.example/wp-json/',
    jsonp: false,
    nonce: null,
    handlerHeaders,
    cookies: [],
    varies: false,
    origin: undefined,
  }
  const headersOf = (uncached: boolean) =>
    new Map(
      new ResponseHeaders('any').of({ ...kind, uncached }).headers.map(([name, value]) => [name.toLowerCase(), value]),
    )
  assert.equal(headersOf(false).get('last-modified'), 'Thu, 15 Jan 2026 12:00:00 GMT')
  assert.equal(headersOf(true).has('last-modified'), false)
  assert.match(headersOf(true).get('cache-control') ?? '', /no-store/)
})

test('the value 0 of Origin counts as absent', () => {
  assert.equal(originOf({ origin: '0' }), undefined)
  assert.equal(originOf({ origin: 'null' }), 'null')
  assert.equal(originOf({}), undefined)
})
