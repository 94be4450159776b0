import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { AnswerHeaders, originOf, type AnswerKind } from './headers.js'

const own = fc.oneof(
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

const kind: fc.Arbitrary<AnswerKind> = fc.record({
  root: fc.constantFrom('http://a.example/wp-json/', 'http://b.example/wp-json/'),
  jsonp: fc.constantFrom(false, false, false, true),
  nonce: fc.constantFrom(null, null, '0123456789'),
  own,
  cookies: fc.constantFrom([], [], ['a=1'], ['a=1', 'b=2; Path=/']),
  uncached: fc.boolean(),
  varies: fc.boolean(),
  origin: fc.constantFrom(undefined, undefined, '', 'https://c.example'),
})

test('no answer has a header of another, whatever was answered before', () => {
  fc.assert(
    fc.property(fc.array(kind, { minLength: 2, maxLength: 20 }), (kinds) => {
      const headers = new AnswerHeaders('any')
      for (const each of kinds) assert.deepEqual(headers.of(each), new AnswerHeaders('any').of(each))
    }),
    { numRuns: 300 },
  )
})

test('an origin 0 is none', () => {
  assert.equal(originOf({ origin: '0' }), undefined)
  assert.equal(originOf({ origin: 'null' }), 'null')
  assert.equal(originOf({}), undefined)
})
