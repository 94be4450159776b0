import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isJsonType, mediaTypeOf } from './content-type.js'
import { readJson } from './json-body.js'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const values: [body: string, expected: unknown][] = [
  ['{"a":1,"b":[true,false,null]}', { a: 1, b: [true, false, null] }],
  [' \t\r\n[ 1 , 2 ] ', [1, 2]],
  ['"str"', 'str'],
  ['5', 5],
  ['-1.5e3', -1500],
  ['12345678901234567890', 12345678901234567000],
  ['null', null],
  ['{"a":1,"a":2}', { a: 2 }],
  ['{"":1}', { '': 1 }],
  ['{}', []],
  ['{"a":{}}', { a: [] }],
  ['{"0":"a","1":"b"}', ['a', 'b']],
  ['{"0":1,"0":2,"1":3}', [2, 3]],
  ['{"1":"b","0":"a"}', { 0: 'a', 1: 'b' }],
  ['{"1":"b"}', { 1: 'b' }],
  ['{"00":"b"}', { '00': 'b' }],
  ['"\\u00e9\\ud83d\\ude00\\n\\/\\"\\\\"', 'é😀\n/"\\'],
  ['"\xc3\xa9\x7f"', 'é\x7f'],
  ['', null],
  ['0', null],
]
for (const [body, expected] of values)
  test(`the body ${JSON.stringify(body)} is read as ${JSON.stringify(expected)}`, () => {
    const { value, problem } = readJson(bytes(body))
    assert.equal(problem, null)
    assert.deepEqual(plain(value), expected)
  })

const messages: Record<number, string> = {
  1: 'Maximum stack depth exceeded',
  2: 'State mismatch (invalid or malformed JSON)',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired UTF-16 surrogate in unicode escape',
}
const syntaxErrors: [code: number, ...bodies: string[]][] = [
  [1, '['.repeat(512), `${'['.repeat(512)}\xff`, `{"a":${'['.repeat(511)}${']'.repeat(511)}}`],
  [2, '[1}', '{"a":1]', '[}', '{]'],
  [3, '"a\tb"', '"abc', '\x01', '\0', '[1\x02', '\f[]', '"a\x01b\xff"'],
  [4, '{bad', '{"a":1,}', '[1,]', "'a'", '\xef\xbb\xbf{"a":1}', '   ', '01', '1.', '1e', '-', '.5', '[1] x', '1 2'],
  [4, '[1,2', '{"a"', 'nul', 'TRUE', '{"a":NaN}', '"\\x"', '"\\u00"', '"a\\', '{1:2}', 'nul\x01', '\xc3\xa9', ']'],
  [4, `${'['.repeat(511)}`],
  [5, '\xff', '{"a":"\xff"}', '[1]\xff', '"\xed\xa0\x80"', '"a\xffb\x01"', '[1 \xff'],
  [10, '"\\ud800"', '"\\udc00"', '"\\ud83d\\u0041"', '"\\ud800\xff"'],
]
for (const [code, ...bodies] of syntaxErrors)
  test(`invalid JSON has PHP's error code ${code}`, () => {
    for (const body of bodies) {
      const { value, problem } = readJson(bytes(body))
      const data = { status: 400, json_error_code: code, json_error_message: messages[code] }
      assert.equal(value, null)
      assert.deepEqual(
        [problem?.code, problem?.message, problem?.data],
        ['rest_invalid_json', 'Invalid JSON body passed.', data],
        body,
      )
    }
  })

test('511 levels are accepted', () => {
  assert.equal(readJson(bytes(`${'['.repeat(511)}${']'.repeat(511)}`)).problem, null)
})

test('a body of 50,000 values is accepted, and one of more is refused', () => {
  const list = (length: number) => bytes(`[${Array.from({ length }, () => '1').join(',')}]`)
  const map = (size: number) => bytes(`{${Array.from({ length: size }, (_, index) => `"k${index}":{}`).join(',')}}`)
  for (const body of [list, map]) {
    assert.equal(readJson(body(49_999)).problem, null)
    const { value, problem } = readJson(body(50_000))
    assert.deepEqual([value, problem?.code, problem?.data], [null, 'rest_too_many_json_values', { status: 400 }])
  }
})

test('negative zero is an integer unless it is written as a float', () => {
  assert.equal(readJson(bytes('-0')).value, 0)
  assert.equal(readJson(bytes('-0.0')).value, -0)
})

test('maps have no prototype', () => {
  const { value } = readJson(bytes('{"__proto__":{"x":1},"constructor":2}'))
  assert.equal(Object.getPrototypeOf(value), null)
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor'])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

test('the output of JSON.stringify is read back', () => {
  const key = fc.string({ unit: 'grapheme' }).map((text) => `k${text}`)
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    tree: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.array(tie('tree')),
      fc.dictionary(key, tie('tree'), { minKeys: 1 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value)
      fc.pre(text !== '0')
      assert.equal(JSON.stringify(readJson(Buffer.from(text)).value), text)
    }),
  )
})

test('any bytes are read without an exception', () => {
  fc.assert(fc.property(fc.uint8Array(), (body) => void readJson(body)))
  const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'true', '\\u', 'd83d', '\xff', '\0', ' ')
  fc.assert(fc.property(fc.array(piece), (pieces) => void readJson(bytes(pieces.join('')))))
})

const types: [header: string | undefined, isJson: boolean][] = [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json;', true],
  [' application/json', true],
  ['APPLICATION/JSON', true],
  ['application/vnd.api+json', true],
  ['application/ld+json', true],
  ['application/problem+json; x=y', true],
  ['application/json+oembed', true],
  ['application/json, application/json', true],
  ['text/plain,application/json', true],
  ['application/json, text/plain; charset=utf-8', true],
  [`application/it's+json`, true],
  ['; application/json', true],
  [';application/json', false],
  ['text/plain; application/json', false],
  ['application/é+json', false],
  ['x/application/json', false],
  ['application/+json', false],
  ['application/jsonp', false],
  ['application/jsonx', false],
  ['text/json', false],
  ['json', false],
  ['', false],
  [undefined, false],
]
for (const [header, isJson] of types)
  test(`the content type ${header ?? '(none)'} is ${isJson ? '' : 'not '}JSON`, () => {
    assert.equal(isJsonType(mediaTypeOf(header)), isJson)
  })
