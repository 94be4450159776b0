import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, type Diagnostic } from 'as-rest-route'
import { refusalOf } from './refusal.js'

async function diagnosticsOf(responses: unknown): Promise<readonly Diagnostic[]> {
  class Items {
    @AsRestRoute({ namespace: 'shop/v1', route: '/items', permission: 'public', responses } as never)
    list() {
      return []
    }
  }
  return (await refusalOf([Items])).diagnostics
}

const endless: Record<string, unknown> = { type: 'array' }
endless['items'] = endless

const faulty: [responses: unknown, code: string, message: RegExp][] = [
  ['200', 'responses-invalid', /'responses' is '200', but must map statuses to schemas/],
  [{ 99: {} }, 'responses-invalid', /'99' in 'responses' is not the status of a final response/],
  [{ ok: {} }, 'responses-invalid', /'ok' in 'responses' is not the status/],
  [{ 200: 'object' }, 'rules-invalid', /response 200: rules must be a map/],
  [{ 200: { type: 'text' } }, 'type-unknown', /response 200: type 'text' is unknown\. Write 'string'\./],
  [
    { 200: { type: 'array', items: { type: 'integer', mimimum: 1 } } },
    'rule-unknown',
    /response 200, items: 'mimimum'/,
  ],
  [{ 200: { type: 'string', format: 'mail' } }, 'format-unknown', /response 200: format 'mail' is unknown/],
  [{ 200: endless }, 'rules-too-deep', /nested more than 32 deep/],
  [{ 200: { type: 'object' } }, 'response-open', /response 200: an object without 'properties' would send all/],
  [{ 200: { type: 'array' } }, 'response-open', /response 200: an array without 'items' would send all/],
  [
    { 404: { type: 'object', properties: { item: { type: ['object', 'null'] } } } },
    'response-open',
    /response 404, properties 'item': an object without 'properties'/,
  ],
  [
    { 200: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
    'response-open',
    /response 200, anyOf 2: an object without 'properties'/,
  ],
]

for (const [responses, code, message] of faulty)
  test(`the start refuses responses with ${code}: ${message.source}`, async () => {
    const [diagnostic, ...others] = await diagnosticsOf(responses)
    assert.deepEqual(others, [])
    assert.equal(diagnostic?.code, code)
    assert.match(diagnostic.message, message)
    assert.match(diagnostic.location?.file ?? '', /responses\.test/)
  })
