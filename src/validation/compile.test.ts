import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { recordedSanitizers } from '../../conformance/replay/recorded-callbacks.js'
import { matchedRequest, type SentRequest } from '../../conformance/replay/request-parameters.js'
import { RestError } from '../http/rest-error.js'
import { errorBody } from '../http/error-response.js'
import { compileArguments } from './compile.js'
import { ArgumentRefusal } from './refusal.js'
import type { ArgumentSchema, SanitizeCallback, ValidateCallback } from './rules.js'

test('parameters are read as in conformance/recorded/vectors/request-params.json', async () =>
  assert.deepEqual(await failuresIn('request-params'), []))

/** The value after a round trip through JSON, with empty maps as `[]`, as PHP encodes them. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0 ? [] : inner,
  )

/** The parameters of a request after the check of its arguments, or the error of the check. */
function outcomeOf(args: ArgumentSchema, sentRequest: SentRequest = {}): unknown {
  const compiled = compileArguments(args, recordedSanitizers)
  const request = matchedRequest(sentRequest, {}, compiled.defaults)
  const problem = compiled.check(request)
  return problem ? plain(errorBody(problem)) : plain(request.get_params())
}

const codeOf = (outcome: unknown): unknown => (outcome as { code?: unknown }).code

test('an argument with its own sanitiser is validated by its schema first, with or without a validate_callback', () => {
  const upperCase: SanitizeCallback = (value) => String(value).toUpperCase()
  const validators: (ValidateCallback | undefined)[] = [undefined, () => true]
  for (const validate_callback of validators) {
    const args = {
      a: { type: 'string', enum: ['x'], sanitize_callback: upperCase, ...(validate_callback && { validate_callback }) },
    } as const
    assert.equal(codeOf(outcomeOf(args, { query: 'a=y' })), 'rest_invalid_param')
    assert.equal(codeOf(outcomeOf(args, { query: 'a[]=x' })), 'rest_invalid_param')
    assert.deepEqual(outcomeOf(args, { query: 'a=x' }), { a: 'X' })
  }
})

const json = (body: string): SentRequest => ({ method: 'POST', contentType: 'application/json', body })

/** Requests with an invalid value that the sanitiser would turn into a valid one, or that another source overrides. */
const rejectedRequests: [rules: ArgumentSchema[string], request: SentRequest][] = [
  [{ type: 'integer', minimum: 1, sanitize_callback: 'absint' }, json('{"a":null}')],
  [{ type: 'string', enum: ['asc', 'desc'], sanitize_callback: 'sanitize_key' }, json('{"a":null}')],
  [{ type: 'integer', sanitize_callback: null }, json('{"a":null}')],
  [
    { type: 'integer', minimum: 1, sanitize_callback: 'absint' },
    { ...json('{"a":1}'), query: 'a=0' },
  ],
  [
    { type: 'string', enum: ['#fff', 'none'], sanitize_callback: 'sanitize_hex_color' },
    { ...json('{"a":"none"}'), query: 'a=%23abcdef' },
  ],
]
for (const [rules, request] of rejectedRequests)
  for (const validate_callback of [undefined, 'rest_validate_request_arg'])
    test(`${JSON.stringify(rules)} rejects ${request.body} ${request.query ?? ''}${validate_callback ? ' with rest_validate_request_arg' : ''}`, () =>
      assert.equal(
        codeOf(outcomeOf({ a: { ...rules, ...(validate_callback && { validate_callback }) } as never }, request)),
        'rest_invalid_param',
      ))

test('a null becomes its sanitised value when the schema accepts that value', () => {
  const args: ArgumentSchema = {
    text: { type: 'string', sanitize_callback: 'sanitize_text_field' },
    count: { type: 'integer', sanitize_callback: 'absint' },
  }
  assert.deepEqual(outcomeOf(args, json('{"text":null,"count":null}')), { text: '', count: 0 })
})

test('a null that a sanitiser leaves alone stays null', () => {
  const args: ArgumentSchema = { text: { type: 'string', sanitize_callback: (value) => value } }
  assert.deepEqual(outcomeOf(args, json('{"text":null}')), { text: null })
})

test('arguments with a sanitiser are refused together, before the others are validated', () => {
  const args: ArgumentSchema = {
    title: { type: 'string', minLength: 3, sanitize_callback: (value) => String(value).trim() },
    age: { type: 'integer', minimum: 1 },
    order: { type: 'string', enum: ['asc'], sanitize_callback: 'sanitize_key' },
    size: { type: 'integer', validate_callback: () => false },
  }
  const messageFor = (query: string) => (outcomeOf(args, { query }) as { message: string }).message
  assert.equal(messageFor('order=x&age=0&title=x'), 'Invalid parameter(s): title, order')
  assert.equal(messageFor('size=1&age=0&title=x'), 'Invalid parameter(s): title, size')
  assert.equal(messageFor('order=asc&age=0&title=long'), 'Invalid parameter(s): age')
})

test('a value that another source hides is refused with the others, in the order of the sources', () => {
  const args: ArgumentSchema = {
    order: { type: 'string', enum: ['asc'], sanitize_callback: 'sanitize_key' },
    age: { type: 'integer', minimum: 1 },
  }
  const { message } = outcomeOf(args, { ...json('{"age":0,"order":"asc"}'), query: 'order=x' }) as { message: string }
  assert.equal(message, 'Invalid parameter(s): age, order')
})

test('a reader validates a value once by its schema', () => {
  const items = {
    oneOf: [...Array.from({ length: 9 }, () => ({ type: 'integer' as const })), { type: 'string' }],
  } as const
  const args = { list: { type: 'array', items, sanitize_callback: (value: unknown) => value } } as const
  const values = Array.from({ length: 24_000 }, () => 'ab1')
  const read = compileArguments(args, recordedSanitizers).reader(matchedRequest({}, {}, {}))
  assert.ok(read('list', values) === values)
  assert.ok(read('list', [1]) instanceof ArgumentRefusal)
})

test('the sanitiser rest_parse_request_arg by name does the same as no sanitiser', () => {
  const typed: ArgumentSchema = { age: { type: 'integer', minimum: 1 }, on: { type: 'boolean' } }
  const named = Object.fromEntries(
    Object.entries(typed).map(([name, rules]) => [
      name,
      { ...rules, sanitize_callback: 'rest_parse_request_arg' } as const,
    ]),
  )
  const requests: SentRequest[] = [
    { query: 'age=7&on=1' },
    { query: 'on=maybe&age=0' },
    json('{"age":null}'),
    { ...json('{"age":7}'), query: 'age=0' },
  ]
  for (const request of requests) assert.deepEqual(outcomeOf(named, request), outcomeOf(typed, request))
})

test('null as a sanitiser leaves the validated value unchanged', () => {
  const args: ArgumentSchema = { a: { type: 'integer', minimum: 5, sanitize_callback: null } }
  assert.deepEqual(outcomeOf(args, { query: 'a=7' }), { a: '7' })
  assert.equal(codeOf(outcomeOf(args, { query: 'a=4' })), 'rest_invalid_param')
})

test('a RestError that a validator or a sanitiser returns or throws rejects the argument', () => {
  const error = new RestError('taken', 'That name is taken.', { status: 409 })
  const expected = {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): a',
    data: {
      status: 400,
      params: { a: 'That name is taken.' },
      details: { a: { code: 'taken', message: 'That name is taken.', data: { status: 409 } } },
    },
  }
  const throws = (): never => {
    throw error
  }
  for (const callback of [() => error, throws]) {
    assert.deepEqual(outcomeOf({ a: { validate_callback: callback } }, { query: 'a=1' }), expected)
    assert.deepEqual(outcomeOf({ a: { sanitize_callback: callback } }, { query: 'a=1' }), expected)
  }
})

test('other errors of a callback are thrown, and so is a TypeError for a promise', () => {
  const callbacks: SanitizeCallback[] = [
    () => {
      throw new TypeError('no such table')
    },
    () => Promise.resolve(false),
  ]
  for (const callback of callbacks) {
    const validator = callback as ValidateCallback
    assert.throws(() => outcomeOf({ a: { validate_callback: validator } }, { query: 'a=1' }), TypeError)
    assert.throws(() => outcomeOf({ a: { sanitize_callback: callback } }, { query: 'a=1' }), TypeError)
  }
})

test('a nested value that cannot be coerced rejects the argument', () => {
  const args: ArgumentSchema = {
    o: { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer' }, uniqueItems: true } } },
  }
  const request = { method: 'POST', contentType: 'application/json', body: '{"o":{"ids":[1,"1"]}}' }
  assert.deepEqual((outcomeOf(args, request) as { data: unknown }).data, {
    status: 400,
    params: { o: 'o[ids] has duplicate items.' },
    details: { o: { code: 'rest_duplicate_items', message: 'o[ids] has duplicate items.', data: null } },
  })
})

test('names of Object.prototype are ordinary parameter names', () => {
  assert.deepEqual(outcomeOf({ a: { type: 'integer' } }, { query: 'constructor=x&__proto__=y&toString=z' }), {
    constructor: 'x',
    ['__proto__']: 'y',
    toString: 'z',
  })
  assert.equal(codeOf(outcomeOf({ toString: { required: true } })), 'rest_missing_callback_param')
})

test('a handler that changes a default does not change it for later requests', () => {
  const compiled = compileArguments(
    { a: { default: { list: [1] } }, b: { type: 'array', default: [1] } },
    recordedSanitizers,
  )
  for (let round = 0; round < 2; round += 1) {
    const request = matchedRequest({}, {}, compiled.defaults)
    assert.equal(compiled.check(request), null)
    assert.deepEqual(plain(request.get_params()), { a: { list: [1] }, b: [1] })
    const { a, b } = request.get_params() as { a: { list: number[] }; b: number[] }
    a.list.push(2)
    b.push(2)
  }
})
