import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parameters } from './parameters.js'
import { parameterMap } from './variables.js'

const parametersOf = (method: string) =>
  new Parameters(method, {
    url: parameterMap({ id: 'url', u: 'url' }),
    query: parameterMap({ id: 'query', a: 'query', n: 'query', q: 'query' }),
    form: () => parameterMap({ id: 'form', a: 'form', f: 'form' }),
    json: parameterMap({ id: 'json', a: 'json', n: null, j: 'json' }),
    defaults: parameterMap({ id: 'default', a: 'default', q: 'default', d: 'default' }),
  })

test('the path has the highest precedence, then JSON, form, query and defaults', () => {
  const parameters = parametersOf('POST')
  const values = Object.fromEntries(['id', 'a', 'f', 'q', 'd', 'u', 'nope'].map((name) => [name, parameters.get(name)]))
  assert.deepEqual(values, { id: 'url', a: 'json', f: 'form', q: 'query', d: 'default', u: 'url', nope: null })
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
    assert.equal(parametersOf(method).has('f'), form === 1)
    assert.equal(parametersOf(method).sources().length, 4 + form)
  })

test('get skips a null in JSON, while has and all include it', () => {
  const parameters = parametersOf('POST')
  assert.equal(parameters.get('n'), 'query')
  assert.equal(parameters.has('n'), true)
  assert.equal(parameters.all()['n'], null)
})

test('all lists the names of sources with lower precedence first', () => {
  assert.deepEqual(Object.entries(parametersOf('POST').all()), [
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

test('an empty capture is present, and its value is used only when no other source has one', () => {
  const parametersWith = (query: object, defaults: object) =>
    new Parameters('GET', {
      url: parameterMap({ a: '', b: 'url' }),
      query: parameterMap({ ...query }),
      form: () => parameterMap(),
      json: null,
      defaults: parameterMap({ ...defaults }),
    })
  const table: [query: object, defaults: object, expected: string][] = [
    [{}, {}, ''],
    [{ a: 'query' }, {}, 'query'],
    [{}, { a: 'default' }, 'default'],
    [{ a: 'query', b: 'query' }, { a: 'default' }, 'query'],
  ]
  for (const [query, defaults, expected] of table) {
    const emptyCapture = parametersWith(query, defaults)
    assert.deepEqual(
      [emptyCapture.get('a'), emptyCapture.all()['a'], emptyCapture.has('a')],
      [expected, expected, true],
    )
    assert.deepEqual([emptyCapture.get('b'), emptyCapture.all()['b']], ['url', 'url'])
  }
})

test('a capture that is set to the empty text later still takes precedence', () => {
  const parameters = parametersOf('GET')
  const [url = {}] = parameters.sources()
  url['id'] = ''
  assert.deepEqual([parameters.get('id'), parameters.all()['id']], ['', ''])
})

test('sources returns the maps in order of precedence, and get reads what is written into them', () => {
  const parameters = parametersOf('POST')
  const sources = parameters.sources()
  assert.deepEqual(
    sources.map((source) => source['a']),
    [undefined, 'json', 'form', 'query', 'default'],
  )
  for (const source of sources) if ('a' in source) source['a'] = 'written'
  assert.deepEqual([parameters.get('a'), parameters.all()['a']], ['written', 'written'])
})

test('names of Object.prototype are absent unless a request has them', () => {
  const parameters = parametersOf('POST')
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.deepEqual([parameters.get(name), parameters.has(name)], [null, false])
    const [url = {}] = parameters.sources()
    url[name] = 'sent'
    assert.deepEqual([parameters.get(name), parameters.has(name), parameters.all()[name]], ['sent', true, 'sent'])
  }
})
