import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parameters } from './parameters.js'
import { bagOf } from './variables.js'

const everywhere = (method: string) =>
  new Parameters(method, {
    url: bagOf({ id: 'url', u: 'url' }),
    query: bagOf({ id: 'query', a: 'query', n: 'query', q: 'query' }),
    form: () => bagOf({ id: 'form', a: 'form', f: 'form' }),
    json: bagOf({ id: 'json', a: 'json', n: null, j: 'json' }),
    defaults: bagOf({ id: 'default', a: 'default', q: 'default', d: 'default' }),
  })

test('the path is strongest, then JSON, form, query and defaults', () => {
  const parameters = everywhere('POST')
  const read = Object.fromEntries(['id', 'a', 'f', 'q', 'd', 'u', 'nope'].map((name) => [name, parameters.get(name)]))
  assert.deepEqual(read, { id: 'url', a: 'json', f: 'form', q: 'query', d: 'default', u: 'url', nope: null })
})

for (const [method, form] of Object.entries({
  POST: 1,
  PUT: 1,
  PATCH: 1,
  DELETE: 1,
  GET: 0,
  HEAD: 0,
  OPTIONS: 0,
  FOO: 0,
}))
  test(`${method} ${form ? 'reads' : 'does not read'} a form`, () => {
    assert.equal(everywhere(method).has('f'), form === 1)
    assert.equal(everywhere(method).sources().length, 4 + form)
  })

test('null in JSON lets weaker sources speak, but is present and shows among all', () => {
  const parameters = everywhere('POST')
  assert.equal(parameters.get('n'), 'query')
  assert.equal(parameters.has('n'), true)
  assert.equal(parameters.all()['n'], null)
})

test('all parameters come with the names of weaker sources first', () => {
  assert.deepEqual(Object.entries(everywhere('POST').all()), [
    ['id', 'url'],
    ['a', 'json'],
    ['q', 'query'],
    ['d', 'default'],
    ['n', null],
    ['f', 'form'],
    ['j', 'json'],
    ['u', 'url'],
  ])
})

test('an empty capture is present, and speaks only when nobody else does', () => {
  const parameters = (query: object, defaults: object) =>
    new Parameters('GET', {
      url: bagOf({ a: '', b: 'url' }),
      query: bagOf({ ...query }),
      form: () => bagOf(),
      json: null,
      defaults: bagOf({ ...defaults }),
    })
  const table: [query: object, defaults: object, expected: string][] = [
    [{}, {}, ''],
    [{ a: 'query' }, {}, 'query'],
    [{}, { a: 'default' }, 'default'],
    [{ a: 'query', b: 'query' }, { a: 'default' }, 'query'],
  ]
  for (const [query, defaults, expected] of table) {
    const read = parameters(query, defaults)
    assert.deepEqual([read.get('a'), read.all()['a'], read.has('a')], [expected, expected, true])
    assert.deepEqual([read.get('b'), read.all()['b']], ['url', 'url'])
  }
})

test('a capture that is emptied later still wins', () => {
  const parameters = everywhere('GET')
  const [url = {}] = parameters.sources()
  url['id'] = ''
  assert.deepEqual([parameters.get('id'), parameters.all()['id']], ['', ''])
})

test('the sources are the bags themselves, strongest first: what is written into one is read', () => {
  const parameters = everywhere('POST')
  const sources = parameters.sources()
  assert.deepEqual(
    sources.map((source) => source['a']),
    [undefined, 'json', 'form', 'query', 'default'],
  )
  for (const source of sources) if ('a' in source) source['a'] = 'written'
  assert.deepEqual([parameters.get('a'), parameters.all()['a']], ['written', 'written'])
})

test('names of an object’s own machinery are absent until somebody sends them', () => {
  const parameters = everywhere('POST')
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.deepEqual([parameters.get(name), parameters.has(name)], [null, false])
    const [url = {}] = parameters.sources()
    url[name] = 'sent'
    assert.deepEqual([parameters.get(name), parameters.has(name), parameters.all()[name]], ['sent', true, 'sent'])
  }
})
