import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { compileSchema } from '../../src/validation/schema.js'
import { openService } from './open-service.js'

const args = {
  flag: { type: 'boolean' },
  checked: { type: 'boolean', validate_callback: 'rest_validate_request_arg' },
  text: { type: 'boolean', sanitize_callback: 'sanitize_text_field' },
  mixed: { type: ['boolean', 'integer'] },
  flags: { type: 'array', items: { type: 'boolean' } },
  set: { type: 'array', uniqueItems: true },
  object: { type: 'object', properties: { flag: { type: 'boolean' } }, additionalProperties: { type: 'boolean' } },
  either: { type: ['boolean', 'string'], anyOf: [{ type: 'boolean' }, { type: 'string' }] },
  count: { type: 'integer', enum: [0, 1, 2] },
  price: { type: 'number' },
} as const

/** Tells the values that a handler reads. */
class FloatsApi {
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/floats',
    method: 'POST',
    permission: 'public',
    args,
    allow_batch: true,
  })
  floats(request: RestRequest) {
    return new RestResponse(request.get_params())
  }
}

const site = await openService([FloatsApi])
after(() => site.close())

const post = async (json: string) => {
  const response = await fetch(`${site.root}test/v1/floats`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: json,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

for (const number of ['1.0', '0.0', '1e0', '0e5', '-0.0', '10e-1', '0.1E1'])
  test(`${number} in JSON is no boolean, and is an integer and a number`, async () => {
    const refused: [json: string, path: string][] = [
      [`{"flag":${number}}`, 'flag'],
      [`{"checked":${number}}`, 'checked'],
      [`{"text":${number}}`, 'text'],
      [`{"flags":[true,${number}]}`, 'flags[1]'],
      [`{"flags":{"0":true,"1":${number}}}`, 'flags[1]'],
      [`{"object":{"flag":${number}}}`, 'object[flag]'],
      [`{"object":{"other":${number}}}`, 'object[other]'],
    ]
    for (const [json, path] of refused) {
      const { status, body } = await post(json)
      const name = path.replace(/\[.*/, '')
      const { params } = body['data'] as { params: Record<string, string> }
      assert.deepEqual([status, params[name]], [400, `${path} is not of type boolean.`], json)
    }
    assert.equal((await post(`{"either":${number}}`)).status, 400)
    const value = Number(number) + 0
    const { body } = await post(`{"count":${number},"mixed":${number},"price":${number}}`)
    assert.deepEqual(body, { count: value, mixed: value, price: Number(number) })
  })

const accepted: [json: string, values: object][] = [
  ['{"flag":1,"checked":0,"mixed":1}', { flag: true, checked: false, mixed: true }],
  ['{"flag":1.0,"flag":1}', { flag: true }],
  ['{"flag":"1","object":{"flag":0}}', { flag: true, object: { flag: false } }],
  ['{"flags":[1,0]}', { flags: [true, false] }],
  ['{"set":[1,1.0]}', { set: [1, 1] }],
  ['{"set":[{"a":[1]},{"a":[1.0]}]}', { set: [{ a: [1] }, { a: [1] }] }],
]
for (const [json, values] of accepted)
  test(`the body ${json} is accepted`, async () => {
    assert.deepEqual(await post(json), { status: 200, body: values })
  })

for (const set of ['[1.0,1e0]', '[{"a":1.0},{"a":10e-1}]', '[1,1]'])
  test(`the items of ${set} are duplicates`, async () => {
    const { body } = await post(`{"set":${set}}`)
    assert.match(JSON.stringify(body), /rest_duplicate_items/)
  })

test('a float in the body of a batch item is no boolean either', async () => {
  const item = (body: string) => `{"path":"/test/v1/floats","body":${body}}`
  const response = await fetch(`${site.root}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `{"requests":[${[item('{"flag":1.0}'), item('{"flag":1}'), item('{"object":{"flag":0.0}}')].join(',')}]}`,
  })
  const { responses } = (await response.json()) as { responses: { status: number }[] }
  assert.deepEqual(
    responses.map(({ status }) => status),
    [400, 200, 400],
  )
})

const booleanOrInteger = ['boolean', 'integer'] as const
/** WordPress's value of `1` in JSON for an argument of type boolean or integer, beside other schemas. */
const beside: [schemas: object, value: boolean | number][] = [
  [{ anyOf: [{ type: 'number' }] }, 1],
  [{ oneOf: [{ type: 'number' }] }, 1],
  [{ anyOf: [{ type: 'integer' }] }, true],
  [{ anyOf: [{ type: ['number', 'string'] }] }, 1],
  [{ anyOf: [{ type: ['integer', 'string'] }] }, true],
  // The inner candidates leave a float, which the inherited types make an integer.
  [{ anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }] }, true],
  [{ anyOf: [{ anyOf: [{ type: 'integer' }], type: 'number' }] }, 1],
  [{ anyOf: [{ anyOf: [{ type: 'number' }], type: 'integer' }] }, true],
  [{ anyOf: [{ type: 'number' }], oneOf: [{ type: 'integer' }] }, true],
  [{ anyOf: [{ type: 'integer' }], oneOf: [{ type: 'number' }] }, 1],
]
for (const [schemas, value] of beside)
  test(`1 is ${value} for a boolean or integer beside ${JSON.stringify(schemas)}`, () => {
    const { sanitize } = compileSchema({ type: booleanOrInteger, ...schemas })
    assert.equal(sanitize(1, 'flag').value, value)
    assert.equal(sanitize('1', 'flag').value, value)
    assert.equal(sanitize(1, 'flag', true).value, value)
  })

const members: [items: object, value: boolean | number][] = [
  [{ type: 'number' }, 1],
  [{ type: 'integer' }, true],
  [{}, true],
]
for (const [rules, value] of members)
  test(`the members 1 of a list and of a map are ${value} beside members of ${JSON.stringify(rules)}`, () => {
    const list = compileSchema({
      type: 'array',
      items: { type: booleanOrInteger },
      anyOf: [{ type: 'array', items: rules }],
    })
    assert.deepEqual(list.sanitize([5, 1], 'list').value, [5, value])
    const map = compileSchema({
      type: 'object',
      additionalProperties: { type: booleanOrInteger },
      anyOf: [{ type: 'object', properties: { ruled: rules } }],
    })
    assert.deepEqual(
      { ...(map.sanitize({ ruled: 1, other: 1 }, 'map').value as object) },
      { ruled: value, other: true },
    )
  })
