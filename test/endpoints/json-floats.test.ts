import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
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
