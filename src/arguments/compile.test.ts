import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { readVectors, type VectorCase } from '../../conformance/vectors.js'
import { RestError } from '../errors/rest-error.js'
import { anonymous } from '../permission/caller.js'
import { encodeText } from '../php/text.js'
import { HttpRequest, parseRequest } from '../request/rest-request.js'
import { errorBody } from '../response/error-response.js'
import { routePattern, translatePattern } from '../route/pattern.js'
import { namedSanitizers } from '../sanitizers/index.js'
import { compileArguments } from './compile.js'
import type { ArgumentSchema, SanitizeCallback, ValidateCallback } from './rules.js'

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly contentType?: string | null
  readonly body?: string | null
}

/** A request whose route has matched. */
function requestOf(
  sent: Sent,
  captures: Record<string, string>,
  defaults: Readonly<Record<string, unknown>>,
): HttpRequest {
  const headers = Object.create(null) as Record<string, string>
  if (typeof sent.contentType === 'string') headers['content-type'] = sent.contentType
  const incoming = {
    method: sent.method ?? 'GET',
    path: sent.path ?? '/',
    query: sent.query ?? '',
    headers,
    body: encodeText(sent.body ?? ''),
    address: '127.0.0.1',
    secure: false,
    local: true,
  }
  const request = new HttpRequest({ incoming, parsed: parseRequest(incoming), route: incoming.path, user: anonymous })
  request.matched(captures, defaults)
  return request
}

/** The callbacks of the recording; what each does is told in `vectors/README.md`. */
const validators: Readonly<Record<string, ValidateCallback>> = {
  vec_reject: () => false,
  vec_accept: () => true,
  vec_truthy_string: () => 'false',
  vec_null: () => null,
  vec_zero: () => 0,
  vec_even_error: (value, _, name) =>
    typeof value === 'string' && /^-?\d*[02468]$/.test(value) && value !== ''
      ? true
      : new RestError('not_even', `${name} is not even`, { status: 422, got: value }),
  vec_two_errors: () =>
    new RestError('first', 'First.', null, [{ code: 'second', message: 'Second.', data: { n: 2 } }]),
}
const sanitizers: ReadonlyMap<string, SanitizeCallback> = new Map<string, SanitizeCallback>([
  ...namedSanitizers,
  ['vec_upper', (value) => (typeof value === 'string' ? value.toUpperCase() : value)],
  ['vec_key_tag', (value, _, name) => `${name}:${typeof value === 'object' ? 'x' : String(value)}`],
  ['vec_san_error', (_, __, name) => new RestError('bad_sanitize', `cannot clean ${name}`, { status: 409 })],
  ['vec_san_null', () => null],
  ['vec_peek_other', (value, request) => `${String(value)}/${String(request.get_param('b') ?? '')}`],
])

/** The arguments as recorded, callbacks named there put in. */
function argumentsOf(declared: unknown): ArgumentSchema {
  return Object.fromEntries(
    Object.entries((declared ?? {}) as ArgumentSchema).map(([name, rules]) => {
      const validator = (rules as { validate_callback?: unknown }).validate_callback
      const known = typeof validator === 'string' ? validators[validator] : undefined
      return [name, known ? { ...rules, validate_callback: known } : rules]
    }),
  )
}

test('recorded: request-params', () => {
  const { cases, route: usual } = readVectors('request-params')
  const failures = cases.flatMap((example) => {
    const { pattern, actual, expected } = replayed(example, usual)
    return isDeepStrictEqual(actual, expected) ? [] : [{ ...example, pattern, actual, expected }]
  })
  assert.deepEqual(failures, [])
})

function replayed(example: VectorCase, usual: unknown) {
  const pattern = String(example['route'] ?? usual)
  const captures = translatePattern(pattern, routePattern).capture(String(example['path'])) ?? {}
  const compiled = compileArguments(argumentsOf(example['args']), sanitizers)
  const request = requestOf(example as Sent, captures, compiled.defaults)
  const expect = example.expect as Record<string, unknown>
  const before = request.problem ? expect['before'] : request.get_params()
  const problem = request.problem ?? compiled.check(request)
  const outcome = problem
    ? { before, problem: errorBody(problem) }
    : {
        before,
        params: request.get_params(),
        get: Object.fromEntries(
          Object.keys(expect['get'] ?? {}).map((name) => {
            const value = request.get_param(name)
            return [name, [value, request.has_param(name), value !== null]]
          }),
        ),
      }
  const refusal = [expect['valid'], expect['sanitize']].find((verdict) => typeof verdict === 'object')
  const expected = refusal
    ? { before: expect['before'], problem: refusal }
    : { before: expect['before'], params: expect['params'], get: expect['get'] }
  return { pattern, actual: plain(outcome), expected: plain(expected) }
}

/** As JSON has it; PHP prints an empty map as `[]`. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0 ? [] : inner,
  )

/** What the arguments make of a GET request: its parameters, or the error. */
function outcomeOf(args: ArgumentSchema, sent: Sent = {}): unknown {
  const compiled = compileArguments(args, sanitizers)
  const request = requestOf(sent, {}, compiled.defaults)
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
    assert.throws(() => outcomeOf({ a: { validate_callback: callback } }, { query: 'a=1' }), TypeError)
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
  const compiled = compileArguments({ a: { default: { list: [1] } }, b: { type: 'array', default: [1] } }, sanitizers)
  for (let turn = 0; turn < 2; turn += 1) {
    const request = requestOf({}, {}, compiled.defaults)
    assert.equal(compiled.check(request), null)
    assert.deepEqual(plain(request.get_params()), { a: { list: [1] }, b: [1] })
    const { a, b } = request.get_params() as { a: { list: number[] }; b: number[] }
    a.list.push(2)
    b.push(2)
  }
})
