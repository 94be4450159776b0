import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresIn } from '../../conformance/replay/failures.js'
import { recordedSanitizers } from '../../conformance/replay/recorded-callbacks.js'
import { matchedRequest, type SentRequest } from '../../conformance/replay/request-parameters.js'
import { RestError } from '../http/rest-error.js'
import { errorBody } from '../http/error-response.js'
import { compileArguments } from './compile.js'
import type { ArgumentSchema, SanitizeCallback, ValidateCallback } from './rules.js'

test('recorded: request-params', async () => assert.deepEqual(await failuresIn('request-params'), []))

/** As JSON has it; PHP prints an empty map as `[]`. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0 ? [] : inner,
  )

/** What the arguments make of a GET request: its parameters, or the error. */
function outcomeOf(args: ArgumentSchema, sent: SentRequest = {}): unknown {
  const compiled = compileArguments(args, recordedSanitizers)
  const request = matchedRequest(sent, {}, compiled.defaults)
  const problem = compiled.check(request)
  return problem ? plain(errorBody(problem)) : plain(request.get_params())
}

const codeOf = (outcome: unknown): unknown => (outcome as { code?: unknown }).code

test('an argument with its own sanitiser is validated first, whatever else judges it', () => {
  const upper: SanitizeCallback = (value) => String(value).toUpperCase()
  const validators: (ValidateCallback | undefined)[] = [undefined, () => true]
  for (const validate_callback of validators) {
    const args = {
      a: { type: 'string', enum: ['x'], sanitize_callback: upper, ...(validate_callback && { validate_callback }) },
    } as const
    assert.equal(codeOf(outcomeOf(args, { query: 'a=y' })), 'rest_invalid_param')
    assert.equal(codeOf(outcomeOf(args, { query: 'a[]=x' })), 'rest_invalid_param')
    assert.deepEqual(outcomeOf(args, { query: 'a=x' }), { a: 'X' })
  }
})

const json = (body: string): SentRequest => ({ method: 'POST', contentType: 'application/json', body })

/** What the sanitiser would let through or hide is validated all the same. */
const unsound: [rules: ArgumentSchema[string], sent: SentRequest][] = [
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
for (const [rules, sent] of unsound)
  for (const validate_callback of [undefined, 'rest_validate_request_arg'])
    test(`${JSON.stringify(rules)} refuses ${sent.body} ${sent.query ?? ''}${validate_callback ? ' by name' : ''}`, () =>
      assert.equal(
        codeOf(outcomeOf({ a: { ...rules, ...(validate_callback && { validate_callback }) } as never }, sent)),
        'rest_invalid_param',
      ))

test('a null whose sanitised form the schema accepts is that form', () => {
  const args: ArgumentSchema = {
    text: { type: 'string', sanitize_callback: 'sanitize_text_field' },
    count: { type: 'integer', sanitize_callback: 'absint' },
  }
  assert.deepEqual(outcomeOf(args, json('{"text":null,"count":null}')), { text: '', count: 0 })
})

test('one answer names every wrong value, those of arguments with a sanitiser first', () => {
  const args: ArgumentSchema = {
    title: { type: 'string', minLength: 3, sanitize_callback: (value) => String(value).trim() },
    age: { type: 'integer', minimum: 1 },
    order: { type: 'string', enum: ['asc'], sanitize_callback: 'sanitize_key' },
  }
  const { message } = outcomeOf(args, { query: 'order=x&age=0&title=x' }) as { message: string }
  assert.equal(message, 'Invalid parameter(s): title, order, age')
})

test("WordPress's default sanitiser by its name is no other than the default", () => {
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
  for (const sent of requests) assert.deepEqual(outcomeOf(named, sent), outcomeOf(typed, sent))
})

test('null as a sanitiser leaves the validated value as it was sent', () => {
  const args: ArgumentSchema = { a: { type: 'integer', minimum: 5, sanitize_callback: null } }
  assert.deepEqual(outcomeOf(args, { query: 'a=7' }), { a: '7' })
  assert.equal(codeOf(outcomeOf(args, { query: 'a=4' })), 'rest_invalid_param')
})

test('a RestError refuses, returned or thrown, by a validator or a sanitiser', () => {
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

test('everything else that a callback throws is its own fault, and so is a promise', () => {
  const faults: SanitizeCallback[] = [
    () => {
      throw new TypeError('no such table')
    },
    () => Promise.resolve(false),
  ]
  for (const callback of faults) {
    const validator = callback as ValidateCallback
    assert.throws(() => outcomeOf({ a: { validate_callback: validator } }, { query: 'a=1' }), TypeError)
    assert.throws(() => outcomeOf({ a: { sanitize_callback: callback } }, { query: 'a=1' }), TypeError)
  }
})

test('a value inside another one that cannot be coerced refuses the argument', () => {
  const args: ArgumentSchema = {
    o: { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer' }, uniqueItems: true } } },
  }
  const sent = { method: 'POST', contentType: 'application/json', body: '{"o":{"ids":[1,"1"]}}' }
  assert.deepEqual((outcomeOf(args, sent) as { data: unknown }).data, {
    status: 400,
    params: { o: 'o[ids] has duplicate items.' },
    details: { o: { code: 'rest_duplicate_items', message: 'o[ids] has duplicate items.', data: null } },
  })
})

test('names that every object has are arguments only when they are declared', () => {
  assert.deepEqual(outcomeOf({ a: { type: 'integer' } }, { query: 'constructor=x&__proto__=y&toString=z' }), {
    constructor: 'x',
    ['__proto__']: 'y',
    toString: 'z',
  })
  assert.equal(codeOf(outcomeOf({ toString: { required: true } })), 'rest_missing_callback_param')
})

test('a default is the same for every request, whatever a handler does to it', () => {
  const compiled = compileArguments(
    { a: { default: { list: [1] } }, b: { type: 'array', default: [1] } },
    recordedSanitizers,
  )
  for (let turn = 0; turn < 2; turn += 1) {
    const request = matchedRequest({}, {}, compiled.defaults)
    assert.equal(compiled.check(request), null)
    assert.deepEqual(plain(request.get_params()), { a: { list: [1] }, b: [1] })
    const { a, b } = request.get_params() as { a: { list: number[] }; b: number[] }
    a.list.push(2)
    b.push(2)
  }
})
