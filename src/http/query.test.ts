import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseQuery } from './query.js'

/** A copy with ordinary prototypes, since `deepEqual` compares prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const table: [query: string, expected: unknown][] = [
  ['', {}],
  ['a=1&a=2', { a: '2' }],
  ['a', { a: '' }],
  ['=1&a', { a: '' }],
  ['&&a=1&&b=2&', { a: '1', b: '2' }],
  ['a=b=c', { a: 'b=c' }],
  ['a;b=1', { 'a;b': '1' }],
  ['a=%20+%2B', { a: '  +' }],
  ['a=%zz%4', { a: '%zz%4' }],
  ['a%3Db=c', { 'a=b': 'c' }],
  ['a=%C3%A9', { a: 'é' }],
  ['a=\xc3\xa9', { a: 'é' }],
  ['a=日本', { a: '日本' }],
  ['a=%F0%9F%8E%89', { a: '🎉' }],
  ['a=%FFb', { a: '\udcffb' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[b][c]=1', { a: { b: { c: '1' } } }],
  ['a[][x]=1&a[][y]=2', { a: [{ x: '1' }, { y: '2' }] }],
  ['a=1&a[]=2', { a: ['2'] }],
  ['a[]=1&a=2', { a: '2' }],
  ['a[b]=1&a[b][c]=2', { a: { b: { c: '2' } } }],
  ['a[0]=p&a[1]=q', { a: ['p', 'q'] }],
  ['a[1]=p', { a: { 1: 'p' } }],
  ['a[5]=x&a[]=y', { a: { 5: 'x', 6: 'y' } }],
  ['a[-1]=x&a[]=y', { a: { '-1': 'x', 0: 'y' } }],
  ['a[01]=x', { a: { '01': 'x' } }],
  ['a[9223372036854775807]=x&a[]=y', { a: { '9223372036854775807': 'x' } }],
  ['a[9223372036854775808]=x&a[]=y', { a: { '9223372036854775808': 'x', 0: 'y' } }],
  ['a[b]c=1', { a: { b: '1' } }],
  ['a[b]]=1', { a: { b: '1' } }],
  ['a[=1', { a_: '1' }],
  ['a[b=1', { a_b: '1' }],
  ['a[b.c d[e=1', { a_b_c_d_e: '1' }],
  ['a[b][c=1', { a: { b: '1' } }],
  ['a[[b]]=1', { a: { '[b': '1' } }],
  ['a[b.c]=1', { a: { 'b.c': '1' } }],
  ['a[ b ]=1', { a: { ' b ': '1' } }],
  ['a[ ]=1', { a: ['1'] }],
  ['a]=1', { 'a]': '1' }],
  ['a.b=1', { a_b: '1' }],
  ['a b=1', { a_b: '1' }],
  ['  a=1', { a: '1' }],
  ['a%00b=1', { a: '1' }],
  ['%00a=1', {}],
  ['[a]=1', {}],
  ['%5B%5D=1', {}],
  ['a%5Bb%5D=1', { a: { b: '1' } }],
]
for (const [query, expected] of table)
  test(`the query ${JSON.stringify(query)} is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(plain(parseQuery(query).parameters), expected)
    assert.equal(parseQuery(query).problem, null)
  })

test('names of Object.prototype are ordinary names', () => {
  const { parameters } = parseQuery('__proto__[x]=1&constructor=2&a[__proto__]=3&toString=4')
  assert.deepEqual(Object.keys(parameters), ['__proto__', 'constructor', 'a', 'toString'])
  assert.equal(Object.getPrototypeOf(parameters), null)
  assert.equal(Object.getPrototypeOf(parameters['a']), null)
  assert.deepEqual(Object.keys(parameters['a'] as object), ['__proto__'])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

test('1000 variables are accepted, 1001 are rejected', () => {
  const query = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')
  assert.equal(parseQuery(query(1000)).problem, null)
  const { problem } = parseQuery(query(1001))
  assert.equal(problem?.code, 'rest_too_many_params')
  assert.match(problem.message, /1000/)
  assert.deepEqual(problem.data, { status: 400 })
})

test('64 pairs of brackets in a name are accepted, 65 are rejected', () => {
  const query = (depth: number) => `a${'[x]'.repeat(depth)}=1`
  assert.equal(parseQuery(query(64)).problem, null)
  const { problem } = parseQuery(query(65))
  assert.equal(problem?.code, 'rest_params_too_deep')
  assert.match(problem.message, /64/)
})

test('any text is read without an exception into maps without a prototype', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '[',
    ']',
    '[]',
    '=',
    '&',
    '%',
    '%5B',
    '%00',
    '%ff',
    '.',
    ' ',
    '0',
    '-1',
    '__proto__',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  )
  const check = (value: unknown): void => {
    if (typeof value === 'string') return
    assert.ok(Array.isArray(value) || Object.getPrototypeOf(value) === null)
    Object.values(value as object).forEach(check)
  }
  fc.assert(fc.property(text, (query) => check(parseQuery(query).parameters)))
})

test('the output of URLSearchParams is read back', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[[\0 .]/.test(text))
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true }), (values) => {
      const { parameters } = parseQuery(new URLSearchParams(values).toString())
      assert.deepEqual({ ...parameters }, { ...values })
    }),
  )
})
